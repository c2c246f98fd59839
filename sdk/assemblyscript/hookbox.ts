// Write hooks for coding agents in AssemblyScript: one function, one WebAssembly component.
//
//     import { Answer, Event, deny, hook, none } from "../hookbox/hookbox";
//
//     hook((event: Event): Answer => {
//       if (event.command == "rm -rf /") return deny("removes-root", "rm -rf / removes everything");
//       return none();
//     });
//
// The language has no exceptions to catch: a failed hook returns `fail("why")`. What is thrown ends the hook as failed too, with its
// message in the log.

import { Answer, Verdict } from "./answer";
import { Event } from "./event";
import * as events from "./events";
import * as http from "./http";
import * as json from "./json";
import * as kv from "./kv";
import * as log from "./log";
import * as payloads from "./payloads";

export * from "./answer";
export * from "./event";
export * from "./given";
export { events, http, json, kv, log, payloads };

/** Makes a function what this component exports. Once per component. */
export function hook(handle: (event: Event) => Answer): void {
  handler = handle;
}

let handler: (event: Event) => Answer = (event: Event): Answer => {
  const answer = new Answer(Verdict.None);
  answer.failure = "no hook is there: the source must call `hook(…)`";
  return answer;
};

/** What the world's function does. */
export function handle(event: Event): Answer {
  return handler(event);
}
