// The world `hookbox:hook/hook@0.2.0` as the canonical ABI lays it out in memory: a text is a pointer and a length, an option a byte
// before its value. Everything that the host hands over stays where it is: every event meets a fresh instance.

/** The text whose pointer and length are here. */
export function readText(place: usize): string {
  return String.UTF8.decodeUnsafe(load<usize>(place), load<usize>(place, 4));
}

/** The text of an option that is here. */
export function readOption(place: usize): string | null {
  return load<u8>(place) ? readText(place + 4) : null;
}

/** The texts of a list that is here. */
export function readTexts(place: usize): string[] {
  const first = load<usize>(place);
  const texts = new Array<string>(load<i32>(place, 4));
  for (let i = 0; i < texts.length; i++) texts[i] = readText(first + 8 * i);
  return texts;
}

/** The bytes of a list that is here. */
export function readBytes(place: usize): Uint8Array {
  const bytes = new Uint8Array(load<i32>(place, 4));
  memory.copy(bytes.dataStart, load<usize>(place), bytes.length);
  return bytes;
}

/** As UTF-8; half of a character becomes the replacement character, since the host takes no other text. */
export function encoded(text: string): ArrayBuffer {
  return String.UTF8.encode(text, false, String.UTF8.ErrorMode.REPLACE);
}

/** Writes pointer and length of a text. */
export function writeText(place: usize, text: string): void {
  const bytes = encoded(text);
  store<usize>(place, pinned(bytes));
  store<usize>(place, bytes.byteLength, 4);
}

/** Writes an option of a text. */
export function writeOption(place: usize, text: string | null): void {
  if (text === null) return;
  store<u8>(place, 1);
  writeText(place + 4, text);
}

/** Memory that nobody frees, filled with zeros. */
export function space(size: usize): usize {
  const place = heap.alloc(size);
  memory.fill(place, 0, size);
  return place;
}

/** Where the bytes are. They stay. */
export function pinned(bytes: ArrayBuffer): usize {
  return __pin(changetype<usize>(bytes));
}

/** A text as the host takes it. */
export class Bytes {
  pointer: usize;
  length: usize;

  constructor(text: string) {
    const bytes = encoded(text);
    this.pointer = pinned(bytes);
    this.length = bytes.byteLength;
  }
}

/** Where an import leaves a pointer and a length. */
export const RESULT: usize = memory.data(64, 8);
