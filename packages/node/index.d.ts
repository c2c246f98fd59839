/** hookbox in a program for Node.js: one hook host for every coding agent. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };
export type Role = "transform" | "gate" | "observe";
export type ToolClass = "shell" | "file-read" | "file-write" | "search" | "web" | "mcp" | "agent" | "other";

/** What the user's hooks are, and where what they need is. By default as `hookbox run` finds them, whatever variables say. */
export interface HostOptions {
  /** One file of hookbox's configuration, and neither the user's nor a project's. */
  config?: string;
  /** One more file, beside the user's and the project's. */
  session?: string;
  /** `false`: no files at all but the administrator's. */
  hooks?: boolean;
  /** Whose hook files `source` are. */
  agent?: string;
  /** Hook files of an agent's own, run as that agent would, and nothing else. */
  source?: string | string[];
  home?: string;
  configHome?: string;
  stateHome?: string;
  cacheHome?: string;
  /** The program `hookbox-compile`, if it is not the one in the package. */
  compiler?: string;
  /** The folder of the shipped plugins, if it is not the one in the package. */
  plugins?: string;
  /** The variables that hooks may be given, if their configuration names them; `process.env` if not said. */
  environment?: Record<string, string | undefined>;
}

export interface AnswerOptions {
  /** The working folder, if the event does not say it. */
  cwd?: string;
  /** How long the agent waits. */
  agentTimeoutMs?: number;
}

export interface Abortable {
  /** Ends the call, with the processes that its hooks have started. */
  signal?: AbortSignal;
}

/** An event in hookbox's own form. */
export interface HookboxEvent {
  event: string;
  id?: string;
  agent?: string;
  agent_event?: string;
  session?: string;
  cwd?: string;
  time?: number;
  tool?: {
    name: string;
    class?: ToolClass;
    command?: string;
    paths?: string[];
    input: { [key: string]: Json | undefined };
    output?: Json;
  };
  payload?: { [key: string]: Json | undefined };
  /** The rewritable part as it was sent, for who comes after a rewrite. */
  original?: Json;
  /** The hook's own settings. */
  config?: { [key: string]: Json | undefined };
  /** What the hooks came to, for an observer. */
  outcome?: { verdict: "none" | "allow" | "ask" | "defer" | "deny"; deciders: string[]; failed: string[]; rewritten?: Json };
}

/** What a hook says; nothing at all is no opinion. Put together with `...`. */
export interface Answer {
  verdict?: "none" | "allow" | "ask" | "deny";
  code?: string;
  reason?: string;
  rewrite?: { replace: Json } | { merge: Json };
  /** The profile by which a shell command is to run confined. */
  confine?: string;
  context?: string;
  notice?: string;
  stop?: string;
  extra?: { [key: string]: Json | undefined };
}

export type Said = Answer | null | undefined | void;

export interface HookOptions {
  /** Unique among the host's own; the function's name if not said. */
  name?: string;
  tool?: string | string[] | { name?: string | string[]; class?: ToolClass | ToolClass[]; glob?: string; regex?: string };
  role?: Role;
  timeoutMs?: number;
  priority?: number;
  onFailure?: "deny" | "ask" | "allow";
  /** The hook's own settings: `config` of each event that it gets. */
  config?: { [key: string]: Json | undefined };
  limits?: Record<string, Json>;
}

export type Reason = { code: string; text: string };

export interface Outcome {
  verdict: "none" | { allow: Reason } | { ask: Reason } | { defer: Reason } | { deny: Reason };
  reasons: { hook: string; value: Reason }[];
  rewrite: Json;
  confine: { hook: string; value: string }[];
  contexts: { hook: string; value: string }[];
  notices: { hook: string; value: string }[];
  stop: { hook: string; value: string } | null;
  extras: { hook: string; value: Json }[];
  reports: { hook: string; [member: string]: Json }[];
  wall_ns: number;
}

export class Response {
  private constructor();
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Why something is refused; `null` if nothing is. */
  readonly reason: string | null;
  /** What the hooks came to; `null` if there was no event to ask them about. */
  readonly outcome: Outcome | null;
  /** What a callback of Claude Code's Agent SDK returns for this event; `null` if that cannot be said, and it must throw `stderr`. */
  agentSdkOutput(event: string): { [key: string]: Json } | null;
}

export class Hook {
  private constructor();
  readonly name: string;
  /** Takes it out; false if it is out already. */
  remove(): boolean;
}

export interface HookState {
  name: string;
  events: string[];
  role: Role;
  layer: "managed" | "user" | "project" | "session";
  trust_level: string;
  file: string | null;
  line: number;
  enabled: boolean;
  failures: number;
}

