/** What a hook in JavaScript or TypeScript imports from "hookbox". */

import type { KnownEvent } from "./events.js";

export type * from "./events.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json | undefined };

export type ToolClass = "shell" | "file-read" | "file-write" | "search" | "web" | "mcp" | "agent" | "other";

/** A tool call, in the agent's own words and in hookbox's. */
export interface ToolCall {
  /** The agent's name for the tool: "Bash", "run_shell_command", "mcp__github__create_issue". */
  readonly name: string;
  readonly class: ToolClass;
  /** The command line, for a shell tool. */
  readonly command?: string;
  /** The files that the call names, absolute. Symbolic links are not followed. */
  readonly paths: readonly string[];
  /** The agent's arguments, as the hooks before this one left them. */
  readonly input: { readonly [member: string]: Json };
  /** The result, after the call. */
  readonly output?: Json;
}

/** What an event carries besides. Which members there are, the agent says; only some are always there. */
export interface Payload {
  readonly [member: string]: Json | undefined;
}

/** What every event has. `Name` is the canonical one, by which an event is told from another. */
export interface EventOf<Name extends string> {
  readonly name: Name;
  readonly id: string;
  /** The dialect that it came in: "claude-code". */
  readonly agent: string;
  /** Its name in that dialect: "PreToolUse". */
  readonly agentEvent: string;
  /** The agent's session; empty if it named none. */
  readonly session: string;
  /** The agent's working folder, absolute; empty if it named none. */
  readonly cwd: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly tool?: ToolCall;
  readonly payload: Payload;
  /** The rewritable part as the agent sent it, if a hook before this one changed it. */
  readonly original?: Json;
  /** What the hooks came to. Only observers have it. */
  readonly outcome?: Outcome;
}

/** An event that hookbox has no name for. */
export interface CustomEvent extends EventOf<`custom:${string}`> {}

/** The event of a call. `if (event.name === "prompt.submit")` makes `event.payload.prompt` a string. */
export type HookEvent = KnownEvent | CustomEvent;

/** Every canonical name, and `custom:` with whatever a program calls its own. */
export type EventName = HookEvent["name"];

export interface Outcome {
  readonly verdict: Verdict;
  readonly code?: string;
  readonly reason?: string;
  /** The hooks that said so. */
  readonly deciders: readonly string[];
  /** The hooks that failed. */
  readonly failed: readonly string[];
  /** The rewritable part as the hooks left it, if one changed it. */
  readonly rewritten?: Json;
}

export type Verdict = "none" | "allow" | "ask" | "deny";

/** What a hook says. Every member is optional, and nothing at all is no opinion. */
export interface Answer {
  readonly verdict?: Verdict;
  /** Stable: lower-case words joined by hyphens, at most 64 bytes. */
  readonly code?: string;
  /** For people and for the model, at most 10,000 characters. */
  readonly reason?: string;
  /** A merge patch (RFC 7396) for the event's rewritable part, or the whole part anew. */
  readonly rewrite?: { readonly merge: Json } | { readonly replace: Json };
  /** Text for the model. */
  readonly context?: string;
  /** Text for the person. */
  readonly notice?: string;
  /** Ends the run, and says why. */
  readonly stop?: string;
  /** Fields that only this event knows. */
  readonly extra?: { readonly [member: string]: Json | undefined };
}

/** What else an answer has besides what the function is called for. */
type More<Taken extends keyof Answer> = Omit<Answer, Taken>;
type Reasoned = "verdict" | "code" | "reason";

/** What a hook's module exports as `handle`. It is not `async`: nothing here needs to be waited for. */
export type Handle = (event: HookEvent) => Answer | null | undefined | void;

/** No opinion, which is not a yes. So is returning nothing. */
export function none(): Answer;
/** No. */
export function deny(code: string, reason: string, more?: More<Reasoned>): Answer;
/** Only if the person says so. */
export function ask(code: string, reason: string, more?: More<Reasoned>): Answer;
/** Yes; it may skip a prompt. */
export function allow(code: string, reason: string, more?: More<Reasoned>): Answer;
/** Changes some members of what is about to happen; `null` takes one away. */
export function rewrite(patch: Json, more?: More<"rewrite">): Answer;
/** Puts this in the place of what is about to happen. */
export function replace(part: Json, more?: More<"rewrite">): Answer;
/** Text for the model. */
export function context(text: string, more?: More<"context">): Answer;
/** Text for the person. */
export function notice(text: string, more?: More<"notice">): Answer;
/** Ends the run. */
export function stop(reason: string, more?: More<"stop">): Answer;
/** Fields that only this event knows. */
export function extra(fields: { readonly [member: string]: Json | undefined }, more?: More<"extra">): Answer;

/** The hook's own settings: `config` of its `[[hook]]`. They are what the person wrote: look before you trust the type. */
export function settings<Settings = any>(): Partial<Settings>;
/** What the agent sent, in its own words. */
export function source(): { readonly [member: string]: Json };
/** Milliseconds since the Unix epoch: the event's time, or the time that it is, with the grant `clock`. */
export function now(): number;
/** So many bytes, at most 4096. They follow from the event, and are nothing for keys without the grant `random`. */
export function random(count: number): Uint8Array;

