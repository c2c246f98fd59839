// What `import { … } from "hookbox"` is inside a hook in JavaScript or TypeScript. The engine puts this file into the
// component as it is, so it imports nothing but what the host gives, and is plain ECMAScript.
//
// The component's entry imports this first, for what the hook's top level may look for, then the hook's own module, and
// exports `adapt(hook)` as `handle`.

import * as clock from "hookbox:hook/clock@0.2.0";
import * as config from "hookbox:hook/config@0.2.0";
import * as known from "hookbox:hook/facts@0.2.0";
import * as client from "hookbox:hook/http@0.2.0";
import * as store from "hookbox:hook/kv@0.2.0";
import * as report from "hookbox:hook/log@0.2.0";
import * as chance from "hookbox:hook/random@0.2.0";
import * as sender from "hookbox:hook/source@0.2.0";

// Answers: the same objects that a shell hook writes and that the package for Node.js takes.

export const none = () => ({});
export const deny = (code, reason, more) => ({ ...more, verdict: "deny", code, reason });
export const ask = (code, reason, more) => ({ ...more, verdict: "ask", code, reason });
export const allow = (code, reason, more) => ({ ...more, verdict: "allow", code, reason });
export const rewrite = (patch, more) => ({ ...more, rewrite: { merge: patch } });
export const replace = (part, more) => ({ ...more, rewrite: { replace: part } });
export const context = (text, more) => ({ ...more, context: text });
export const notice = (text, more) => ({ ...more, notice: text });
export const stop = (reason, more) => ({ ...more, stop: reason });
export const extra = (fields, more) => ({ ...more, extra: fields });

const MEMBERS = ["verdict", "code", "reason", "rewrite", "context", "notice", "stop", "extra"];
/** The host would leave out another one, and the reason would be nobody's. */
const CODE = /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/;
const VERDICTS = ["none", "allow", "ask", "deny"];

/** The answer as the host takes it, of what a hook returned. */
export function complete(answer) {
  if (answer === undefined || answer === null) {
    return { verdict: { tag: "none" } };
  }
  if (typeof answer.then === "function") {
    throw new TypeError("`handle` returned a promise, but nothing here needs `await`: write `export function handle(event)` without `async`");
  }
  if (typeof answer !== "object" || Array.isArray(answer)) {
    throw new TypeError(`\`handle\` returned ${kindOf(answer)}, but an answer is an object: \`return deny("code", "why")\`, or nothing`);
  }
  const unknown = Object.keys(answer).find((key) => !MEMBERS.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`the answer has an unknown member ${JSON.stringify(unknown)}; known are: ${MEMBERS.join(", ")}`);
  }
  return {
    verdict: verdictOf(answer),
    rewrite: rewriteOf(answer.rewrite ?? undefined),
    context: textOf(answer, "context"),
    notice: textOf(answer, "notice"),
    stop: textOf(answer, "stop"),
    extra: extraOf(answer.extra ?? undefined),
  };
}

function verdictOf(answer) {
  const verdict = textOf(answer, "verdict");
  const code = textOf(answer, "code");
  const reason = textOf(answer, "reason");
  if (verdict === undefined && (code !== undefined || reason !== undefined)) {
    throw new TypeError("the answer has a reason but no `verdict`; add `deny`, `ask`, `allow` or `none`");
  }
  if (verdict !== undefined && !VERDICTS.includes(verdict)) {
    throw new TypeError(`the answer's \`verdict\` is ${JSON.stringify(verdict)}, but must be \`deny\`, \`ask\`, \`allow\` or \`none\``);
  }
  if (verdict === undefined || verdict === "none") {
    return { tag: "none" };
  }
  if (code !== undefined && !CODE.test(code)) {
    throw new TypeError(
      `the answer's code is ${JSON.stringify(code)}, but a code has lower-case words and numbers joined by hyphens, at most 64 characters; ` +
        "the text for people comes after it: deny(\"no-force-push\", \"Ask first.\")",
    );
  }
  return { tag: verdict, val: { code: code ?? "", text: reason ?? "" } };
}

function rewriteOf(value) {
  if (value === undefined) {
    return undefined;
  }
  const keys = typeof value === "object" ? Object.keys(value) : [];
  if (keys.length !== 1 || !["replace", "merge"].includes(keys[0])) {
    throw new TypeError("the answer's `rewrite` must be an object with one member, `replace` or `merge`");
  }
  return { tag: keys[0], val: jsonOf("rewrite", value[keys[0]]) };
}

function extraOf(value) {
  if (value !== undefined && (typeof value !== "object" || Array.isArray(value))) {
    throw new TypeError("the answer's `extra` must be an object");
  }
  return value === undefined ? undefined : jsonOf("extra", value);
}

