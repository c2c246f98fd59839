"use strict";

const hookbox = require("hookbox");

const AGENT = "claude-code";
// What the SDK has no option for.
const SETTINGS = ["host", "events", "timeout", "onFailure", "config", "session", "source", "home"];

/** hookbox has no answer that the SDK could be told. */
class NoAnswer extends Error {
  constructor(message) {
    super(message);
    this.name = "NoAnswer";
  }
}

/** These options with hookbox's hooks beside those that they have. */
function hookboxOptions(options = {}, settings = {}) {
  const misplaced = SETTINGS.find((name) => Object.hasOwn(options, name));
  if (misplaced !== undefined) {
    throw new TypeError(`\`${misplaced}\` is hookbox's and not the SDK's: hookboxOptions(options, { ${misplaced} })`);
  }
  const hooks = { ...options.hooks };
  for (const [event, matchers] of Object.entries(hookboxHooks({ cwd: options.cwd, ...settings }))) {
    hooks[event] = [...(hooks[event] ?? []), ...matchers];
  }
  return { ...options, hooks };
}

/** hookbox's hooks, for the option `hooks`. */
function hookboxHooks({ host, events, timeout, onFailure = "block", cwd, ...hostOptions } = {}) {
  if (!["block", "continue"].includes(onFailure)) {
    throw new TypeError(`\`onFailure\` is ${JSON.stringify(onFailure)}, but must be "block" or "continue"`);
  }
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0)) {
    throw new TypeError(`\`timeout\` is ${JSON.stringify(timeout)}, but must be seconds, more than 0`);
  }
  const said = Object.keys(hostOptions);
  if (host !== undefined && said.length > 0) {
    throw new TypeError(`\`host\` is a whole host, so ${said.join(", ")} cannot be said beside it`);
  }
  const asked = host ?? new hookbox.Host(hostOptions);
  const hooks = {};
  for (const row of rows(events)) {
    const seconds = timeout ?? row.timeout;
    const matcher = { hooks: [callback(asked, row.event, seconds, cwd)], timeout: seconds };
    hooks[row.event] = [row.onFailure && onFailure === "block" ? { ...matcher, onFailure } : matcher];
  }
  return hooks;
}

/** What is known of these events, or of the usual ones. */
function rows(names) {
  const known = hookbox.agentSdkEvents();
  if (names === undefined) {
    return known.filter((row) => row.usual);
  }
  const unknown = names.find((name) => known.every((row) => row.event !== name));
  if (unknown !== undefined) {
    const allowed = known.map((row) => row.event).join(", ");
    throw new TypeError(`Claude Code has no event ${JSON.stringify(unknown)}; it has ${allowed}`);
  }
  return known.filter((row) => names.includes(row.event));
}

/** What asks this host about this event. Who gives it up ends the hooks. */
function callback(host, event, timeout, cwd) {
  return async function askHookbox(input, toolUseID, { signal } = {}) {
    const response = await host.answer(AGENT, input, { cwd, agentTimeoutMs: timeout * 1000, signal });
    const output = response.agentSdkOutput(event);
    if (output === null) {
      throw new NoAnswer(response.stderr.trim() || `hookbox has no answer to ${event}`);
    }
    return output;
  };
}

exports.hookboxOptions = hookboxOptions;
exports.hookboxHooks = hookboxHooks;
exports.NoAnswer = NoAnswer;
