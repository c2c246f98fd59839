import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { No, command, event, hook } from "./support.js";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [denies, rewrites, asks] = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text);

test("the page's first hook denies what the settings name, and counts", async () => {
  const answers = { "config.get": () => '{"denied":["git push --force"]}', "kv.increment": () => 2 };
  const { handle, asked } = await hook(denies, answers);
  assert.deepEqual(handle(command("rm -rf /")), { verdict: { tag: "none" } });
  assert.deepEqual(handle(command(" git push --force ")), {
    verdict: { tag: "deny", val: { code: "denied-command", text: "git push --force is not run here" } },
    notice: "tried 2 times",
  });
  assert.deepEqual(asked.at(-1), ["log.write", "info", "git push --force: 2"]);
});

test("the page's second hook gives context, and rewrites a command", async () => {
  const { handle } = await hook(rewrites);
  assert.equal(handle(event({ name: "session.start" })).context, "Use pnpm in this repository.");
  const { rewrite, notice } = handle(command("npm ci"));
  assert.deepEqual([rewrite, notice], [{ tag: "merge", val: '{"command":"pnpm ci"}' }, "pnpm instead of npm"]);
  assert.deepEqual(handle(command("ls")), { verdict: { tag: "none" } });
});

test("the page's third hook asks a server, and the person where it is slow", async () => {
  const said = async (answer) => {
    const made = await hook(asks, { "config.get": () => "{}", "http.send": () => answer });
    return made.handle(command("ls")).verdict;
  };
  const response = (status) => ({ status, headers: [], body: new TextEncoder().encode("no") });
  assert.deepEqual(await said(response(204)), { tag: "none" });
  assert.deepEqual(await said(response(403)), { tag: "deny", val: { code: "server-said-no", text: "no" } });
  assert.equal((await said(new No({ tag: "timeout" }))).tag, "ask");
  await assert.rejects(said(new No({ tag: "refused", val: "no rule" })), (error) => error === "the server: refused: no rule");
});

test("the page's hook in TypeScript is the one that the type checker reads", () => {
  const typed = readFileSync(new URL("page.ts", import.meta.url), "utf8");
  assert.ok(page.includes(`\`\`\`ts\n${typed}\`\`\``));
});
