"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");
const hookbox = require("hookbox");
const { NoAnswer, hookboxHooks, hookboxOptions } = require("hookbox-agent-sdk");
const { newHost } = require("./support.js");

const COMMAND = { hook_event_name: "PreToolUse", session_id: "s", cwd: "/tmp", tool_name: "Bash", tool_input: { command: "ls" } };

const ask = (settings, input, options) => {
  const [{ hooks }] = hookboxHooks(settings)[input.hook_event_name];
  return hooks[0](input, undefined, options ?? { signal: new AbortController().signal });
};

test("options stay what they are and get hooks", (t) => {
  const own = { matcher: "Bash", hooks: [async () => ({})] };
  const before = { model: "m", hooks: { PreToolUse: [own], Setup: [own] } };
  const after = hookboxOptions(before, { host: newHost(t) });
  assert.equal(after.model, "m");
  assert.deepEqual(before.hooks, { PreToolUse: [own], Setup: [own] });
  assert.equal(after.hooks.PreToolUse[0], own);
  assert.deepEqual(after.hooks.Setup, [own]);
  assert.deepEqual([after.hooks.PreToolUse.length, after.hooks.Stop.length], [2, 1]);
});

test("an event is waited for as long as for a process, and what can be blocked is", (t) => {
  const host = newHost(t);
  const registered = Object.entries(hookboxHooks({ host })).map(([event, [matcher]]) => [event, [matcher.timeout, matcher.onFailure]]);
  const { PreToolUse, UserPromptSubmit, Stop, SessionEnd, WorktreeCreate } = Object.fromEntries(registered);
  assert.deepEqual(PreToolUse, [600, "block"]);
  assert.deepEqual(UserPromptSubmit, [30, "block"]);
  assert.deepEqual(Stop, [600, undefined]);
  assert.deepEqual(SessionEnd, [1.5, undefined]);
  assert.equal(WorktreeCreate, undefined);
  const [{ timeout, onFailure }] = hookboxHooks({ host, timeout: 5, onFailure: "continue" }).PreToolUse;
  assert.deepEqual([timeout, onFailure], [5, undefined]);
  assert.deepEqual(Object.keys(hookboxHooks({ host, events: ["Stop"] })), ["Stop"]);
});

test("what is wrong is told", (t) => {
  const host = newHost(t);
  for (const [settings, said] of [
    [{ timeout: "3" }, /^`timeout` is "3", but must be seconds, more than 0$/],
    [{ timeout: 0 }, /^`timeout` is 0, but must be seconds, more than 0$/],
    [{ onFailure: "deny" }, /^`onFailure` is "deny", but must be "block" or "continue"$/],
    [{ events: ["PreToolUs"] }, /^Claude Code has no event "PreToolUs"; it has SessionStart, /],
    [{ hooks: false }, /^`host` is a whole host, so hooks cannot be said beside it$/],
  ]) {
    assert.throws(() => hookboxHooks({ host, ...settings }), { name: "TypeError", message: said });
  }
  assert.throws(() => hookboxOptions({}, { nothing: 1 }), { code: "bad-options" });
  const misplaced = "`host` is hookbox's and not the SDK's: hookboxOptions(options, { host })";
  assert.throws(() => hookboxOptions({ host }), { name: "TypeError", message: misplaced });
});

test("what a hook says is an output", async (t) => {
  const host = newHost(t);
  assert.deepEqual(await ask({ host }, COMMAND), {});
  host.hook("tool.before", { name: "no" }, () => hookbox.deny("why", "because"));
  const denied = { permissionDecision: "deny", permissionDecisionReason: "no: because (why)" };
  assert.deepEqual(await ask({ host }, COMMAND), { hookSpecificOutput: { hookEventName: "PreToolUse", ...denied } });
  const missing = "VALIDATION_FAILURE in Stop, field `stop_hook_active`: it is missing; it must be `true` or `false`";
  assert.deepEqual(await ask({ host }, { hook_event_name: "Stop" }), { decision: "block", reason: missing });
});

test("who gives a callback up ends the hooks", async (t) => {
  const host = newHost(t);
  const controller = new AbortController();
  host.hook("tool.before", { name: "slow" }, () => {
    controller.abort();
    return new Promise(() => {});
  });
  await assert.rejects(ask({ host }, COMMAND, { signal: controller.signal }), { name: "AbortError" });
});

test("what cannot be said is an error", async (t) => {
  const host = newHost(t);
  host.hook("worktree.create", { name: "no" }, () => hookbox.deny("why", "because"));
  const event = { hook_event_name: "WorktreeCreate", session_id: "s", cwd: "/tmp", name: "w" };
  const error = await ask({ host, events: ["WorktreeCreate"] }, event).catch((error) => error);
  assert.ok(error instanceof NoAnswer);
  assert.match(error.message, /no: because/);
});

/** The example of the README. */
function blockBashPatterns(host, patterns) {
  host.hook("tool.before", { name: "block-bash-patterns", tool: "Bash" }, (event) => {
    const pattern = patterns.find((pattern) => event.tool.command?.includes(pattern));
    return pattern === undefined ? undefined : hookbox.deny("forbidden-pattern", `Command contains forbidden pattern: ${pattern}`);
  });
}

test("a bash command with a forbidden pattern is denied and all else goes on", async (t) => {
  const host = newHost(t);
  blockBashPatterns(host, ["rm -rf", "sudo"]);
  const { hookSpecificOutput: said } = await ask({ host }, { ...COMMAND, tool_input: { command: "sudo ls" } });
  assert.equal(said.permissionDecision, "deny");
  assert.match(said.permissionDecisionReason, /Command contains forbidden pattern: sudo/);
  assert.deepEqual(await ask({ host }, COMMAND), {});
  const write = { ...COMMAND, tool_name: "Write", tool_input: { file_path: "/tmp/sudo", content: "sudo" } };
  assert.deepEqual(await ask({ host }, write), {});
});
