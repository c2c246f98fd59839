// What is wrong, too much, or comes back to the host: a clear error or a refusal, and nothing hangs.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { test } = require("node:test");
const hookbox = require("hookbox");
const { TOOL, command, newHost, newHome, status } = require("./support.js");

const HUNDRED_MEGABYTES = 100 << 20;
const refused = (response) => response.exitCode === 2 || response.stdout.includes("deny");

test("bytes that are no event are refused", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a" }, () => {});
  for (const sent of ["no JSON", "[1]", '"text"', "{", "{}", Buffer.from([0xff]), '{"a":1,"a":2}', "[".repeat(200)]) {
    assert.ok(refused(await host.answer("claude-code", sent)), String(sent));
  }
});

test("an event of a hundred megabytes is refused, and the next one answered", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a" }, () => hookbox.ask("asked", ""));
  const long = JSON.stringify(command("x".repeat(HUNDRED_MEGABYTES)));
  const response = await host.answer("claude-code", long);
  assert.ok(refused(response));
  assert.match(response.reason, /33554432 bytes/);
  assert.ok((await host.dispatch(TOOL)).verdict.ask);
});

test("an answer of a hundred megabytes is cut, and still an answer", async (t) => {
  const host = newHost(t);
  const long = "x".repeat(HUNDRED_MEGABYTES);
  host.hook("tool.before", { name: "a" }, () => ({ ...hookbox.deny("a", long), context: long }));
  const { verdict, contexts } = await host.dispatch(TOOL);
  for (const text of [verdict.deny.text, contexts[0].value]) {
    assert.ok(text.length < 1 << 20 && text.includes("more characters]"));
  }
});

test("two hosts in one process keep to their own hooks, and may ask each other", async (t) => {
  const [one, other] = [newHost(t), newHost(t)];
  one.hook("tool.before", { name: "a" }, async (event) => hookbox.ask("one", Object.keys((await other.dispatch(event)).verdict)[0]));
  other.hook("tool.before", { name: "a" }, () => hookbox.deny("other", ""));
  assert.deepEqual((await one.dispatch(TOOL)).verdict, { ask: { code: "one", text: "deny" } });
  assert.equal(other.setEnabled("a", false), 1);
  assert.equal((await other.dispatch(TOOL)).verdict, "none");
  assert.ok((await one.dispatch(TOOL)).verdict.ask);
});

test("a function that asks the host and waits for it at once is told that it would wait for itself", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "a" }, () => host.answerSync("claude-code", command()));
  assert.match(status(await host.dispatch(TOOL)), /^hook-error: HookboxError: /);
});

const PROGRAM = `
const { fork } = require("node:child_process");
const hookbox = require("hookbox");
const host = new hookbox.Host({ hooks: false, home: process.argv[1] });
host.hook("tool.before", { name: "a" }, () => new Promise((done) => {
  const child = fork("-e", ["process.exit(7)"], { execArgv: [], execPath: process.execPath });
  child.on("exit", (code) => done(hookbox.deny("child", String(code))));
}));
host.dispatch(${JSON.stringify(TOOL)}).then((said) => console.log(said.verdict.deny.text));
`;

test("a function that starts a Node.js of its own answers once", (t) => {
  const words = ["-e", PROGRAM, newHome(t)];
  const said = execFileSync(process.execPath, words, { encoding: "utf8", timeout: 60_000, cwd: __dirname });
  assert.equal(said, "7\n");
});