export class Host {
  constructor(options?: HostOptions);
  /** The answer to what an agent sent. Whatever happens, there is one. */
  answer(agent: string | null, input: string | Uint8Array | object, options?: AnswerOptions & Abortable): Promise<Response>;
  /** The same while this thread waits; `would-block` if the host has functions, which need this thread. */
  answerSync(agent: string | null, input: string | Uint8Array | object, options?: AnswerOptions): Response;
  /** What the hooks come to for an event of the program's own. */
  dispatch(event: HookboxEvent, options?: { cwd?: string } & Abortable): Promise<Outcome>;
  dispatchSync(event: HookboxEvent, options?: { cwd?: string }): Outcome;
  /** Makes a function a hook for these events. */
  hook(on: string | string[], fn: (event: HookboxEvent) => Said | Promise<Said>): Hook;
  hook(on: string | string[], options: HookOptions, fn: (event: HookboxEvent) => Said | Promise<Said>): Hook;
  /** A message bus for the session of this id, or of a new one, which works in `cwd`; this host answers on it. */
  bus(options?: { session?: string; cwd?: string }): Bus;
  /** Switches hooks on or off by name for as long as the host lives; returns how many of the folder that are. */
  setEnabled(name: string, enabled: boolean, options?: { cwd?: string }): number;
  events(options?: { cwd?: string }): string[];
  hooks(options?: { cwd?: string }): HookState[];
  /** Loads and compiles what hooks call; those that cannot be made ready, and why. */
  prepare(options?: { cwd?: string }): Promise<{ hook: string; code: string; message: string }[]>;
  /** Reads all files anew at the next event. */
  reload(): void;
}

/** A message: an object with a `type`. */
export interface BusMessage {
  type: string;
  payload?: Json;
  [member: string]: Json | undefined;
}

export interface HookExecutionRequest extends BusMessage {
  type: "HOOK_EXECUTION_REQUEST";
  payload: { eventName: string; input: { [key: string]: Json | undefined }; correlationId?: string };
}

export interface HookExecutionError {
  code?: string;
  message: string;
  details?: Json;
}

export interface HookExecutionResponse {
  type: "HOOK_EXECUTION_RESPONSE";
  payload: { correlationId: string; success: boolean; output?: AggregatedHookResult; error?: HookExecutionError };
}

export interface BusHookResult {
  eventName: string;
  hookIdentity: string;
  /** Milliseconds. */
  duration: number;
  success: boolean;
  exitCode?: number;
  stdout?: string;
  stderr: string;
  errorMessage?: string;
  /** Parts of its answer that were removed, since its role or its trust does not allow them. */
  clamped?: string[];
}

export interface AggregatedHookResult {
  /** Result of each hook that was called, in chain order. */
  hookResults: BusHookResult[];
  success: boolean;
  finalOutput?: { [key: string]: Json | undefined };
  allOutputs: { [key: string]: Json | undefined }[];
  errors: Json[];
  totalDuration: number;
}

/** Outcome of an event that the program handles itself. */
export interface ProcessedHookResult {
  aggregated: AggregatedHookResult;
  shouldStop: boolean;
  stopReason?: string;
  systemMessage?: string;
  suppressOutput: boolean;
  rewritten?: Json;
  error?: HookExecutionError;
}

export interface BusHook {
  name: string;
  events: string[];
  role: Role;
  kind: string;
  layer: "managed" | "user" | "project" | "session";
  enabled: boolean;
}

/** A message bus of one session, on which a host answers requests for hooks; `Host.bus` makes one. */
export class Bus {
  private constructor();
  /** Sends a message to everybody; a request is answered by a message. After `dispose` nobody hears it. */
  publish(message: BusMessage | HookExecutionRequest): void;
  /** Calls this with each message from now on, or with those of one type. Returns what ends that. */
  subscribe(callback: (message: BusMessage) => unknown): () => void;
  subscribe(type: "HOOK_EXECUTION_RESPONSE", callback: (message: HookExecutionResponse) => unknown): () => void;
  subscribe(type: string, callback: (message: BusMessage) => unknown): () => void;
  /** Each message from now on, or those of one type. It ends with the bus. */
  messages(type: "HOOK_EXECUTION_RESPONSE"): AsyncIterableIterator<HookExecutionResponse>;
  messages(type?: string): AsyncIterableIterator<BusMessage>;
  /** Runs the hooks of an event that the program is at. */
  fire(event: string, input: { [key: string]: Json | undefined }): Promise<ProcessedHookResult>;
  getAllHooks(): BusHook[];
  /** Switches hooks on or off for as long as the host lives; returns how many of the session are called so. `managed` if one of the
   * administrator's would be off. */
  setHookEnabled(name: string, enabled: boolean): number;
  /** Ends it: messages are ignored from now on, calls refused, hooks under way ended and whoever waits for them told so. */
  dispose(): void;
  readonly disposed: boolean;
}

export class HookboxError extends Error {
  readonly code:
    | "bad-options"
    | "no-such-agent"
    | "bad-event"
    | "bad-hook"
    | "name-taken"
    | "would-block"
    | "disposed"
    | "managed"
    | "ending"
    | "bug";
}

/** An agent's events, each with the canonical event that it becomes. */
export function agentEvents(agent: string): [string, string][];
/** Claude Code's events, and what a program with its Agent SDK registers for each. */
export function agentSdkEvents(): { event: string; timeout: number; onFailure: "block" | null; usual: boolean }[];
export function deny(code: string, reason: string): Answer;
export function ask(code: string, reason: string): Answer;
export function allow(code?: string, reason?: string): Answer;
export function rewrite(value: Json, options?: { merge?: boolean }): Answer;
export function context(text: string): Answer;
export function notice(text: string): Answer;
export function stop(reason: string): Answer;