/**
 * Facts about the event's command line; `undefined` if it has none. The text alone determines them, and analysis of text is not a boundary:
 * a program may do anything that its arguments do not show. A rule that must not miss anything refuses what is `undetermined`.
 */
export function facts(): ShellFacts | undefined;

export interface ShellFacts {
  /** `powershell` and `cmd` have no facts but `undetermined`. */
  readonly language: "posix" | "powershell" | "cmd";
  /** The simple commands, in the order in which a shell reaches them, those of wrappers and scripts included. */
  readonly commands: readonly SimpleCommand[];
  /** Files and folders that the commands touch, except those of containers and other machines. */
  readonly paths: readonly PathAccess[];
  /** Hosts that the commands contact, where the text shows them. */
  readonly hosts: readonly HostContact[];
  /** The parts that the text does not determine. */
  readonly undetermined: readonly Undetermined[];
}

/** A word after expansion. */
export interface Word {
  /** The text; where the word is not `certain`, U+FFFD is in the place of each unknown part. */
  readonly text: string;
  /** True if the word is exactly `text`. */
  readonly certain: boolean;
}

/** A command as it would be started. */
export interface SimpleCommand {
  /** The program's name without its folder, in lower case; empty if it is not known. */
  readonly program: string;
  /** The words of the command; the first is the program as the text has it. */
  readonly words: readonly Word[];
  /** Variables that are set for this command alone: name and value. */
  readonly assignments: readonly (readonly [string, Word])[];
  /** The folder that the command runs in: absolute, or from `~`; `undefined` if it is not known. */
  readonly folder: string | undefined;
  /** Programs through which the command is reached, outermost first. */
  readonly via: readonly string[];
  /** True if the command may not run. */
  readonly guessed: boolean;
  /** True if the command runs in a container or on another machine. */
  readonly elsewhere: boolean;
  /** True if its standard input comes from a pipe, a file or a here-document. */
  readonly pipedInput: boolean;
  /** Files that its redirections write. */
  readonly writes: readonly Word[];
  /** Files that its redirections read. */
  readonly reads: readonly Word[];
}

/** An access to a file or folder. */
export interface PathAccess {
  /** The path: absolute, or from `~`, with U+FFFD in the place of each unknown part. */
  readonly path: string;
  /** True if the path is exactly this one. */
  readonly certain: boolean;
  readonly access: "read" | "use" | "write" | "create-folder" | "link" | "unknown";
  /** True if everything below the path is affected, too. */
  readonly recursive: boolean;
}

/** A host that a command contacts. */
export interface HostContact {
  /** Name or address in lower case, without port and user, with U+FFFD in the place of each unknown part. */
  readonly host: string;
  /** True if the host is exactly this one. */
  readonly certain: boolean;
  /** The program that contacts it. */
  readonly program: string;
}

/** A part that the text does not determine. */
export interface Undetermined {
  readonly reason: "program" | "code" | "syntax" | "too-large" | "language" | "unavailable";
  /** The part as the text has it, shortened; for `unavailable`, the reason. */
  readonly text: string;
}

/** Lines for the call's report. `console` writes there too. */
export const log: Readonly<Record<"trace" | "debug" | "info" | "warn" | "error", (...parts: unknown[]) => void>>;

/** What the host says no with. */
export class HookboxError extends Error {
  constructor(code: KvErrorCode | HttpErrorCode, message: string);
  readonly name: "HookboxError";
  readonly code: KvErrorCode | HttpErrorCode;
}

export type KvErrorCode = "not-granted" | "no-place" | "bad-size" | "quota" | "not-a-number" | "busy";
export type HttpErrorCode = "refused" | "invalid" | "unreachable" | "timeout" | "limit";

/** A store that outlives the event, of this plugin alone. Each call throws a `HookboxError` where the host says no. */
export interface Store {
  get(key: string): string | undefined;
  getBytes(key: string): Uint8Array | undefined;
  set(key: string, value: string | Uint8Array): void;
  delete(key: string): void;
  /** The keys that begin so, in the order of their bytes, the first 1000. */
  keys(prefix?: string): string[];
  /** Adds, and returns what it is now. A key without a value counts as 0. */
  increment(key: string, by?: number): number;
  /** Gives the key a value if it has the value `old`, or none. Says if it did. */
  swap(key: string, old: string | Uint8Array | null | undefined, value: string | Uint8Array): boolean;
}

/** The stores of the session, of the folder, and of the user. Needs the grant `kv`. */
export const kv: Readonly<Record<"session" | "project" | "user", Store>>;

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** A body in JSON, in the place of `body`. */
  readonly json?: Json;
  /** Milliseconds to wait for the whole response. */
  readonly timeout?: number;
}

export interface Response {
  readonly status: number;
  /** Is the status 200 to 299? */
  readonly ok: boolean;
  /** By names in lower case; what came several times is joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  bytes(): Uint8Array;
  text(): string;
  json(): any;
}

/** Requests, each a `Response` whatever its status, or a `HookboxError`. Needs rules in the grant `http`. */
export const http: {
  send(request: RequestOptions & { readonly method?: string; readonly url: string }): Response;
  get(url: string, options?: RequestOptions): Response;
  post(url: string, options?: RequestOptions): Response;
};
