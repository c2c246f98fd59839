import assert from "node:assert/strict";
import test from "node:test";
import { command, event, hook } from "./support.js";

/** What the hook sees of an event, as JSON. */
async function seen(given) {
  const { handle } = await hook("export const handle = (event) => ({ extra: { event } });");
  return JSON.parse(handle(given).extra).event;
}

test("JSON of an event is there as values", async () => {
  assert.deepEqual(await seen({ ...command("ls"), payload: '{"a":[1]}', original: '{"command":"la"}' }), {
    id: "1",
    name: "tool.before",
    agent: "claude-code",
    agentEvent: "PreToolUse",
    session: "s",
    cwd: "/code",
    time: 1_700_000_000_000,
    tool: { name: "Bash", class: "shell", command: "ls", paths: [], input: { command: "ls" } },
    payload: { a: [1] },
    original: { command: "la" },
  });
});

test("what an event does not have is undefined", async () => {
  const { handle } = await hook(`export const handle = ({ tool, original, outcome }) =>
    ({ extra: { are: [tool, original, outcome].map((part) => part === undefined) } });`);
  assert.equal(handle(event()).extra, '{"are":[true,true,true]}');
  const tool = { name: "Read", class: "file-read", command: null, paths: ["/a"], input: "{}", output: null };
  assert.deepEqual((await seen(event({ tool }))).tool, { name: "Read", class: "file-read", paths: ["/a"], input: {} });
});

test("an observer sees what the hooks came to, in the form of an answer", async () => {
  const outcome = { verdict: { tag: "deny", val: { code: "c", text: "t" } }, deciders: ["a"], rewritten: "[1]", failed: ["b"] };
  assert.deepEqual((await seen(event({ outcome }))).outcome, {
    verdict: "deny",
    code: "c",
    reason: "t",
    deciders: ["a"],
    failed: ["b"],
    rewritten: [1],
  });
});

test("JSON that is not looked at is not read, and a hook may put a value in its place", async () => {
  const { handle } = await hook(`export function handle(event) {
    if (event.name === "custom:look") event.payload;
    event.payload = 1;
    return { extra: { payload: event.payload } };
  }`);
  assert.equal(handle(event({ payload: "no JSON" })).extra, '{"payload":1}');
  assert.throws(() => handle(event({ payload: "no JSON", name: "custom:look" })), (error) => error.startsWith("SyntaxError"));
});

test("an agent's own names are an error that says where it is, and are nowhere else to be seen", async () => {
  for (const [member, place] of [["tool_name", "tool.name"], ["toolInput", "tool.input"], ["hook_event_name", "name"]]) {
    const { handle } = await hook(`export function handle(event) {
      if (event.${member} === "Bash") return { verdict: "deny" };
    }`);
    const why = `TypeError: an event of hookbox has no \`${member}\`: look at \`event.${place}\`, which every agent has`;
    assert.throws(() => handle(event({})), (error) => error === why, member);
  }
  const { handle } = await hook("export const handle = (event) => ({ extra: { names: Object.keys(event) } });");
  assert.ok(!handle(event({})).extra.includes("tool_name"));
});
