"use strict";

const path = require("node:path");
const { busOf } = require("./bus.js");
const native = require("./hookbox.node");

// What comes with the package: the compiler in `bin`, the plugins in `share/hookbox/plugins`.
const PACKAGE = path.join(__dirname, "host");

/** What the caller did wrong, or hookbox. Hooks that fail are none: their policy decides. */
class HookboxError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "HookboxError";
    this.code = code;
  }
}

/** What an agent is to be told. */
class Response {
  #settled;
  #outcome;

  constructor(settled) {
    this.#settled = settled;
    this.stdout = settled.stdout;
    this.stderr = settled.stderr;
    this.exitCode = settled.exitCode;
    this.reason = settled.reason ?? null;
  }

  get outcome() {
    if (this.#outcome === undefined) {
      const text = this.#settled.outcome;
      this.#outcome = text == null ? null : JSON.parse(text);
    }
    return this.#outcome;
  }

  agentSdkOutput(event) {
    const text = this.#settled.agentSdkOutput(event);
    return text == null ? null : JSON.parse(text);
  }
}

/** A function that is a hook. */
class Hook {
  #remove;

  constructor(name, remove) {
    this.name = name;
    this.#remove = remove;
  }

  remove() {
    return this.#remove();
  }
}

const OPTIONS = [
  "config",
  "session",
  "hooks",
  "agent",
  "source",
  "home",
  "configHome",
  "stateHome",
  "cacheHome",
  "compiler",
  "plugins",
  "environment",
];

class Host {
  #native;
  #functions = new Map();
  #next = 0;

