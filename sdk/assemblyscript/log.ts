// Lines in the call's report, for whoever debugs the hook.

import { Bytes } from "./abi";

// @ts-ignore: decorator
@external("hookbox:hook/log@0.2.0", "write")
declare function logWrite(level: i32, message: usize, length: usize): void;

/** Every step. */
export function trace(message: string): void {
  write(0, message);
}

/** For the hook's author. */
export function debug(message: string): void {
  write(1, message);
}

/** For the hook's user. */
export function info(message: string): void {
  write(2, message);
}

/** Something is odd, the hook goes on. */
export function warn(message: string): void {
  write(3, message);
}

/** The hook cannot do its work. */
export function error(message: string): void {
  write(4, message);
}

function write(level: i32, message: string): void {
  const bytes = new Bytes(message);
  logWrite(level, bytes.pointer, bytes.length);
}
