// What the component exports. The compiler is given this file beside the hook's own.

import { space, writeOption, writeText } from "./abi";
import { Answer, Verdict } from "./answer";
import { Event } from "./event";
import { handle as decide } from "./hookbox";
import { error } from "./log";

/** The world's function: the event is here, and the result where it says. */
export function handle(event: usize): usize {
  return lowered(decide(new Event(event)));
}

/** The host asks for memory here, before it hands something over. */
export function cabi_realloc(old: usize, oldSize: usize, alignment: usize, size: usize): usize {
  // What the allocator hands out is good for every type of the world.
  const place = heap.alloc(max<usize>(size, 1));
  if (old) memory.copy(place, old, min(oldSize, size));
  return place;
}

/** What is thrown ends up here. */
export function stopped(message: string | null, file: string | null, line: u32, column: u32): void {
  const what = message === null ? "stopped" : message;
  const where = file === null ? "" : " (" + file + ":" + line.toString() + ")";
  error(what + where);
  unreachable();
}

/** In bytes, of a result with an answer. */
const RESULT_SIZE: usize = 88;

function lowered(answer: Answer): usize {
  const place = space(RESULT_SIZE);
  const failure = answer.failure;
  if (failure !== null) {
    store<u8>(place, 1);
    writeText(place + 4, failure);
    return place;
  }
  store<u8>(place, answer.verdict, 4);
  if (answer.verdict != Verdict.None) {
    writeText(place + 8, answer.code);
    writeText(place + 16, answer.text);
  }
  writeRewrite(place + 24, answer);
  writeOption(place + 40, answer.context);
  writeOption(place + 52, answer.notice);
  writeOption(place + 64, answer.why);
  writeOption(place + 76, answer.extra);
  return place;
}

function writeRewrite(place: usize, answer: Answer): void {
  const patch = answer.patch;
  const part = patch === null ? answer.replacement : patch;
  if (part === null) return;
  store<u8>(place, 1);
  store<u8>(place, patch === null ? 0 : 1, 4);
  writeText(place + 8, part);
}