  constructor(options = {}) {
    const unknown = Object.keys(options).find((key) => !OPTIONS.includes(key));
    if (unknown !== undefined) {
      throw new HookboxError("bad-options", `unknown option \`${unknown}\`; there are ${OPTIONS.join(", ")}`);
    }
    const { source, environment = process.env, ...rest } = options;
    // Weakly: a host that nobody has any more is not kept by the way to its functions.
    const weak = new WeakRef(this);
    const call = (hook, number, event) => weak.deref()?.#call(hook, number, event);
    this.#native = translated(
      () =>
        new native.NativeHost(
          {
            ...rest,
            source: source === undefined ? undefined : [source].flat(),
            package: PACKAGE,
            environment: { ...environment },
          },
          call,
        ),
    );
  }

  async answer(agent, input, { cwd, agentTimeoutMs, signal } = {}) {
    const bytes = bytesOf(input);
    const begin = (number) => this.#native.answer(number, agent ?? undefined, bytes, folder(cwd), agentTimeoutMs);
    return new Response(await this.#settled(begin, signal));
  }

  answerSync(agent, input, { cwd, agentTimeoutMs } = {}) {
    return new Response(checked(this.#native.answerSync(agent ?? undefined, bytesOf(input), folder(cwd), agentTimeoutMs)));
  }

  async dispatch(event, { cwd, signal } = {}) {
    const text = json("event", event);
    const begin = (number) => this.#native.dispatch(number, text, folder(cwd));
    return JSON.parse((await this.#settled(begin, signal)).text);
  }

  dispatchSync(event, { cwd } = {}) {
    return JSON.parse(checked(this.#native.dispatchSync(json("event", event), folder(cwd))).text);
  }

  hook(on, options, fn) {
    if (fn === undefined) {
      [options, fn] = [{}, options];
    }
    if (typeof fn !== "function") {
      throw new TypeError(`a hook is a function, and this is of type ${typeof fn}`);
    }
    const { timeoutMs, onFailure, name, ...rest } = options;
    for (const [word, instead] of [["timeout", "`timeoutMs`"], ["on-failure", "`onFailure`"], ["on", "the first argument"]]) {
      if (Object.hasOwn(rest, word)) {
        throw new HookboxError("bad-hook", `a hook has no option \`${word}\` here: say ${instead}`);
      }
    }
    if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 0)) {
      throw new HookboxError("bad-hook", `\`timeoutMs\` is ${String(timeoutMs)}, but must be a number of milliseconds`);
    }
    const number = this.#next++;
    const words = {
      ...rest,
      name: name ?? nameOf(fn, number),
      on,
      timeout: timeoutMs === undefined ? undefined : `${Math.round(timeoutMs)}ms`,
      "on-failure": onFailure,
    };
    const known = translated(() => this.#native.add(number, json("hook", words)));
    this.#functions.set(number, fn);
    return new Hook(known, () => {
      this.#functions.delete(number);
      return this.#native.takeOut(number);
    });
  }

  bus({ session, cwd } = {}) {
    return new Bus(this, (hear) => this.#native.bus(session, folder(cwd), hear));
  }

  setEnabled(name, enabled, { cwd } = {}) {
    return this.#native.setEnabled(folder(cwd), name, enabled);
  }

  events({ cwd } = {}) {
    return this.#native.events(folder(cwd));
  }

  hooks({ cwd } = {}) {
    return JSON.parse(this.#native.hooks(folder(cwd)));
  }

  async prepare({ cwd } = {}) {
    return JSON.parse((await this.#settled((number) => this.#native.prepare(number, folder(cwd)))).text);
  }

  reload() {
    this.#native.reload();
  }

  /** Waits for a call; whoever gives it up ends its hooks. */
  async #settled(begin, signal) {
    signal?.throwIfAborted();
    const number = this.#next++;
    const giveUp = () => this.#native.giveUp(number);
    const settled = begin(number);
    signal?.addEventListener("abort", giveUp, { once: true });
    try {
      const ended = await settled;
      signal?.throwIfAborted();
      return checked(ended);
    } finally {
      signal?.removeEventListener("abort", giveUp);
    }
  }

  /** Called from outside for each call of a hook. Nothing may be thrown here: it would be nobody's. */
  async #call(hook, number, event) {
    try {
      const fn = this.#functions.get(hook);
      const said = fn === undefined ? null : await fn(JSON.parse(event));
      this.#native.answered(number, json("answer", said ?? null));
    } catch (error) {
      this.#native.failed(number, ...told(error));
    }
  }
}

/** What is said of something thrown, which may be anything. */
function told(error) {
  try {
    return error instanceof Error ? [String(error), String(error.stack ?? "")] : [`thrown: ${String(error)}`, ""];
  } catch {
    return ["something was thrown that cannot be told", ""];
  }
}

function translated(call) {
  try {
    return call();
  } catch (error) {
    throw new HookboxError(error.code ?? "bug", error.message);
  }
}

function checked(settled) {
  if (settled.errorCode != null) {
    throw new HookboxError(settled.errorCode, settled.errorMessage);
  }
  return settled;
}

function bytesOf(input) {
  if (input instanceof Uint8Array) {
    return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  }
  return Buffer.from(typeof input === "string" ? input : json("event", input));
}

function folder(cwd) {
  return path.resolve(cwd ?? "");
}

function nameOf(fn, number) {
  const name = fn.name.replace(/[^A-Za-z0-9._-]/g, "-").slice(0, 64);
  return name === "" ? `hook-${number}` : name;
}

/** The JSON text of a value. What would be left out or changed is an error that says where it is. */
function json(name, value) {
  check(name, value, 0);
  return JSON.stringify(value);
}

const MAX_DEPTH = 100;

function check(place, value, depth) {
  const kind = typeof value;
  if (value === null || kind === "string" || kind === "boolean" || Number.isFinite(value)) {
    return;
  }
  if (depth > MAX_DEPTH) {
    throw new TypeError(`${place.slice(0, 80)}… is more than ${MAX_DEPTH} levels deep`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => check(`${place}[${index}]`, item, depth + 1));
  } else if (kind === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    for (const [key, item] of Object.entries(value)) {
      // As JSON.stringify does it: a member without a value is none.
      if (item !== undefined) {
        check(`${place}[${JSON.stringify(key)}]`, item, depth + 1);
      }
    }
  } else {
    const what = kind === "object" ? (value.constructor?.name ?? "object") : kind === "number" ? String(value) : kind;
    throw new TypeError(`${place} is ${what}, for which JSON has no word`);
  }
}

const Bus = busOf({ json, checked, translated });

exports.Bus = Bus;
exports.Host = Host;
exports.Hook = Hook;
exports.Response = Response;
exports.HookboxError = HookboxError;
exports.agentEvents = (agent) => translated(() => native.agentEvents(agent));
exports.agentSdkEvents = () =>
  JSON.parse(native.agentSdkEvents()).map(({ on_failure, ...event }) => ({ ...event, onFailure: on_failure }));
exports.deny = (code, reason) => ({ verdict: "deny", code, reason });
exports.ask = (code, reason) => ({ verdict: "ask", code, reason });
exports.allow = (code = "allowed", reason = "") => ({ verdict: "allow", code, reason });
exports.rewrite = (value, { merge = false } = {}) => ({ rewrite: { [merge ? "merge" : "replace"]: value } });
exports.context = (text) => ({ context: text });
exports.notice = (text) => ({ notice: text });
exports.stop = (reason) => ({ stop: reason });
