"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { once } = require("node:events");
const test = require("node:test");
const hookbox = require("hookbox");
const { newHost } = require("./support.js");

const [REQUEST, RESPONSE] = ["HOOK_EXECUTION_REQUEST", "HOOK_EXECUTION_RESPONSE"];
const READ = { tool_name: "read_file", tool_input: { path: "/tmp/test.txt" } };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const newBus = (t, host = newHost(t), options = { session: "s" }) => {
  const bus = host.bus(options);
  t.after(() => bus.dispose());
  return bus;
};
const request = (eventName = "BeforeTool", input = READ, more = {}) => ({
  type: REQUEST,
  payload: { eventName, input, ...more },
});
/** The payload of the next response. */
const response = (bus) =>
  new Promise((resolve) => {
    const unsubscribe = bus.subscribe(RESPONSE, ({ payload }) => {
      unsubscribe();
      resolve(payload);
    });
  });
const ask = (bus, message) => {
  const next = response(bus);
  bus.publish(message);
  return next;
};

test("a request runs the hooks of its event and has a response", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "guard" }, (event) =>
    hookbox.deny("no", `not ${event.tool.name} in ${event.session}`),
  );
  const said = await ask(newBus(t, host), request("BeforeTool", READ, { correlationId: "req-abc-123" }));
  said.output.totalDuration = 0;
  said.output.hookResults[0].duration = 0;
  assert.deepEqual(said, {
    correlationId: "req-abc-123",
    success: true,
    output: {
      hookResults: [{ eventName: "BeforeTool", hookIdentity: "guard", duration: 0, success: true, stderr: "" }],
      success: true,
      finalOutput: { decision: "deny", reason: "guard: not read_file in s (no)" },
      allOutputs: [{ decision: "deny", reason: "not read_file in s" }],
      errors: [],
      totalDuration: 0,
    },
  });
});

test("a response bears the request's correlation id", async (t) => {
  const bus = newBus(t);
  for (const correlationId of ["1", " ", "null", '\0"\\\n', "ключ", "x".repeat(10_000)]) {
    for (const [event, success] of [["BeforeTool", true], ["BeforeLunch", false]]) {
      const said = await ask(bus, request(event, READ, { correlationId }));
      assert.deepEqual([said.correlationId, said.success], [correlationId, success]);
    }
  }
});

test("a request without a correlation id gets one", async (t) => {
  const bus = newBus(t);
  const ids = [await ask(bus, request()), await ask(bus, request())].map((said) => said.correlationId);
  ids.forEach((id) => assert.match(id, UUID));
  assert.notEqual(ids[0], ids[1]);
});

test("an event that there is not is a failed response", async (t) => {
  const bus = newBus(t);
  for (const event of ["UnknownEvent", "beforeTool", "BeforeTool ", "PreToolUse", "toString"]) {
    assert.deepEqual(await ask(bus, request(event, {}, { correlationId: "1" })), {
      correlationId: "1",
      success: false,
      error: { code: "unsupported_event", message: `Unknown event: ${event}` },
    });
  }
});

test("a request without its parts is answered with what is missing", async (t) => {
  const bus = newBus(t);
  for (const payload of [null, [], {}, { eventName: "BeforeTool" }, { eventName: 7, input: {} }]) {
    const { error } = await ask(bus, { type: REQUEST, payload });
    assert.equal(error.code, "invalid_request");
    assert.match(error.message, /^Missing /);
  }
});

test("an input that the event has not is a failed response, and so is a hook that fails", async (t) => {
  const host = newHost(t);
  const bus = newBus(t, host);
  const { error } = await ask(bus, request("BeforeTool", { tool_input: {} }));
  assert.deepEqual([error.code, error.details], ["VALIDATION_FAILURE", { stage: "validation", eventName: "BeforeTool" }]);
  host.hook("tool.before", { name: "broken", onFailure: "allow" }, () => {
    throw new Error("out of paper");
  });
  const said = await ask(bus, request());
  assert.deepEqual([said.success, said.error.details.stage], [false, "execution"]);
});

test("a message that is no request is told to all and left alone", async (t) => {
  const bus = newBus(t);
  const types = [];
  const heard = new Promise((resolve) => {
    bus.subscribe(({ type }) => types.push(type) === 3 && resolve());
  });
  bus.publish({ type: "SOMETHING_ELSE", payload: request().payload });
  bus.publish(request());
  await heard;
  assert.deepEqual(types, ["SOMETHING_ELSE", REQUEST, RESPONSE]);
});

test("what is no message is an error of whoever publishes it", (t) => {
  const bus = newBus(t);
  const told = { code: "bad-event", message: "a message is an object with a `type`, which is a text" };
  for (const message of [{}, { type: 7 }, [], [REQUEST], "text", null]) {
    assert.throws(() => bus.publish(message), told);
  }
  assert.throws(() => bus.publish({ type: "A", payload: new Set() }), /message\["payload"\] is Set/);
});

test("who has unsubscribed hears no more", async (t) => {
  const bus = newBus(t);
  const unsubscribe = bus.subscribe(() => assert.fail("it was heard"));
  unsubscribe();
  unsubscribe();
  await ask(bus, request());
});

test("a subscriber that throws is warned of and keeps nobody from the message", async (t) => {
  const bus = newBus(t);
  for (const throws of [() => { throw new Error("out of order"); }, async () => { throw new Error("out of order"); }]) {
    const unsubscribe = bus.subscribe(RESPONSE, throws);
    const warned = once(process, "warning");
    assert.equal((await ask(bus, request())).success, true);
    assert.equal((await warned)[0].message, "out of order");
    unsubscribe();
  }
  assert.throws(() => bus.subscribe(7), { message: "a subscriber is a function, and this is of type number" });
});

