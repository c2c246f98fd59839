import assert from "node:assert/strict";
import test from "node:test";
import { No, result } from "./support.js";

const bytes = (text) => [...Buffer.from(text)];

test("settings and what the agent sent are values", async () => {
  const answers = { "config.get": () => '{"most":3}', "source.read": () => '{"tool_name":"Bash"}' };
  const { value } = await result("() => [settings(), source()]", answers);
  assert.deepEqual(value, [{ most: 3 }, { tool_name: "Bash" }]);
});

test("facts are the host's, and an unknown folder is undefined", async () => {
  const command = { program: "ls", words: [{ text: "ls", certain: true }], folder: null };
  const answers = { "facts.shell": () => ({ language: "posix", commands: [command], hosts: [] }) };
  const { value } = await result("() => [facts().commands[0].program, facts().commands[0].folder === undefined]", answers);
  assert.deepEqual(value, ["ls", true]);
  const { value: none } = await result("() => facts() === undefined", { "facts.shell": () => null });
  assert.equal(none, true);
});

test("the store takes and gives text or bytes", async () => {
  const stored = { a: "hä😀", bytes: "\xff" };
  const answers = {
    "kv.get": (_, key) => (key in stored ? Uint8Array.from(key === "bytes" ? [255] : bytes(stored[key])) : null),
    "kv.keys": () => ["a", "b"],
    "kv.increment": () => 4,
    "kv.swap": () => true,
  };
  const { value, asked } = await result(
    `() => [
      kv.session.get("a"), kv.project.get("none") === undefined, [...kv.user.getBytes("bytes")],
      kv.session.set("k", "ä\\ud800"), kv.session.set("k", new Uint8Array([1])), kv.session.delete("\\ud800"), kv.session.keys(), kv.user.keys("p"),
      kv.session.increment("n"), kv.session.increment("n", -2), kv.session.swap("k", undefined, "b"), kv.session.swap("k", "a", "b"),
    ]`,
    answers,
  );
  assert.deepEqual(value, ["hä😀", true, [255], null, null, null, ["a", "b"], ["a", "b"], 4, 4, true, true]);
  assert.deepEqual(asked, [
    ["kv.get", "session", "a"],
    ["kv.get", "project", "none"],
    ["kv.get", "user", "bytes"],
    ["kv.set", "session", "k", bytes("ä\ufffd")],
    ["kv.set", "session", "k", [1]],
    ["kv.delete", "session", "\ufffd"],
    ["kv.keys", "session", ""],
    ["kv.keys", "user", "p"],
    ["kv.increment", "session", "n", 1],
    ["kv.increment", "session", "n", -2],
    ["kv.swap", "session", "k", undefined, bytes("b")],
    ["kv.swap", "session", "k", bytes("a"), bytes("b")],
  ]);
});

test("what the store says no with is an error with its word as the code", async () => {
  const { value } = await result('() => failed(() => kv.session.get("a"))', { "kv.get": () => new No("not-granted") });
  assert.deepEqual(value, { name: "HookboxError", message: "the store: not-granted", code: "not-granted" });
});

test("a request is sent, and its response read", async () => {
  const body = Uint8Array.from(bytes('{"may":"ä"}'));
  const headers = [{ name: "A", value: "1" }, { name: "a", value: "2" }, { name: "__proto__", value: "3" }];
  const { value, asked } = await result(
    `() => {
      const got = http.get("https://a/b", { headers: { X: ["1", "2"] }, timeout: 5 });
      const sent = http.post("https://a", { json: { a: "ä" } });
      http.send({ method: "PUT", url: "https://a", body: "x", headers: { "Content-Type": "text/plain" } });
      return [got.status, got.ok, got.headers.a, got.headers.__proto__, got.text(), sent.json(), [...sent.bytes()].length];
    }`,
    { "http.send": () => ({ status: 403, headers, body }) },
  );
  assert.deepEqual(value, [403, false, "1, 2", "3", '{"may":"ä"}', { may: "ä" }, 12]);
  const json = { name: "content-type", value: "application/json" };
  const list = [{ name: "X", value: "1" }, { name: "X", value: "2" }];
  assert.deepEqual(asked, [
    ["http.send", { method: "GET", url: "https://a/b", headers: list, body: [], timeout: 5 }],
    ["http.send", { method: "POST", url: "https://a", headers: [json], body: bytes('{"a":"ä"}') }],
    ["http.send", { method: "PUT", url: "https://a", headers: [{ name: "Content-Type", value: "text/plain" }], body: [120] }],
  ]);
});

