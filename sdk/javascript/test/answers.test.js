import assert from "node:assert/strict";
import test from "node:test";
import { command, event, hook } from "./support.js";

const NONE = { verdict: { tag: "none" } };

async function answer(expression) {
  const made = await hook(`import * as hookbox from "hookbox"; const { ${"deny, ask, allow, none, rewrite, replace, context, notice, stop, extra"} } = hookbox;
    export function handle(event) { return ${expression}; }`);
  return made.handle(event());
}

test("each function makes an answer that the host takes", async () => {
  const reason = { code: "c", text: "t" };
  for (const [expression, expected] of [
    ["none()", NONE],
    ['deny("c", "t")', { verdict: { tag: "deny", val: reason } }],
    ['ask("c", "t")', { verdict: { tag: "ask", val: reason } }],
    ['allow("c", "t")', { verdict: { tag: "allow", val: reason } }],
    ['rewrite({ a: null })', { ...NONE, rewrite: { tag: "merge", val: '{"a":null}' } }],
    ['replace([1])', { ...NONE, rewrite: { tag: "replace", val: "[1]" } }],
    ['context("x")', { ...NONE, context: "x" }],
    ['notice("x")', { ...NONE, notice: "x" }],
    ['stop("x")', { ...NONE, stop: "x" }],
    ['extra({ a: 1 })', { ...NONE, extra: '{"a":1}' }],
    ['{ ...rewrite({ a: 1 }), ...notice("n") }', { ...NONE, rewrite: { tag: "merge", val: '{"a":1}' }, notice: "n" }],
    ['deny("c", "t", { context: "x" })', { verdict: { tag: "deny", val: reason }, context: "x" }],
    ['{ verdict: "deny", code: "c", reason: "t" }', { verdict: { tag: "deny", val: reason } }],
    ['{ verdict: "deny" }', { verdict: { tag: "deny", val: { code: "", text: "" } } }],
    ['{ verdict: null, rewrite: null, extra: null }', NONE],
    ['context("a\\ud800b")', { ...NONE, context: "a\ufffdb" }],
  ]) {
    assert.deepEqual(await answer(expression), expected, expression);
  }
});

test("nothing is no opinion", async () => {
  for (const expression of ["undefined", "null", "{}"]) {
    assert.deepEqual(await answer(expression), NONE, expression);
  }
});

test("what is no answer is an error that says what to return", async () => {
  const begin = "TypeError: the answer";
  const CODES =
    "but a code has lower-case words and numbers joined by hyphens, at most 64 characters; the text for people comes after it: " +
    'deny("no-force-push", "Ask first.")';
  for (const [expression, expected] of [
    ['"deny"', 'TypeError: `handle` returned of type string, but an answer is an object: `return deny("code", "why")`, or nothing'],
    ["[]", 'TypeError: `handle` returned an array, but an answer is an object: `return deny("code", "why")`, or nothing'],
    ["(async () => {})()", "TypeError: `handle` returned a promise, but nothing here needs `await`: write `export function handle(event)` without `async`"],
    ["{ verdit: 'deny' }", `${begin} has an unknown member "verdit"; known are: verdict, code, reason, rewrite, context, notice, stop, extra`],
    ["{ verdict: 'block' }", `${begin}'s \`verdict\` is "block", but must be \`deny\`, \`ask\`, \`allow\` or \`none\``],
    ["{ reason: 'no' }", `${begin} has a reason but no \`verdict\`; add \`deny\`, \`ask\`, \`allow\` or \`none\``],
    ['deny("Use pnpm")', `${begin}'s code is "Use pnpm", ${CODES}`],
    ['ask("Too_Many", "t")', `${begin}'s code is "Too_Many", ${CODES}`],
    [`deny("${"a".repeat(65)}", "t")`, `${begin}'s code is "${"a".repeat(65)}", ${CODES}`],
    ["{ context: 1 }", `${begin}'s \`context\` must be a string`],
    ["{ rewrite: { replace: 1, merge: 1 } }", `${begin}'s \`rewrite\` must be an object with one member, \`replace\` or \`merge\``],
    ["{ rewrite: 1 }", `${begin}'s \`rewrite\` must be an object with one member, \`replace\` or \`merge\``],
    ["replace(undefined)", "TypeError: `rewrite` is of type undefined, which JSON has no words for"],
    ["{ extra: [] }", `${begin}'s \`extra\` must be an object`],
  ]) {
    await assert.rejects(answer(expression), (error) => error === expected, expression);
  }
});

test("an error of the script's own is the hook's failure, word for word", async () => {
  for (const [thrown, expected] of [
    ["new Error('the store: quota')", "the store: quota"],
    ["'plain'", "plain"],
    ["{ a: 1 }", '{"a":1}'],
    ["new Error('a\\ud800')", "a\ufffd"],
  ]) {
    const { handle, asked } = await hook(`export function handle() { throw ${thrown}; }`);
    assert.throws(() => handle(event()), (error) => error === expected, thrown);
    assert.deepEqual(asked, []);
  }
});

test("a mistake in the script is told with its place in the log", async () => {
  const { handle, asked } = await hook("export function handle(event) {\n  return event.nothing.here;\n}");
  assert.throws(() => handle(event()), (error) => /^TypeError: .*'here'/.test(error));
  const [[name, level, line]] = asked;
  assert.deepEqual([name, level], ["log.write", "error"]);
  assert.match(line, /^TypeError: .*\n  at \S+ \(line 2\)$/);
});

test("a default export is a hook, and a file without one is an error", async () => {
  const made = await hook('export default (event) => ({ verdict: "deny", code: "c", reason: event.tool.command });');
  assert.deepEqual(made.handle(command("ls")).verdict.val, { code: "c", text: "ls" });
  const message = "there is no hook in this file: write `export function handle(event) { … }`";
  await assert.rejects(hook("export const hendle = () => {};"), { name: "TypeError", message });
});

test("whoever reaches for what other hosts have is told what there is", async () => {
  for (const [call, expected] of [
    ['fetch("https://a.example/")', 'ReferenceError: fetch is not defined: `http` of "hookbox" makes requests, with the grant `http`'],
    ["setTimeout(() => {}, 1)", "ReferenceError: setTimeout is not defined: an event is answered immediately: code cannot wait, and nothing runs later"],
    ['require("fs")', "ReferenceError: require is not defined: a hook is one file: bundle what it needs into it"],
    ["process.env", 'ReferenceError: process is not defined: `settings()` and `source()` of "hookbox" have what a hook is told'],
    ["fetsh()", "ReferenceError: fetsh is not defined"],
  ]) {
    const { handle } = await hook(`export function handle() { ${call}; }`);
    assert.throws(() => handle(event()), (error) => error === expected, call);
  }
});
