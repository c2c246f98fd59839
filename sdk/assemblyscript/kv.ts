// A small store that outlives a call, for a hook with the grant `kv`. Every function is one step for all processes, and returns what came
// of it: `error` is null, or the contract's word for why nothing was read or changed ("not-granted", "no-place", "bad-size", "quota",
// "not-a-number", "busy").

import { Bytes, RESULT, encoded, pinned, readBytes, readTexts } from "./abi";

// @ts-ignore: decorator
@external("hookbox:hook/kv@0.2.0", "get")
declare function kvGet(scope: i32, key: usize, length: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/kv@0.2.0", "set")
declare function kvSet(scope: i32, key: usize, length: usize, value: usize, valueLength: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/kv@0.2.0", "delete")
declare function kvDelete(scope: i32, key: usize, length: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/kv@0.2.0", "keys")
declare function kvKeys(scope: i32, prefix: usize, length: usize, result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/kv@0.2.0", "increment")
declare function kvIncrement(scope: i32, key: usize, length: usize, by: i64, result: usize): void;
// prettier-ignore
// @ts-ignore: decorator
@external("hookbox:hook/kv@0.2.0", "swap")
declare function kvSwap(scope: i32, key: usize, length: usize, hasOld: i32, old: usize, oldLength: usize, value: usize, valueLength: usize, result: usize): void;

/** Who shares the entries, besides the plugin being the same. */
export enum Scope {
  Session,
  Project,
  User,
}

/** Result of a call. */
export class Result<T> {
  constructor(
    public value: T,
    public error: string | null,
  ) {}
}

/** The value of this key; null if it has none. */
export function get(scope: Scope, key: string): Result<Uint8Array | null> {
  const name = new Bytes(key);
  kvGet(scope, name.pointer, name.length, RESULT);
  const found = load<u8>(RESULT) == 0 && load<u8>(RESULT, 4) != 0;
  return new Result<Uint8Array | null>(found ? readBytes(RESULT + 8) : null, problem(4));
}

/** The same as a text; null if the key has none. */
export function getText(scope: Scope, key: string): Result<string | null> {
  const result = get(scope, key);
  const value = result.value;
  if (value === null) return new Result<string | null>(null, result.error);
  return new Result<string | null>(String.UTF8.decodeUnsafe(value.dataStart, value.length), null);
}

/** Gives the key this value, whatever it had. */
export function set(scope: Scope, key: string, value: Uint8Array): Result<bool> {
  const name = new Bytes(key);
  pinned(value.buffer);
  kvSet(scope, name.pointer, name.length, value.dataStart, value.length, RESULT);
  return new Result<bool>(load<u8>(RESULT) == 0, problem(1));
}

/** The same with a text. */
export function setText(scope: Scope, key: string, value: string): Result<bool> {
  return set(scope, key, Uint8Array.wrap(encoded(value)));
}

/** Takes the key away. It need not be there. */
export function remove(scope: Scope, key: string): Result<bool> {
  const name = new Bytes(key);
  kvDelete(scope, name.pointer, name.length, RESULT);
  return new Result<bool>(load<u8>(RESULT) == 0, problem(1));
}

/** The keys that begin so, in the order of their bytes, the first 1000 of them. */
export function keys(scope: Scope, prefix: string): Result<string[]> {
  const beginning = new Bytes(prefix);
  kvKeys(scope, beginning.pointer, beginning.length, RESULT);
  return new Result<string[]>(load<u8>(RESULT) == 0 ? readTexts(RESULT + 4) : [], problem(4));
}

/** Adds to a number, and says what it is now. A key without a value counts as 0. */
export function increment(scope: Scope, key: string, by: i64 = 1): Result<i64> {
  const name = new Bytes(key);
  kvIncrement(scope, name.pointer, name.length, by, RESULT);
  return new Result<i64>(load<u8>(RESULT) == 0 ? load<i64>(RESULT, 8) : 0, problem(8));
}

/** Gives the key a value if it has the value `old` (null: if it has none), and says if it did. */
export function swap(scope: Scope, key: string, old: Uint8Array | null, value: Uint8Array): Result<bool> {
  const name = new Bytes(key);
  pinned(value.buffer);
  if (old !== null) pinned(old.buffer);
  const before: usize = old === null ? 0 : old.dataStart;
  const length: usize = old === null ? 0 : old.length;
  kvSwap(scope, name.pointer, name.length, i32(old !== null), before, length, value.dataStart, value.length, RESULT);
  return new Result<bool>(load<u8>(RESULT) == 0 && load<u8>(RESULT, 1) != 0, problem(1));
}

/** The word for the error that is so far behind the result's first byte. */
function problem(place: usize): string | null {
  if (load<u8>(RESULT) == 0) return null;
  switch (load<u8>(RESULT + place)) {
    case 0:
      return "not-granted";
    case 1:
      return "no-place";
    case 2:
      return "bad-size";
    case 3:
      return "quota";
    case 4:
      return "not-a-number";
    default:
      return "busy";
  }
}