function textOf(answer, member) {
  const value = answer[member] ?? undefined;
  if (value !== undefined && typeof value !== "string") {
    throw new TypeError(`the answer's \`${member}\` must be a string`);
  }
  return value?.toWellFormed();
}

function jsonOf(member, value) {
  const written = JSON.stringify(value);
  if (written === undefined) {
    throw new TypeError(`\`${member}\` is ${kindOf(value)}, which JSON has no words for`);
  }
  return written;
}

function kindOf(value) {
  return Array.isArray(value) ? "an array" : value === null ? "null" : `of type ${typeof value}`;
}

// Events.

/** What agents call it: a guard that looked there would find nothing, and let everything pass. */
const ELSEWHERE = {
  tool_name: "tool.name",
  toolName: "tool.name",
  tool_input: "tool.input",
  toolInput: "tool.input",
  hook_event_name: "name",
};

/** What all events inherit: an error for each of those names. Made once, before there is an event. */
const EVENT = {};
for (const [member, place] of Object.entries(ELSEWHERE)) {
  const get = () => {
    throw new TypeError(`an event of hookbox has no \`${member}\`: look at \`event.${place}\`, which every agent has`);
  };
  Object.defineProperty(EVENT, member, { get, enumerable: false, configurable: true });
}

/** The event as a hook reads it: JSON is parsed when it is first looked at. It is the host's own object, which nobody else has: a copy takes time. */
export function friendly(event) {
  Object.setPrototypeOf(event, EVENT);
  friendlyTool(present(event, "tool"));
  lazy(event, "payload");
  lazy(event, "original");
  const outcome = present(event, "outcome");
  if (outcome !== undefined) {
    event.outcome = friendlyOutcome(outcome);
  }
  return event;
}

function friendlyTool(tool) {
  if (tool === undefined) {
    return;
  }
  present(tool, "command");
  lazy(tool, "input");
  lazy(tool, "output");
}

function friendlyOutcome({ verdict, rewritten, deciders, failed }) {
  const { code, text } = verdict.val ?? {};
  const seen = { verdict: verdict.tag, code, reason: text, deciders, failed, rewritten };
  lazy(seen, "rewritten");
  return seen;
}

/** What is in that place; nothing is `undefined`, never `null`. */
function present(target, member) {
  const value = target[member];
  if (value !== null) {
    return value;
  }
  target[member] = undefined;
}

/** Has the JSON that is in that place parsed by whoever looks there first. */
function lazy(target, member) {
  const json = present(target, member);
  if (json === undefined) {
    return;
  }
  const settle = (value) => {
    Object.defineProperty(target, member, { value, writable: true });
    return value;
  };
  Object.defineProperty(target, member, { get: () => settle(JSON.parse(json)), set: settle });
}

/** What the component exports, of the hook's module: its `handle`, or its default export. */
export function adapt(hook) {
  const handle = hook.handle ?? hook.default;
  if (typeof handle !== "function") {
    throw new TypeError("there is no hook in this file: write `export function handle(event) { … }`");
  }
  return (event) => {
    try {
      return complete(handle(friendly(event)));
    } catch (error) {
      throw failureOf(error).toWellFormed();
    }
  };
}

/** Why the hook failed, in a sentence. Where a mistake in the script itself is, the log says. */
function failureOf(error) {
  if (!(error instanceof Error)) {
    return typeof error === "string" ? error : shown(error);
  }
  if (error.name === "Error" || error instanceof HookboxError) {
    return String(error.message);
  }
  const said = `${error.name}: ${error.message}${insteadOf(error)}`;
  log.error([said, ...way(error.stack)].join("\n"));
  return said;
}

/** What the engine calls the hook's own file in a stack, with the line. */
const SCRIPT = /componentize-qjs:shim\.js:(\d+)(:\d+)?/;

/** The steps to an error that are in the hook's own file. */
function way(stack = "") {
  const steps = stack.split("\n").filter((step) => SCRIPT.test(step));
  return steps.map((step) => `  ${step.trim().replace(SCRIPT, "line $1")}`);
}

const NO_TIME = "an event is answered immediately: code cannot wait, and nothing runs later";
const NO_SYSTEM = "`settings()` and `source()` of \"hookbox\" have what a hook is told";

/** For a name that other hosts have. */
const INSTEAD = new Map([
  ["fetch", "`http` of \"hookbox\" makes requests, with the grant `http`"],
  ["XMLHttpRequest", "`http` of \"hookbox\" makes requests, with the grant `http`"],
  ["setTimeout", NO_TIME],
  ["setInterval", NO_TIME],
  ["setImmediate", NO_TIME],
  ["require", "a hook is one file: bundle what it needs into it"],
  ["process", NO_SYSTEM],
  ["Deno", NO_SYSTEM],
  ["Bun", NO_SYSTEM],
]);

