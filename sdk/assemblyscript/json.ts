// A look into JSON. Places are JSON pointers (RFC 6901): "" is the whole, "/input/command" a member of a member, "/paths/0" the first
// item.

import { Bytes, RESULT, readOption, readText, readTexts } from "./abi";

// @ts-ignore: decorator
@external("hookbox:hook/json@0.2.0", "at")
declare function jsonAt(text: usize, length: usize, pointer: usize, pointerLength: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/json@0.2.0", "text-at")
declare function jsonTextAt(text: usize, length: usize, pointer: usize, pointerLength: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/json@0.2.0", "names-at")
declare function jsonNamesAt(text: usize, length: usize, pointer: usize, pointerLength: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/json@0.2.0", "count-at")
declare function jsonCountAt(text: usize, length: usize, pointer: usize, pointerLength: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/json@0.2.0", "quote")
declare function jsonQuote(text: usize, length: usize, result: usize): void;

/** A JSON text. */
export class Json {
  private bytes: Bytes;

  constructor(
    /** As it was written. */
    public text: string,
  ) {
    this.bytes = new Bytes(text);
  }

  /** The value there, as JSON; null if there is none. */
  at(pointer: string): string | null {
    const place = new Bytes(pointer);
    jsonAt(this.bytes.pointer, this.bytes.length, place.pointer, place.length, RESULT);
    return readOption(RESULT);
  }

  /** The string there, as the text that it means; null if there is something else. */
  textAt(pointer: string): string | null {
    const place = new Bytes(pointer);
    jsonTextAt(this.bytes.pointer, this.bytes.length, place.pointer, place.length, RESULT);
    return readOption(RESULT);
  }

  /** The object there, as JSON; null if there is something else. */
  objectAt(pointer: string): string | null {
    return this.thatBeginsWith(0x7b, pointer);
  }

  /** The array there, as JSON; null if there is something else. */
  arrayAt(pointer: string): string | null {
    return this.thatBeginsWith(0x5b, pointer);
  }

  private thatBeginsWith(first: i32, pointer: string): string | null {
    const value = this.at(pointer);
    return value !== null && value.charCodeAt(0) == first ? value : null;
  }

  /** Is there a number? */
  isNumberAt(pointer: string): bool {
    const value = this.at(pointer);
    if (value === null) return false;
    const first = value.charCodeAt(0);
    return first == 0x2d || (first >= 0x30 && first <= 0x39);
  }

  /** The number there, without what is behind its point; 0 if there is something else. `isNumberAt` tells. */
  integerAt(pointer: string): i64 {
    const value = this.at(pointer);
    return value !== null && this.isNumberAt(pointer) ? I64.parseInt(value) : 0;
  }

  /** The number there; not a number if there is something else. */
  numberAt(pointer: string): f64 {
    const value = this.at(pointer);
    return value !== null && this.isNumberAt(pointer) ? F64.parseFloat(value) : NaN;
  }

  /** Is there `true`? */
  isTrueAt(pointer: string): bool {
    return this.at(pointer) == "true";
  }

  /** The names of the members of the object there; none of what is no object. */
  namesAt(pointer: string): string[] {
    const place = new Bytes(pointer);
    jsonNamesAt(this.bytes.pointer, this.bytes.length, place.pointer, place.length, RESULT);
    return readTexts(RESULT);
  }

  /** The number of items of an array there, or of members of an object; -1 if there is something else. */
  countAt(pointer: string): i64 {
    const place = new Bytes(pointer);
    jsonCountAt(this.bytes.pointer, this.bytes.length, place.pointer, place.length, RESULT);
    return load<u8>(RESULT) ? (load<u32>(RESULT, 4) as i64) : -1;
  }
}

/** The string at a place of a JSON text; null if there is something else. */
export function textAt(text: string, pointer: string): string | null {
  return new Json(text).textAt(pointer);
}

/** A text as JSON, with its quotation marks. */
export function quote(text: string): string {
  const bytes = new Bytes(text);
  jsonQuote(bytes.pointer, bytes.length, RESULT);
  return readText(RESULT);
}