test("a subscriber gets a message of its own", async (t) => {
  const bus = newBus(t);
  const heard = new Promise((resolve) => {
    bus.subscribe((message) => delete message.payload);
    bus.subscribe(resolve);
  });
  bus.publish({ type: "A", payload: { a: 1 } });
  // Nobody waits for a response, so the test itself does.
  const alive = setInterval(() => {}, 1000);
  assert.deepEqual(await heard, { type: "A", payload: { a: 1 } });
  clearInterval(alive);
});

test("all hooks are listed, and each can be switched off and on", async (t) => {
  const host = newHost(t);
  let calls = 0;
  host.hook("tool.before", { name: "counting" }, () => void (calls += 1));
  host.hook("tool.before", { name: "other" }, () => null);
  const bus = newBus(t, host);
  const enabled = () => bus.getAllHooks().map((hook) => [hook.name, hook.enabled]);
  assert.deepEqual(enabled(), [["counting", true], ["other", true]]);
  assert.equal(bus.setHookEnabled("counting", false), 1);
  assert.deepEqual(enabled(), [["counting", false], ["other", true]]);
  await ask(bus, request());
  await bus.fire("BeforeTool", READ);
  assert.equal(calls, 0);
  assert.equal(bus.setHookEnabled("counting", true), 1);
  await ask(bus, request());
  assert.equal(calls, 1);
  assert.equal(bus.setHookEnabled("nonexistent-hook", false), 0);
  assert.deepEqual(Object.keys(bus.getAllHooks()[0]), ["name", "events", "role", "kind", "layer", "enabled"]);
});

test("a program asks directly", async (t) => {
  const host = newHost(t);
  host.hook("tool.before", { name: "guard" }, () => hookbox.stop("enough"));
  const bus = newBus(t, host);
  const { shouldStop, stopReason } = await bus.fire("BeforeTool", READ);
  assert.deepEqual([shouldStop, stopReason], [true, "enough"]);
  assert.equal((await bus.fire("BeforeLunch", {})).error.code, "unsupported_event");
  await assert.rejects(bus.fire("BeforeTool", []), { code: "bad-event" });
});

test("after dispose messages are ignored and calls refused", async (t) => {
  const host = newHost(t);
  let calls = 0;
  host.hook("tool.before", { name: "counting" }, () => void (calls += 1));
  const bus = newBus(t, host);
  bus.subscribe(() => assert.fail("it was heard"));
  for (let times = 0; times < 3; times += 1) {
    bus.dispose();
    assert.equal(bus.disposed, true);
  }
  bus.publish(request());
  await assert.rejects(bus.fire("BeforeTool", READ), {
    code: "disposed",
    message: "the hook bus has been disposed of; make a new one for a new session",
  });
  assert.equal(calls, 0);
  assert.equal((await ask(newBus(t, host), request())).success, true);
  assert.equal(calls, 1);
});

test("dispose ends what is under way, who waits is told, and then messages end", async (t) => {
  const host = newHost(t);
  const bus = newBus(t, host);
  const started = new Promise((resolve) => {
    host.hook("tool.before", { name: "endless" }, () => {
      resolve();
      return new Promise(() => {});
    });
  });
  const messages = bus.messages(RESPONSE);
  bus.publish(request("BeforeTool", READ, { correlationId: "1" }));
  await started;
  bus.dispose();
  const heard = [];
  for await (const { payload } of messages) {
    heard.push([payload.correlationId, payload.success, payload.error.message.slice(0, 19)]);
  }
  assert.deepEqual(heard, [["1", false, "endless: cancelled:"]]);
});

test("messages come one after another, until they are left", async (t) => {
  const bus = newBus(t);
  const messages = bus.messages(RESPONSE);
  for (const correlationId of ["0", "1", "2"]) {
    bus.publish(request("BeforeTool", READ, { correlationId }));
  }
  const heard = [];
  for await (const { payload } of messages) {
    if (heard.push(payload.correlationId) === 3) {
      break;
    }
  }
  assert.deepEqual(heard.sort(), ["0", "1", "2"]);
  await ask(bus, request());
  assert.deepEqual(await messages.next(), { value: undefined, done: true });
});

test("two buses of a host hear nothing of each other", async (t) => {
  const host = newHost(t);
  const sessions = [];
  host.hook("tool.before", { name: "seen" }, (event) => void sessions.push(event.session));
  const [one, two] = ["one", "two"].map((session) => newBus(t, host, { session }));
  const unsubscribe = two.subscribe(() => assert.fail("it was heard"));
  await ask(one, request("BeforeTool", READ, { correlationId: "1" }));
  unsubscribe();
  // The same id may be in use on each.
  await ask(two, request("BeforeTool", READ, { correlationId: "1" }));
  assert.deepEqual(sessions, ["one", "two"]);
  one.dispose();
  assert.equal((await ask(two, request())).success, true);
});

test("a process lives until its requests have their responses, and no longer", () => {
  const program = `
    const { Host } = require("hookbox");
    const bus = new Host({ hooks: false }).bus();
    bus.subscribe("${RESPONSE}", ({ payload }) => console.log(payload.success));
    bus.publish(${JSON.stringify(request())});
  `;
  const said = execFileSync(process.execPath, ["-e", program], { cwd: __dirname, encoding: "utf8", timeout: 60_000 });
  assert.equal(said, "true\n");
});
