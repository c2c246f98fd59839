// What a hook decides about.

import { readOption, readText, readTexts } from "./abi";
import { Verdict } from "./answer";

/** What a tool does, whatever an agent calls it. */
export enum ToolClass {
  Shell,
  FileRead,
  FileWrite,
  Search,
  Web,
  Mcp,
  Agent,
  Other,
}

/** A tool call, in the agent's own words and in ours. */
export class ToolCall {
  /** The agent's name for the tool: "Bash", "run_shell_command". */
  name: string;
  class_: ToolClass;
  /** The command line, for a shell tool. */
  command: string | null;
  /** The files that the call names, absolute, lexically normalised. */
  paths: string[];
  /** The agent's arguments, as JSON: `json.textAt(tool.input, "/file_path")`. */
  input: string;
  /** The result, after the call, as JSON. */
  output: string | null;

  constructor(place: usize) {
    this.name = readText(place);
    this.class_ = load<u8>(place, 8) as ToolClass;
    this.command = readOption(place + 12);
    this.paths = readTexts(place + 24);
    this.input = readText(place + 32);
    this.output = readOption(place + 40);
  }
}

/** What a chain came to, for hooks that only observe. */
export class Outcome {
  verdict: Verdict;
  code: string;
  text: string;
  /** The names of the hooks that said so. */
  deciders: string[];
  /** The rewritable part as the chain left it, if the chain changed it, as JSON. */
  rewritten: string | null;
  /** The names of the hooks that failed. */
  failed: string[];

  constructor(place: usize) {
    const verdict = load<u8>(place) as Verdict;
    this.verdict = verdict;
    this.code = verdict == Verdict.None ? "" : readText(place + 4);
    this.text = verdict == Verdict.None ? "" : readText(place + 12);
    this.deciders = readTexts(place + 20);
    this.rewritten = readOption(place + 28);
    this.failed = readTexts(place + 40);
  }
}

/** One lifecycle moment, before or after something happens. */
export class Event {
  /** Unique for this event. */
  id: string;
  /** Canonical name, as in `events`: "tool.before". */
  name: string;
  /** The dialect it came in: "claude-code". */
  agent: string;
  /** Its name in that dialect: "PreToolUse". */
  agentEvent: string;
  /** The agent's session; empty if the caller named none. */
  session: string;
  /** The agent's working directory, absolute; empty if the caller named none. */
  cwd: string;
  /** Milliseconds since the Unix epoch. */
  time: u64;
  /** The tool call that the event is about. */
  tool: ToolCall | null;
  /** Everything else that the event carries: a JSON object. */
  payload: string;
  /** The rewritable part as the caller sent it, if a transform before this hook changed it, as JSON. */
  original: string | null;
  /** What the chain came to. Only observers have it. */
  outcome: Outcome | null;

  constructor(place: usize) {
    this.id = readText(place);
    this.name = readText(place + 8);
    this.agent = readText(place + 16);
    this.agentEvent = readText(place + 24);
    this.session = readText(place + 32);
    this.cwd = readText(place + 40);
    this.time = load<u64>(place, 48);
    this.tool = load<u8>(place, 56) ? new ToolCall(place + 60) : null;
    this.payload = readText(place + 112);
    this.original = readOption(place + 120);
    this.outcome = load<u8>(place, 132) ? new Outcome(place + 136) : null;
  }

  /** The command line, if the event is about a tool that runs one. */
  get command(): string | null {
    const tool = this.tool;
    return tool !== null && tool.class_ == ToolClass.Shell ? tool.command : null;
  }
}
