"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const hookbox = require("hookbox");
const { TOOL, command, decision, newHome, newHost, status, write } = require("./support.js");

const DENY_NETWORK = `
[[hook]]
name = "no-network"
on = "tool.before"
shell = { command = '''grep -q curl && echo '{"verdict":"deny","code":"network","reason":"no network"}' || echo '{}' ''' }
`;
const GUARD = '[[hook]]\nname = "guard"\non = "tool.before"\nwasm = { plugin = "guard-shell" }\n';

test("an agent's bytes get the agent's answer", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "no-shell" }, () => hookbox.deny("no-shell", "not here"));
  const response = await host.answer("claude-code", Buffer.from(JSON.stringify(command())));
  assert.deepEqual(JSON.parse(response.stdout), {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "no-shell: not here (no-shell)",
    },
  });
  assert.deepEqual([response.stderr, response.exitCode, response.reason], ["", 0, "no-shell: not here"]);
  assert.deepEqual(response.outcome.verdict, { deny: { code: "no-shell", text: "not here" } });
});

test("an event may have every form", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a" }, (event) => hookbox.ask("a", event.tool.command));
  const text = JSON.stringify(command());
  for (const form of [command(), text, Buffer.from(text), new TextEncoder().encode(text)]) {
    assert.equal((await host.answer("claude-code", form)).reason, "a: ls");
  }
});

test("what is no event is refused in the agent's words", async (t) => {
  for (const input of ["", "{", Buffer.from([0xff]), "[]", '{"a":1,"a":2}']) {
    const response = await newHost(t).answer("claude-code", input);
    assert.equal(response.exitCode, 2);
    assert.match(response.stderr, /^VALIDATION_FAILURE: /);
    assert.equal(response.outcome, null);
  }
});

test("an answer that waits for nothing is there before the program does anything else", async (t) => {
  const host = newHost(t, { hooksToml: GUARD });
  assert.deepEqual(await host.prepare(), []);
  // A call that writes nothing: where a command or a file would lead is looked up beside the program.
  const call = { ...command(), tool_name: "Read", tool_input: { file_path: "/a" } };
  await host.answer("claude-code", call);
  let turned = false;
  setImmediate(() => (turned = true));
  const response = await host.answer("claude-code", call);
  assert.deepEqual([status(response.outcome), turned], ["none", false]);
});

test("the user's configuration decides, of a promise and at once", async (t) => {
  const host = newHost(t, { hooksToml: DENY_NETWORK });
  assert.equal(decision(await host.answer("claude-code", command("curl x"))), "deny");
  assert.equal(decision(host.answerSync("claude-code", command("curl x"))), "deny");
  assert.equal(decision(host.answerSync("claude-code", command("ls"))), undefined);
  assert.equal(status(host.dispatchSync(TOOL)), "none");
  assert.deepEqual(host.hooks().map((hook) => hook.name), ["no-network"]);
  assert.deepEqual(host.events(), ["tool.before"]);
});

test("one file can stand for all configuration, and an agent's own for itself", async (t) => {
  const folder = newHome(t);
  const file = path.join(folder, "other.toml");
  write(file, DENY_NETWORK.replace("no-network", "other"));
  const names = (options) => newHost(t, { hooksToml: DENY_NETWORK, ...options }).hooks().map((hook) => hook.name);
  assert.deepEqual(names({ config: file }), ["other"]);
  assert.deepEqual(names({ session: file }).sort(), ["no-network", "other"]);
  assert.deepEqual(names({ hooks: false }), []);
  const settings = path.join(folder, "settings.json");
  const entry = { type: "command", command: "echo not here >&2; exit 2" };
  write(settings, JSON.stringify({ hooks: { PreToolUse: [{ matcher: "Bash", hooks: [entry] }] } }));
  const host = newHost(t, { hooks: undefined, agent: "claude-code", source: settings });
  assert.equal(decision(await host.answer("claude-code", command())), "deny");
});

test("a shipped plugin decides", async (t) => {
  const host = newHost(t, { hooksToml: GUARD });
  assert.deepEqual(await host.prepare(), []);
  assert.equal(decision(await host.answer("claude-code", command("rm -rf /"))), "deny");
  assert.equal(decision(host.answerSync("claude-code", command("ls"))), undefined);
});

