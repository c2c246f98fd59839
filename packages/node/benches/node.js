"use strict";
// What Node.js adds to an answer: a ratio within one run, so that the machine's speed does not count.
//
//     node benches/node.js
//
// It needs the package of a release build (`cargo xtask packages --release`), a quiet machine, and takes some seconds. A host says itself how
// long its chain took (`wall_ns`): that is what the dispatch costs without Node.js. Bound: an answer by one wasm hook takes at most 5 times
// that at 1 KiB.

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const hookbox = require("hookbox");

const HOOK = '[[hook]]\nname = "guard"\non = "tool.before"\nwasm = { plugin = "find-text" }\nconfig = { deny = ["nowhere in there"] }\n';
const CALLS = 20000;

/** The event of Claude Code before a command, of so many bytes. */
function event(size) {
  const said = {
    hook_event_name: "PreToolUse",
    session_id: "s1",
    cwd: "/tmp",
    tool_name: "Bash",
    tool_input: { command: "ls -l", description: "" },
  };
  said.tool_input.description = "x".repeat(size - JSON.stringify(said).length);
  return Buffer.from(JSON.stringify(said));
}

function median(numbers) {
  return numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

async function main() {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "hookbox-"));
  const config = path.join(home, "hooks.toml");
  fs.writeFileSync(config, HOOK);
  fs.utimesSync(config, 1, 1);
  const host = new hookbox.Host({ config, home });
  const unready = await host.prepare();
  if (unready.length) throw new Error(JSON.stringify(unready));
  const asked = event(1024);
  const chain = [];
  for (let call = 0; call < 4000; call++) {
    const { outcome } = await host.answer("claude-code", asked);
    if (call >= 2000) chain.push(Number(outcome.wall_ns) / 1000);
  }
  const bare = median(chain);
  const begun = process.hrtime.bigint();
  for (let call = 0; call < CALLS; call++) await host.answer("claude-code", asked);
  const one = Number(process.hrtime.bigint() - begun) / 1000 / CALLS;
  fs.rmSync(home, { recursive: true });
  console.log(`the chain alone           ${bare.toFixed(1)} µs`);
  console.log(`an answer from Node.js    ${one.toFixed(1)} µs   ${(one / bare).toFixed(2)} times the chain (at most 5)`);
}

main();