function insteadOf(error) {
  const [, name] = /^(\w+) is not defined$/.exec(error.message) ?? [];
  const instead = error.name === "ReferenceError" ? INSTEAD.get(name) : undefined;
  return instead === undefined ? "" : `: ${instead}`;
}

// What the host gives.

/** What the store or the client says: `code` is its word, as `not-granted` or `timeout`. */
export class HookboxError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "HookboxError";
    this.code = code;
  }
}

/** The hook's own settings. */
export const settings = () => JSON.parse(config.get());

/** What the agent sent, in its own words. */
export const source = () => JSON.parse(sender.read());

/** Milliseconds since the Unix epoch: the event's time, or the time that it is, with the grant `clock`. */
export const now = () => clock.now();

/** So many bytes, at most 4096: they follow from the event, or nobody knows them, with the grant `random`. */
export const random = (count) => Uint8Array.from(chance.bytes(whole("`count`", count, 0, 4096)));

/** Facts about the event's command line; `undefined` if it has none. */
export function facts() {
  const found = known.shell() ?? undefined;
  for (const command of found?.commands ?? []) {
    present(command, "folder");
  }
  return found;
}

const line = (level) => (...parts) => report.write(level, parts.map(shown).join(" ").toWellFormed());

/** Lines for the call's report. */
export const log = {
  trace: line("trace"),
  debug: line("debug"),
  info: line("info"),
  warn: line("warn"),
  error: line("error"),
};

function shown(value) {
  if (typeof value === "string") {
    return value;
  }
  if (value instanceof Error) {
    return `${value.name}: ${value.message}`;
  }
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Calls the host; what it throws becomes an error with a `code`. */
function asked(who, call) {
  try {
    return call();
  } catch (error) {
    // The engine throws an error around what the host said.
    const said = error instanceof Error && "payload" in error ? error.payload : error;
    const [code, why] = typeof said === "string" ? [said] : [said?.tag, said?.val];
    if (code === undefined) {
      throw error;
    }
    throw new HookboxError(code, why ? `${who}: ${code}: ${why}` : `${who}: ${code}`);
  }
}

// The engine traps where a value is not of the type that the host takes, and a trap says nothing; these say it.

function text(what, value) {
  if (typeof value !== "string") {
    throw new TypeError(`${what} must be a string, and is ${kindOf(value)}`);
  }
  return value.toWellFormed();
}

function whole(what, value, low, high) {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new TypeError(`${what} must be a whole number from ${low} to ${high}, and is ${String(value)}`);
  }
  return value;
}

function bytesOf(what, value) {
  if (typeof value === "string") {
    return encode(value);
  }
  if (!(value instanceof Uint8Array)) {
    throw new TypeError(`${what} must be a string or a Uint8Array, and is ${kindOf(value)}`);
  }
  return value;
}

/** One scope of the store. Values are text, or bytes. */
function scoped(scope) {
  const at = (call) => asked("the store", call);
  const key = (value) => text("the key", value);
  const value = (given) => bytesOf("the value", given);
  const getBytes = (name) => {
    const named = key(name);
    const bytes = at(() => store.get(scope, named)) ?? undefined;
    return bytes && Uint8Array.from(bytes);
  };
  return {
    get: (name) => {
      const bytes = getBytes(name);
      return bytes && decode(bytes);
    },
    getBytes,
    set: (name, given) => {
      const [named, bytes] = [key(name), value(given)];
      at(() => store.set(scope, named, bytes));
    },
    delete: (name) => {
      const named = key(name);
      at(() => store.delete(scope, named));
    },
    keys: (prefix = "") => {
      const begins = text("the prefix", prefix);
      return at(() => store.keys(scope, begins));
    },
    increment: (name, by = 1) => {
      const [named, number] = [key(name), whole("`by`", by, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)];
      return at(() => store.increment(scope, named, number));
    },
    swap: (name, old, given) => {
      const before = old === undefined || old === null ? undefined : value(old);
      const [named, after] = [key(name), value(given)];
      return at(() => store.swap(scope, named, before, after));
    },
  };
}

/** What is kept between events. */
export const kv = { session: scoped("session"), project: scoped("project"), user: scoped("user") };

class Response {
  #body;

  constructor({ status, headers, body }) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = Object.create(null);
    for (const { name, value } of headers) {
      const key = name.toLowerCase();
      this.headers[key] = key in this.headers ? `${this.headers[key]}, ${value}` : value;
    }
    this.#body = body;
  }

  bytes() {
    return Uint8Array.from(this.#body);
  }

  text() {
    return decode(this.bytes());
  }

  json() {
    return JSON.parse(this.text());
  }
}