test("what cannot be made ready is told", async (t) => {
  const nothing = newHome(t);
  const host = newHost(t, { hooksToml: GUARD, compiler: path.join(nothing, "hookbox-compile"), cacheHome: nothing });
  const [failed] = await host.prepare();
  assert.equal(failed.hook, "guard");
  assert.match(failed.message, /hookbox-compile/);
});

test("a hook can be switched off and on", async (t) => {
  const host = newHost(t, { hooksToml: DENY_NETWORK });
  assert.equal(host.setEnabled("no-network", false), 1);
  assert.equal(decision(host.answerSync("claude-code", command("curl x"))), undefined);
  assert.equal(host.setEnabled("no-network", true), 1);
  assert.equal(decision(host.answerSync("claude-code", command("curl x"))), "deny");
});

test("a file that changes is read again", (t) => {
  const home = newHome(t);
  const file = path.join(home, ".config/hookbox/hooks.toml");
  write(file, DENY_NETWORK);
  const host = newHost(t, { home, hooks: undefined });
  assert.equal(host.hooks().length, 1);
  fs.rmSync(file);
  host.reload();
  assert.deepEqual(host.hooks(), []);
});

test("an agent's events are told with what they become", () => {
  const events = hookbox.agentEvents("litellm");
  assert.ok(events.some(([event, becomes]) => event === "async_moderation_hook" && becomes === "model.moderate"));
  const becomes = events.filter(([event]) => event === "async_pre_call_hook").map(([, becomes]) => becomes);
  assert.deepEqual(becomes, ["tool.before", "model.request"]);
  assert.throws(() => hookbox.agentEvents("nobody"), { name: "HookboxError", code: "no-such-agent" });
});

test("an answer is told as the Agent SDK's callbacks tell it", async (t) => {
  const host = newHost(t);
  const output = async (event) => (await host.answer("claude-code", event)).agentSdkOutput(event.hook_event_name);
  assert.deepEqual(await output(command()), {});
  host.hook(["tool.before", "worktree.create"], { name: "no" }, () => hookbox.deny("why", "because"));
  const denied = { permissionDecision: "deny", permissionDecisionReason: "no: because (why)" };
  assert.deepEqual(await output(command()), { hookSpecificOutput: { hookEventName: "PreToolUse", ...denied } });
  assert.equal((await output({ hook_event_name: "UserPromptSubmit" })).decision, "block");
  assert.equal(await output({ hook_event_name: "WorktreeCreate", session_id: "s", cwd: "/", name: "w" }), null);
});

test("what a program with the Agent SDK registers is told", () => {
  const events = new Map(hookbox.agentSdkEvents().map(({ event, ...row }) => [event, row]));
  assert.deepEqual(events.get("PreToolUse"), { timeout: 600, onFailure: "block", usual: true });
  assert.deepEqual(events.get("WorktreeCreate"), { timeout: 600, onFailure: "block", usual: false });
});

test("what is wrong has a code", async (t) => {
  const host = newHost(t);
  const wrong = async (code, call) => assert.rejects(async () => call(), { name: "HookboxError", code });
  await wrong("no-such-agent", () => host.answer("nobody", "{}"));
  await wrong("no-such-agent", () => host.answerSync("nobody", "{}"));
  await wrong("bad-event", () => host.dispatch({ event: "tool.befor" }));
  await wrong("bad-options", () => host.answer("native", "{}", { agentTimeoutMs: -1 }));
  await wrong("bad-options", () => newHost(t, { hooks: undefined, config: "a", session: "b" }));
  await wrong("bad-options", () => newHost(t, { sauce: "a" }));
  await wrong("no-such-agent", () => newHost(t, { hooks: undefined, agent: "nobody", source: "a" }));
  await wrong("bad-options", () => newHost(t, { hooks: undefined, source: "a" }));
  await wrong("bad-hook", () => host.hook("tool.befor", { name: "a" }, () => {}));
  host.hook("tool.before", { name: "a" }, () => {});
  await wrong("name-taken", () => host.hook("tool.before", { name: "a" }, () => {}));
  await wrong("would-block", () => host.answerSync("claude-code", command()));
});

