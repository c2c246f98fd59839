/** hookbox's hooks in a program with Claude Code's Agent SDK. */

import type { HookCallbackMatcher, HookEvent, Options } from "@anthropic-ai/claude-agent-sdk";
import type { Host, HostOptions } from "hookbox";

/** What is asked, how long, and what a failure means. */
export interface Settings {
  /** The events to ask about; if not said, those that `hookbox install` writes an entry for. */
  events?: HookEvent[];
  /** Seconds for one event, as in the SDK's matchers; if not said, what Claude Code gives a hook that is a process. */
  timeout?: number;
  /** What Claude Code does when hookbox itself fails, `"block"` if not said. For a hook that fails, its own `on-failure` decides. */
  onFailure?: "block" | "continue";
  /** Stands for the folder of an event that has none. */
  cwd?: string;
}

/** A host of the program's, or what one is made of; by default it is the user's own configuration. */
export type HookboxSettings = Settings & ({ host: Host } | (HostOptions & { host?: undefined }));

/** These options with hookbox's hooks beside those that they have. */
export function hookboxOptions(options?: Options, settings?: HookboxSettings): Options;
/** hookbox's hooks, for the option `hooks`. */
export function hookboxHooks(settings?: HookboxSettings): Partial<Record<HookEvent, HookCallbackMatcher[]>>;

/** hookbox has no answer that the SDK could be told. */
export class NoAnswer extends Error {}
