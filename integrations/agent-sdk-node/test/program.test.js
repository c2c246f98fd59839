"use strict";

// What becomes of a program's session with the real SDK and the real Claude Code.

const assert = require("node:assert/strict");
const { execFile } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { promisify } = require("node:util");
const hookbox = require("hookbox");
const { hookboxOptions } = require("hookbox-agent-sdk");
const { newBed, talk } = require("./support.js");

const NO_LETTERS = `
[[hook]]
name = "no-letters"
on = "tool.before"
tool = { class = "shell" }
shell = { command = '''grep -q 'rm letter' && echo '{"verdict":"deny","code":"letter","reason":"letters are kept"}' || echo '{}' ''' }
`;

test("a hook of the user's file denies a command, and the model is told why", async (t) => {
  const { model, options, host, file, configured } = await newBed(t);
  configured(NO_LETTERS);
  fs.writeFileSync(file("letter"), "Dear reader,");
  model.commands = ["rm letter", "echo ran > proof"];
  assert.equal(await talk(hookboxOptions(options, { host })), "success");
  assert.ok(fs.existsSync(file("letter")));
  assert.match(model.results[0], /no-letters: letters are kept \(letter\)/);
  assert.equal(fs.readFileSync(file("proof"), "utf8"), "ran\n");
});

test("without hookbox the same command runs", async (t) => {
  const { model, options, file } = await newBed(t);
  fs.writeFileSync(file("letter"), "Dear reader,");
  model.commands = ["rm letter"];
  await talk(options);
  assert.ok(!fs.existsSync(file("letter")));
});

test("a command is rewritten", async (t) => {
  const { model, options, host, file } = await newBed(t);
  host.hook("tool.before", { name: "elsewhere", role: "transform" }, () =>
    hookbox.rewrite({ command: "echo other > proof" }, { merge: true }),
  );
  model.commands = ["echo one > proof"];
  await talk(hookboxOptions(options, { host }));
  assert.equal(fs.readFileSync(file("proof"), "utf8"), "other\n");
});

test("hooks of the program's own are asked beside it", async (t) => {
  const { model, options, host, file, configured } = await newBed(t);
  configured(NO_LETTERS);
  const asked = [];
  const own = async ({ tool_input: { command } }) => {
    asked.push(command);
    const denied = { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "own: no" };
    return command.includes("proof") ? { hookSpecificOutput: denied } : {};
  };
  model.commands = ["rm letter", "echo ran > proof"];
  await talk(hookboxOptions({ ...options, hooks: { PreToolUse: [{ matcher: "Bash", hooks: [own] }] } }, { host }));
  assert.deepEqual(asked, ["rm letter", "echo ran > proof"]);
  assert.match(model.results[0], /letters are kept/);
  assert.match(model.results[1], /own: no/);
  assert.ok(!fs.existsSync(file("proof")));
});

test("a hook that fails denies, unless its policy says otherwise", async (t) => {
  const { model, options, host, file } = await newBed(t);
  const broken = () => {
    throw new Error("it is broken");
  };
  const hook = host.hook("tool.before", { name: "broken" }, broken);
  model.commands = ["echo ran > proof"];
  await talk(hookboxOptions(options, { host }));
  assert.match(model.results[0], /it is broken/);
  assert.ok(!fs.existsSync(file("proof")));
  hook.remove();
  host.hook("tool.before", { name: "again", onFailure: "allow" }, broken);
  await talk(hookboxOptions(options, { host }));
  assert.ok(fs.existsSync(file("proof")));
});

test("when hookbox itself fails nothing runs, unless the program says so", async (t) => {
  const { model, options, file } = await newBed(t);
  const host = { answer: () => Promise.reject(new Error("hookbox is broken")) };
  model.commands = ["echo ran > proof"];
  assert.equal(await talk(hookboxOptions(options, { host, events: ["PreToolUse"] })), "success");
  assert.ok(!fs.existsSync(file("proof")));
  await talk(hookboxOptions(options, { host, events: ["PreToolUse"], onFailure: "continue" }));
  assert.ok(fs.existsSync(file("proof")));
});

test("a prompt, a tool and a stop are told in their order", async (t) => {
  const { model, options, host } = await newBed(t);
  const told = [];
  host.hook("*", { name: "all", role: "observe" }, (event) => void told.push(event.agent_event));
  model.commands = ["true"];
  await talk(hookboxOptions(options, { host }));
  assert.deepEqual(told, ["UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop"]);
});

test("the program of the page runs", async (t) => {
  const { model, env, home, file } = await newBed(t);
  const page = fs.readFileSync(path.join(__dirname, "../README.md"), "utf8");
  const [[, program]] = page.matchAll(/^```js\n(.*?)^```/gms);
  model.commands = ["git push --force", "echo ran > proof"];
  // Its reader has a home and a Claude Code of their own.
  const text = program
    .replace("Host()", `Host({ home: ${JSON.stringify(home)} })`)
    .replace("allowedTools", `pathToClaudeCodeExecutable: process.env.HOOKBOX_CLAUDE_CODE, cwd: ${JSON.stringify(path.dirname(file("x")))}, allowedTools`);
  const page_program = path.join(__dirname, "page.mjs");
  fs.writeFileSync(page_program, text);
  await promisify(execFile)(process.execPath, [page_program], { env: { ...process.env, ...env }, timeout: 120_000 });
  assert.match(model.results[0], /no-force: do it without --force/);
  assert.ok(fs.existsSync(file("proof")));
});