test("a value that is not JSON is told by its place", async (t) => {
  const host = newHost(t);
  for (const [value, said] of [
    [new Set(), "Set"],
    [NaN, "NaN"],
    [10n, "bigint"],
    [() => {}, "function"],
    [undefined, "undefined"],
    [new Date(0), "Date"],
  ]) {
    const message = `event["a"][1] is ${said}, for which JSON has no word`;
    await assert.rejects(host.dispatch({ event: "custom:x", a: [0, value] }), { name: "TypeError", message });
  }
  const round = {};
  round.a = round;
  await assert.rejects(host.dispatch(round), /is more than 100 levels deep/);
});

test("a process of a hook ends when nobody waits for it", async (t) => {
  const mark = path.join(newHome(t), "mark");
  const host = newHost(t, {
    hooksToml: `[[hook]]\nname = "a"\non = "tool.before"\nshell = { command = "echo $$ > ${mark}; sleep 600" }\n`,
  });
  const abort = new AbortController();
  const waiting = host.dispatch(TOOL, { signal: abort.signal });
  const read = () => (fs.existsSync(mark) ? fs.readFileSync(mark, "utf8").trim() : "");
  while (read() === "") await new Promise(setImmediate);
  abort.abort();
  await assert.rejects(waiting, { name: "AbortError" });
  const state = () => {
    try {
      return fs.readFileSync(`/proc/${read()}/stat`, "utf8").split(" ")[2];
    } catch {
      return "gone";
    }
  };
  while (!["Z", "gone"].includes(state())) await new Promise(setImmediate);
});

const PROGRAM = `
const hookbox = require("hookbox");
const [home] = process.argv.slice(1);
const TOOL = ${JSON.stringify(TOOL)};
const host = new hookbox.Host({ hooks: false, home });
`;
const run = (t, text) =>
  execFileSync(process.execPath, ["-e", PROGRAM + text, newHome(t)], { encoding: "utf8", timeout: 60_000, cwd: __dirname });

test("a program ends by itself when it has its answer", (t) => {
  const text = 'host.hook("tool.before", { name: "a" }, () => hookbox.deny("no", "")); host.dispatch(TOOL).then((said) => console.log(Object.keys(said.verdict)[0]));';
  assert.equal(run(t, text), "deny\n");
});

test("a program may end while hooks run", (t) => {
  const text = 'host.hook("tool.before", { name: "a" }, () => { setTimeout(() => { console.log("end"); process.exit(0); }, 0); return new Promise(() => {}); }); host.dispatch(TOOL);';
  assert.equal(run(t, text), "end\n");
});

test("threads have hosts of their own, and may end while hooks run", (t) => {
  const text = `
    const { Worker } = require("node:worker_threads");
    const source = "const hookbox = require(" + JSON.stringify(require.resolve("hookbox")) + ");" +
      "const { parentPort, workerData } = require('node:worker_threads');" +
      "const host = new hookbox.Host({ hooks: false, home: workerData.home });" +
      "host.hook('tool.before', { name: 'a' }, (event) => hookbox.deny('no', event.session));" +
      "host.hook('tool.after', { name: 'b' }, () => { parentPort.postMessage('hangs'); return new Promise(() => {}); });" +
      "host.dispatch({ ...workerData.TOOL, session: String(workerData.number) }).then((said) => parentPort.postMessage(said.verdict.deny.text))" +
      ".then(() => host.dispatch({ event: 'tool.after', tool: { name: 'a', input: {}, output: 1 } }));";
    const one = (number) => new Promise((done) => {
      const said = [];
      const worker = new Worker(source, { eval: true, workerData: { home, TOOL, number } });
      worker.on("message", (word) => { said.push(word); if (word === "hangs") worker.terminate(); });
      worker.on("exit", () => done(said.join(" ")));
    });
    Promise.all([1, 2, 3, 4].map(one)).then((said) => console.log(said.join(", ")));
  `;
  assert.equal(run(t, text), "1 hangs, 2 hangs, 3 hangs, 4 hangs\n");
});
