// A hook's component in JavaScript: the modules in a context that has the language and nothing else, as inside the engine, and a
// host whose answers are the test's. For `node --experimental-vm-modules`.

import { readFileSync } from "node:fs";
import vm from "node:vm";

const MODULE = readFileSync(new URL("../hookbox.js", import.meta.url), "utf8");
const FUNCTIONS = {
  clock: ["now"],
  config: ["get"],
  facts: ["shell"],
  http: ["send"],
  kv: ["get", "set", "delete", "keys", "increment", "swap"],
  log: ["write"],
  random: ["bytes"],
  source: ["read"],
};

/** What the engine throws where the host says no. */
export class No {
  constructor(payload) {
    this.payload = payload;
  }
}

/** A hook of this script. `answers` says what the host answers: `{ "kv.get": (scope, key) => … }`. */
export async function hook(script, answers = {}) {
  const context = vm.createContext({});
  // The inspector of this engine puts one there.
  vm.runInContext("delete globalThis.console", context);
  const asked = [];
  const host = (name) => (...given) => {
    asked.push([name, ...plain(given)]);
    const said = answers[name]?.(...given);
    if (said instanceof No) {
      // An error of the script's own world, with what was said in it.
      const thrown = vm.runInContext("new Error('[object Object] (see error.payload)')", context);
      throw Object.assign(thrown, { payload: said.payload });
    }
    return said;
  };
  const modules = new Map();
  const link = (specifier) => {
    const known = modules.get(specifier) ?? imported(specifier, context, host);
    modules.set(specifier, known);
    return known;
  };
  modules.set("hookbox", new vm.SourceTextModule(MODULE, { context, identifier: "hookbox.js" }));
  modules.set("(script)", new vm.SourceTextModule(`import "hookbox"; ${script}`, { context, identifier: "componentize-qjs:shim.js" }));
  const text = 'import * as hook from "(script)"; import { adapt } from "hookbox"; export const handle = adapt(hook);';
  const entry = new vm.SourceTextModule(text, { context });
  await entry.link(link);
  await entry.evaluate();
  const handle = (event) => plain(entry.namespace.handle(event));
  return { asked, handle };
}

function imported(specifier, context, host) {
  const name = /^hookbox:hook\/([a-z]+)@0\.2\.0$/.exec(specifier)?.[1];
  const functions = FUNCTIONS[name];
  if (functions === undefined) {
    throw new Error(`the engine has no module ${specifier}`);
  }
  const give = function () {
    for (const each of functions) {
      this.setExport(each, host(`${name}.${each}`));
    }
  };
  return new vm.SyntheticModule(functions, give, { context });
}

/** The same value without the other context's prototypes. */
export function plain(value) {
  if (ArrayBuffer.isView(value)) {
    return [...value];
  }
  if (Array.isArray(value)) {
    return Array.from(value, plain);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, plain(member)]),
    );
  }
  return value;
}

/** An event as the engine hands it on. */
export function event(parts = {}) {
  return {
    id: "1",
    name: "tool.before",
    agent: "claude-code",
    agentEvent: "PreToolUse",
    session: "s",
    cwd: "/code",
    time: 1_700_000_000_000,
    tool: null,
    payload: "{}",
    original: null,
    outcome: null,
    ...parts,
  };
}

/** A shell command that is about to run. */
export function command(line) {
  const input = JSON.stringify({ command: line });
  return event({ tool: { name: "Bash", class: "shell", command: line, paths: [], input, output: null } });
}

/** What the script's `run` returns, which is called for one event. */
export async function result(run, answers = {}) {
  const script = `import * as hookbox from "hookbox";
    const { deny, facts, log, kv, http, random, now, settings, source, HookboxError } = hookbox;
    const failed = (call) => { try { return call(); } catch ({ name, message, code }) { return { name, message, code }; } };
    export function handle(event) { return { extra: { value: (${run})(event) ?? null } }; }`;
  const made = await hook(script, answers);
  const { extra } = made.handle(event());
  return { value: JSON.parse(extra).value, asked: made.asked };
}
