"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");
const hookbox = require("hookbox");
const { TOOL, newHost, status } = require("./support.js");

test("an event is told as every hook is told it", async (t) => {
  const host = newHost(t);
  const told = [];
  host.hook("tool.before", { name: "a" }, (event) => void told.push(event));
  await host.dispatch({ ...TOOL, id: "1", time: 7, cwd: "/x" });
  assert.deepEqual(told, [
    {
      event: "tool.before",
      id: "1",
      agent: "native",
      agent_event: "tool.before",
      session: "",
      cwd: "/x",
      time: 7,
      tool: { name: "Bash", class: "shell", command: "ls", paths: [], input: { command: "ls" } },
      payload: {},
    },
  ]);
});

test("a function says what it has to say, at once or later", async (t) => {
  for (const [said, verdict] of [
    [undefined, "none"],
    [null, "none"],
    [{}, "none"],
    [hookbox.deny("no", "text"), { deny: { code: "no", text: "text" } }],
    [hookbox.ask("sure", "text"), { ask: { code: "sure", text: "text" } }],
    [hookbox.allow(), { allow: { code: "allowed", text: "" } }],
    [{ ...hookbox.deny("no", "text"), ...hookbox.notice("n") }, { deny: { code: "no", text: "text" } }],
  ]) {
    for (const fn of [() => said, async () => said]) {
      const host = newHost(t);
      host.hook("tool.before", { name: "a" }, fn);
      assert.deepEqual((await host.dispatch(TOOL)).verdict, verdict);
    }
  }
});

test("a transform rewrites", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a", role: "transform" }, () => hookbox.rewrite({ command: "true" }));
  host.hook("tool.before", { name: "b", role: "transform" }, () => hookbox.rewrite({ why: "b" }, { merge: true }));
  assert.deepEqual((await host.dispatch(TOOL)).rewrite, { command: "true", why: "b" });
});

test("a hook is for its tools, has its function's name, and can be removed", async (t) => {
  const host = newHost(t);
  const noShell = () => hookbox.deny("no", "");
  const hook = host.hook(["tool.before", "tool.after"], { tool: { class: "shell" } }, noShell);
  assert.equal(hook.name, "noShell");
  assert.equal(status(await host.dispatch(TOOL)), "deny");
  assert.deepEqual((await host.dispatch({ event: "tool.before", tool: { name: "T", input: {} } })).reports, []);
  assert.equal(hook.remove(), true);
  assert.equal(hook.remove(), false);
  assert.deepEqual((await host.dispatch(TOOL)).reports, []);
  assert.throws(() => host.hook("tool.before", 7), /a hook is a function, and this is of type number/);
});

test("a function that fails is one failure, and its policy decides", async (t) => {
  for (const [fn, said] of [
    [() => [1], "hook-error: the answer is not a JSON object: it is not a JSON object"],
    [() => ({ verdit: "deny" }), 'hook-error: the answer has an unknown member `verdit`; did you mean `verdict`?'],
    [() => ({ context: new Set() }), 'hook-error: TypeError: answer["context"] is Set, for which JSON has no word'],
    [() => { throw new RangeError("broken"); }, "hook-error: RangeError: broken"],
    [() => { throw undefined; }, "hook-error: thrown: undefined"],
    [() => { throw Object.create(null); }, "hook-error: something was thrown that cannot be told"],
    [() => Promise.reject(new Error("later")), "hook-error: Error: later"],
  ]) {
    const host = newHost(t);
    host.hook("tool.before", { name: "a" }, fn);
    const outcome = await host.dispatch(TOOL);
    assert.equal(status(outcome), said);
    assert.ok(outcome.verdict.deny);
    const open = newHost(t);
    open.hook("tool.before", { name: "a", onFailure: "allow" }, fn);
    assert.equal((await open.dispatch(TOOL)).verdict, "none");
  }
});

test("where it failed is in the hook's log", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a" }, () => { throw new Error("broken"); });
  const [{ log }] = (await host.dispatch(TOOL)).reports;
  assert.equal(log[0].message, "Error: broken");
  assert.match(log[1].message, /hooks\.test\.js/);
});

test("a promise that is never kept is given up", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a", timeoutMs: 50 }, () => new Promise(() => {}));
  const outcome = await host.dispatch(TOOL);
  assert.match(status(outcome), /^timeout: /);
  assert.ok(outcome.verdict.deny);
});

test("a function that holds the thread is judged by its time when it comes back", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a", timeoutMs: 50 }, () => {
    const until = Date.now() + 200;
    while (Date.now() < until);
  });
  assert.match(status(await host.dispatch(TOOL)), /^timeout: /);
});

test("a function may ask its own host, and add and remove hooks", async (t) => {
  const host = newHost(t);
  host.hook("custom:inner", { name: "inner" }, () => hookbox.deny("inner", "no"));
  const outer = host.hook("tool.before", { name: "outer" }, async () => {
    outer.remove();
    host.hook("tool.before", { name: "other" }, () => hookbox.ask("other", ""));
    return hookbox.deny("outer", Object.keys((await host.dispatch({ event: "custom:inner" })).verdict)[0]);
  });
  assert.deepEqual((await host.dispatch(TOOL)).verdict, { deny: { code: "outer", text: "deny" } });
  assert.deepEqual((await host.dispatch(TOOL)).verdict, { ask: { code: "other", text: "" } });
});

test("a function gets its own settings", async (t) => {
  const host = newHost(t);
  const told = {};
  for (const [name, config] of [["with", { words: ["rm"] }], ["without", undefined]]) {
    host.hook("custom:x", { name, role: "observe", config }, (event) => void (told[name] = event.config));
  }
  await host.dispatch({ event: "custom:x" });
  assert.deepEqual(told, { with: { words: ["rm"] }, without: undefined });
});

test("options that are not of here are told", (t) => {
  const host = newHost(t);
  for (const [options, said] of [
    [{ timeout: "1s" }, "a hook has no option `timeout` here: say `timeoutMs`"],
    [{ "on-failure": "allow" }, "a hook has no option `on-failure` here: say `onFailure`"],
    [{ on: "tool.after" }, "a hook has no option `on` here: say the first argument"],
    [{ timeoutMs: "3s" }, "`timeoutMs` is 3s, but must be a number of milliseconds"],
    [{ timeoutMs: -1 }, "`timeoutMs` is -1, but must be a number of milliseconds"],
  ]) {
    assert.throws(() => host.hook("tool.before", { name: "a", ...options }, () => {}), { code: "bad-hook", message: said });
  }
  assert.deepEqual(host.events(), ["tool.before"]); // hookbox looks at each call itself
});

test("many events are under way at a time", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a" }, async (event) => {
    await new Promise((done) => setTimeout(done, 5));
    return hookbox.deny("no", event.session);
  });
  const numbers = Array.from({ length: 50 }, (_, number) => String(number));
  const said = await Promise.all(numbers.map((session) => host.dispatch({ ...TOOL, session })));
  assert.deepEqual(said.map((outcome) => outcome.verdict.deny.text), numbers);
});