test("why there is no response is an error with its case as the code", async () => {
  const run = '() => failed(() => http.get("https://a"))';
  const refused = await result(run, { "http.send": () => new No({ tag: "refused", val: "no rule covers it" }) });
  const message = "the server: refused: no rule covers it";
  assert.deepEqual(refused.value, { name: "HookboxError", message, code: "refused" });
  const late = await result(run, { "http.send": () => new No({ tag: "timeout" }) });
  assert.deepEqual(late.value, { name: "HookboxError", message: "the server: timeout", code: "timeout" });
});

test("a value of another type never reaches the engine, which would only trap", async () => {
  for (const [call, expected] of [
    ["kv.session.get(5)", "the key must be a string, and is of type number"],
    ["kv.session.set('k', 5)", "the value must be a string or a Uint8Array, and is of type number"],
    ["kv.session.keys(null)", "the prefix must be a string, and is null"],
    ["kv.session.increment('k', 1.5)", "`by` must be a whole number from -9007199254740991 to 9007199254740991, and is 1.5"],
    ["kv.session.swap('k', 1, 'a')", "the value must be a string or a Uint8Array, and is of type number"],
    ["http.get()", "`url` must be a string, and is of type undefined"],
    ["http.get('https://a', { headers: { a: 1 } })", "the header a must be a string, and is of type number"],
    ["http.post('https://a', { body: {} })", "`body` must be a string or a Uint8Array, and is of type object"],
    ["http.get('https://a', { timeout: 1e10 })", "`timeout` must be a whole number from 0 to 4294967295, and is 10000000000"],
    ["random(4097)", "`count` must be a whole number from 0 to 4096, and is 4097"],
  ]) {
    const { value, asked } = await result(`() => failed(() => ${call})`);
    assert.deepEqual(value, { name: "TypeError", message: expected }, call);
    assert.deepEqual(asked, [], call);
  }
});

test("time and chance are the host's", async () => {
  const answers = { "clock.now": () => 1_700_000_000_123, "random.bytes": (count) => new Uint8Array(count).fill(255) };
  const { value } = await result(
    `() => [now(), Date.now(), new Date(), new Date(0), new Date() instanceof Date, new Date(5).constructor === Date, typeof Date(),
      performance.now(), Math.random(), [...random(2)]]`,
    answers,
  );
  const time = 1_700_000_000_123;
  const day = "2023-11-14T22:13:20.123Z";
  assert.deepEqual(value.slice(0, 8), [time, time, day, "1970-01-01T00:00:00.000Z", true, true, "string", time]);
  assert.deepEqual(value.slice(8), [1 - 2 ** -53, [255, 255]]);
});

test("lines go to the report, by `log` or by `console`", async () => {
  const { asked } = await result(`() => {
    log.info("saw", { a: [1] }, undefined, null, 5n, new Error("e"));
    console.log("c");
    console.warn("w\\ud800");
    const circle = {};
    circle.circle = circle;
    log.trace(circle);
  }`);
  assert.deepEqual(asked, [
    ["log.write", "info", 'saw {"a":[1]} undefined null 5 Error: e'],
    ["log.write", "info", "c"],
    ["log.write", "warn", "w\ufffd"],
    ["log.write", "trace", "[object Object]"],
  ]);
});

test("text becomes UTF-8 and comes back as everywhere else", async () => {
  const texts = ["", "plain", "hä€😀\0", "\ud800a\udc00", "\uffff\u{10ffff}\u0800\u07ff", "x".repeat(9000) + "ä"];
  const lists = [
    [0xff, 0x61], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc0, 0x80], [0xc1, 0xbf], [0xed, 0xa0, 0x80], [0xe0, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80],
    [0xf5, 0x80], [0xf0, 0x80, 0x80, 0x80], Array(200_000).fill(0x80), [0xef, 0xbb, 0xbf, 0x61], [0xe2, 0x28, 0xa1], [0xf0, 0x90, 0x28], [0x80], [0xf1, 0x80, 0x80, 0x41], [...Buffer.from("ok ä")],
  ];
  const { value } = await result(`() => {
    const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
    const texts = ${JSON.stringify(texts)}.map((text) => [...encoder.encode(text)]);
    return [texts, ${JSON.stringify(lists)}.map((list) => decoder.decode(new Uint8Array(list)))];
  }`);
  assert.deepEqual(value[0], texts.map((text) => [...new TextEncoder().encode(text)]));
  assert.deepEqual(value[1], lists.map((list) => new TextDecoder().decode(new Uint8Array(list))));
});
