// What a hook is given besides the event.

import { RESULT, readBytes, readText } from "./abi";
import { Json } from "./json";

// @ts-ignore: decorator
@external("hookbox:hook/config@0.2.0", "get")
declare function configGet(result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/source@0.2.0", "read")
declare function sourceRead(result: usize): void;
// @ts-ignore: decorator
@external("hookbox:hook/clock@0.2.0", "now")
declare function clockNow(): u64;
// @ts-ignore: decorator
@external("hookbox:hook/random@0.2.0", "bytes")
declare function randomBytesOf(count: u32, result: usize): void;

/** This hook's own settings: `settings().textAt("/greeting")`. */
export function settings(): Json {
  configGet(RESULT);
  return new Json(readText(RESULT));
}

/** The caller's own JSON, untouched. */
export function source(): Json {
  sourceRead(RESULT);
  return new Json(readText(RESULT));
}

/** Milliseconds since the Unix epoch: the event's own time, unless the hook has the grant `clock`. */
export function now(): u64 {
  return clockNow();
}

/** At most 4096. They follow from the event and the settings, unless the hook has the grant `random`. */
export function randomBytes(count: u32): Uint8Array {
  randomBytesOf(count, RESULT);
  return readBytes(RESULT);
}