/** Sends a request and waits for the whole response, whatever its status. */
function send({ method = "GET", url, headers = {}, body, json, timeout }) {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name: text("a header", name), value: text(`the header ${name}`, value) })),
  );
  if (json !== undefined && !lines.some(({ name }) => name.toLowerCase() === "content-type")) {
    lines.push({ name: "content-type", value: "application/json" });
  }
  const request = {
    method: text("`method`", method),
    url: text("`url`", url),
    headers: lines,
    body: json === undefined ? bytesOf("`body`", body ?? "") : encode(jsonOf("json", json)),
    timeout: timeout === undefined ? undefined : whole("`timeout`", timeout, 0, 0xffffffff),
  };
  return new Response(asked("the server", () => client.send(request)));
}

/** Requests to the servers that the hook was granted. */
export const http = {
  send,
  get: (url, options) => send({ ...options, method: "GET", url }),
  post: (url, options) => send({ ...options, method: "POST", url }),
};

// What scripts expect to be there, and the engine does not have.

/** The text as UTF-8; half a surrogate pair is U+FFFD. */
function encode(written) {
  const bytes = new Uint8Array(written.length * 3);
  let length = 0;
  for (let at = 0; at < written.length; at++) {
    let code = written.charCodeAt(at);
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const pair = written.codePointAt(at);
      at += pair > 0xffff ? 1 : 0;
      code = pair > 0xffff ? pair : 0xfffd;
    }
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes[length++] = FIRST[more] | (code >> (6 * more));
    for (let left = more - 1; left >= 0; left--) {
      bytes[length++] = 0x80 | ((code >> (6 * left)) & 0x3f);
    }
  }
  return bytes.slice(0, length);
}

/** The bits above the code's own in the first byte, by how many follow it. */
const FIRST = [0, 0xc0, 0xe0, 0xf0];

/** The text of bytes; what is no UTF-8 is U+FFFD. The engine's own functions are many times quicker than a loop in the script. */
function decode(bytes) {
  let read = "";
  for (let at = 0; at < bytes.length; at += 4096) {
    read += String.fromCharCode.apply(null, bytes.subarray(at, at + 4096));
  }
  try {
    return decodeURIComponent(escape(read));
  } catch {
    return mended(bytes);
  }
}

function mended(bytes) {
  let read = "";
  let codes = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at];
    if (first < 0x80) {
      codes.push(first);
      at += 1;
    } else {
      const [code, length] = beyondAscii(bytes, at, first);
      codes.push(code);
      at += length;
    }
    if (codes.length === 4096) {
      read += String.fromCodePoint.apply(null, codes);
      codes = [];
    }
  }
  return read + String.fromCodePoint.apply(null, codes);
}

/** The character that begins there, and how many bytes are its own. */
function beyondAscii(bytes, at, first) {
  const more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
  let code = first & (0x3f >> more);
  for (let next = 1; next <= more; next++) {
    const byte = bytes[at + next];
    const [low, high] = next > 1 ? ANY_MORE : bounds(first);
    if (!(byte >= low && byte <= high)) {
      return [0xfffd, next];
    }
    code = (code << 6) | (byte & 0x3f);
  }
  return more === 0 ? [0xfffd, 1] : [code, more + 1];
}

const ANY_MORE = [0x80, 0xbf];

/** What the second byte may be: no form that is too long, no surrogate, nothing past U+10FFFF. */
function bounds(first) {
  switch (first) {
    case 0xe0:
      return [0xa0, 0xbf];
    case 0xed:
      return [0x80, 0x9f];
    case 0xf0:
      return [0x90, 0xbf];
    case 0xf4:
      return [0x80, 0x8f];
    default:
      return ANY_MORE;
  }
}

// Time and chance of the engine are those of the moment when the component was made, or a trap: here they are the host's.
const Clock = globalThis.Date;
globalThis.Date = new Proxy(Clock, {
  construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
  apply: () => new Clock(now()).toString(),
});
Clock.prototype.constructor = globalThis.Date;
Clock.now = now;
Math.random = () => {
  const [first, ...rest] = random(7);
  return rest.reduce((value, byte) => value * 256 + byte, first & 0x1f) / 2 ** 53;
};
globalThis.performance = { now, timeOrigin: 0 };

globalThis.console ??= { ...log, log: log.info };
globalThis.TextEncoder ??= class TextEncoder {
  encoding = "utf-8";
  encode(text = "") {
    return encode(String(text));
  }
};
globalThis.TextDecoder ??= class TextDecoder {
  encoding = "utf-8";
  decode(bytes = []) {
    const view = ArrayBuffer.isView(bytes) ? [bytes.buffer, bytes.byteOffset, bytes.byteLength] : [bytes];
    return decode(new Uint8Array(...view)).replace(/^\ufeff/, "");
  }
};
