// The plugin in a fake of opencode, which loads a plugin's file and calls its hooks as opencode does. `HOOKBOX` is the command.

import assert from "node:assert/strict"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { pathToFileURL } from "node:url"

const EVERY = [
  "tool.execute.before",
  "tool.execute.after",
  "chat.message",
  "session.created",
  "session.idle",
  "session.compacted",
  "session.deleted",
]
const folder = mkdtempSync(join(tmpdir(), "hookbox-opencode-"))
after(() => rmSync(folder, { recursive: true }))
let count = 0

/** opencode, with the plugin that `install` would write for this command. */
class Opencode {
  static async with(command, { events = EVERY, agent_timeout = "35_000" } = {}) {
    const place = join(folder, `${count++}`)
    mkdirSync(place)
    writeFileSync(join(place, "package.json"), '{"type":"module"}')
    const text = readFileSync(new URL("hookbox.js", import.meta.url), "utf8")
      .replace("const COMMAND = []", `const COMMAND = ${JSON.stringify(command)}`)
      .replace("const EVENTS = []", `const EVENTS = ${JSON.stringify(events)}`)
      .replace("35_000", agent_timeout)
    writeFileSync(join(place, "hookbox.js"), text)
    const opencode = new Opencode()
    opencode.hooks = []
    const loaded = await import(pathToFileURL(join(place, "hookbox.js")))
    for (const plugin of new Set(Object.values(loaded))) {
      opencode.hooks.push(await plugin({ directory: folder, worktree: folder }))
    }
    return opencode
  }

  async trigger(name, input, output) {
    for (const hooks of this.hooks) await hooks[name]?.(input, output)
    return output
  }

  /** A tool call: what the model is told. */
  async call(tool, args, execute = (args) => ({ title: tool, output: `ran ${JSON.stringify(args)}`, metadata: {} })) {
    const input = { tool, sessionID: "ses_1", callID: "call_1" }
    await this.trigger("tool.execute.before", input, { args })
    const result = execute(args)
    await this.trigger("tool.execute.after", { ...input, args }, result)
    return result
  }

  /** A prompt: its parts as they are kept. */
  async prompt(text) {
    const output = { message: { id: "msg_1", role: "user" }, parts: [{ id: "prt_1", type: "text", text }] }
    await this.trigger("chat.message", { sessionID: "ses_1", messageID: "msg_1", agent: "build" }, output)
    return output.parts
  }

  async publish(event) {
    await Promise.all(this.hooks.map((hooks) => hooks.event?.({ event })))
  }
}

/** The command with these hooks. */
function hookbox(hooks) {
  const home = join(folder, `home${count++}`)
  const config = join(home, ".config", "hookbox")
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, "hooks.toml"), hooks)
  chmodSync(join(config, "hooks.toml"), 0o600)
  return [process.env.HOOKBOX, "run", "--agent", "opencode", "--home", home]
}

/** A hook that says this. */
const says = (answer, on, role = "gate") =>
  `version = 1\n[[hook]]\nname = "says"\non = "${on}"\nrole = "${role}"\nshell = { command = '''cat >/dev/null; echo '${JSON.stringify(answer)}' ''' }\n`

/** A program in hookbox's place. */
function program(script) {
  const path = join(folder, `program${count++}`)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return [path, "run", "--agent", "opencode"]
}

const NO = { verdict: "deny", code: "no", reason: "not here" }

test("a call that hookbox denies does not run, and the model is told why", async () => {
  const opencode = await Opencode.with(hookbox(says(NO, "tool.before")))
  await assert.rejects(opencode.call("bash", { command: "ls" }, assert.fail), /says: not here/)
})

test("an ask is a deny, as a plugin can have nobody asked", async () => {
  const opencode = await Opencode.with(hookbox(says({ ...NO, verdict: "ask" }, "tool.before")))
  await assert.rejects(opencode.call("bash", { command: "ls" }, assert.fail), /not here/)
})

test("a call that no hook is about runs as it is", async () => {
  const opencode = await Opencode.with(hookbox("version = 1\n"))
  const { output } = await opencode.call("bash", { command: "ls" })
  assert.equal(output, 'ran {"command":"ls"}')
})

test("arguments are changed in the object that opencode goes on with", async () => {
  const opencode = await Opencode.with(hookbox(says({ rewrite: { merge: { command: "true" } } }, "tool.before", "transform")))
  const { output } = await opencode.call("bash", { command: "ls", description: "list" })
  assert.equal(output, 'ran {"command":"true","description":"list"}')
})

/** A hook that answers by the program that is called. */
const guard = (script) => `version = 1\n[[hook]]\nname = "guard"\non = "tool.before"\nshell = { command = '''${script}''' }\n`
const batch = (...calls) => ({ tool_calls: calls.map(([tool, parameters]) => ({ tool, parameters })) })

test("each call in a batch is asked about, and one that is denied denies the batch", async () => {
  const opencode = await Opencode.with(
    program(`case "$(cat)" in *'"args":{"command":"rm'*) echo '{"decision":"deny","reason":"not here"}';; *) echo '{}';; esac`),
  )
  const { output } = await opencode.call("batch", batch(["bash", { command: "ls" }], ["read", { filePath: "a" }]))
  assert.match(output, /^ran /)
  const hidden = batch(["read", { filePath: "a" }], ["bash", { command: "rm -rf / --no-preserve-root" }])
  await assert.rejects(opencode.call("batch", hidden, assert.fail), /^Error: not here$/)
})

test("a hook about the batch itself denies it", async () => {
  const opencode = await Opencode.with(
    hookbox(guard(`case "$(cat)" in *'"tool_calls"'*) echo '${JSON.stringify(NO)}';; *) echo '{}';; esac`)),
  )
  await assert.rejects(opencode.call("batch", batch(["bash", { command: "ls" }]), assert.fail), /guard: not here/)
})

test("arguments in a batch are changed in the objects that opencode goes on with", async () => {
  const answer = program(`case "$(cat)" in *'"tool":"bash"'*'"callID":"call_1.1"'*) echo '{"args":{"command":"true"}}';; *) echo '{}';; esac`)
  const opencode = await Opencode.with(answer)
  const { output } = await opencode.call("batch", batch(["read", { filePath: "a" }], ["bash", { command: "ls" }]))
  assert.equal(output, `ran ${JSON.stringify(batch(["read", { filePath: "a" }], ["bash", { command: "true" }]))}`)
})

test("a batch that cannot be asked about call by call is a deny", async () => {
  const opencode = await Opencode.with(hookbox("version = 1\n"))
  const ls = ["bash", { command: "ls" }]
  for (const args of [
    {},
    { tool_calls: "ls" },
    { tool_calls: { 0: { tool: "bash", parameters: {} } } },
    { tool_calls: [null] },
    { tool_calls: [{ parameters: {} }] },
    batch(["bash", "ls"]),
    batch(["bash", undefined]),
    batch(ls, ["batch", batch(ls)]),
    batch(...Array(33).fill(ls)),
  ]) {
    await assert.rejects(opencode.call("batch", args, assert.fail), /hookbox denies a `batch`/)
  }
})

test("what a tool returned is changed, and context is put behind it", async () => {
  const answer = { rewrite: { replace: "nothing" }, context: "Be kind." }
  const opencode = await Opencode.with(hookbox(says(answer, "tool.after", "transform")))
  const { output } = await opencode.call("bash", { command: "ls" })
  assert.match(output, /^nothing\n\n.*Be kind\./s)
})

test("a server's tool gets a block of text", async () => {
  const opencode = await Opencode.with(hookbox(says({ context: "Be kind." }, "tool.after")))
  const { content } = await opencode.call("server_tool", {}, () => ({ content: [{ type: "text", text: "a" }] }))
  assert.equal(content.length, 2)
  assert.match(content[1].text, /Be kind\./)
})

test("a prompt is refused, or gets context", async () => {
  const refusing = await Opencode.with(hookbox(says(NO, "prompt.submit")))
  await assert.rejects(refusing.prompt("clean up"), /not here/)
  const kind = await Opencode.with(hookbox(says({ context: "Be kind." }, "prompt.submit")))
  const [part] = await kind.prompt("clean up")
  assert.match(part.text, /^clean up\n\n.*Be kind\./s)
})

test("whatever keeps hookbox from answering is a deny", async () => {
  for (const [command, why] of [
    [["/nonexistent/hookbox", "run"], /ENOENT/],
    [[], /.*/],
    [program("exit 0"), /not JSON/],
    [program("cat >/dev/null; echo '{'"), /not JSON/],
    [program("cat >/dev/null; echo null"), /no object/],
    [program("cat >/dev/null; echo '[]'"), /no object/],
    [program('cat >/dev/null; echo \'{"decision":"perhaps"}\''), /decision is unknown/],
    [program('cat >/dev/null; echo \'{"args":"ls"}\''), /no object/],
    [program("cat >/dev/null; echo '{}'; exit 2"), /ended with 2/],
    [program("cat >/dev/null; echo '{}'; kill -9 $$"), /ended with null/],
    [program("echo because >&2; exit 1"), /because/],
    [program("exec cat /dev/zero"), /said too much/],
  ]) {
    const opencode = await Opencode.with(command)
    await assert.rejects(opencode.call("bash", { command: "ls" }, assert.fail), why)
    await assert.rejects(opencode.prompt("go"), why)
  }
})

test("a hookbox that hangs is a deny", async () => {
  const opencode = await Opencode.with(program("exec sleep 600"), { agent_timeout: "50" })
  await assert.rejects(opencode.call("bash", { command: "ls" }, assert.fail), /took longer than 50 ms/)
})

test("arguments that cannot be written are a deny", async () => {
  const opencode = await Opencode.with(hookbox("version = 1\n"))
  const args = {}
  args.self = args
  await assert.rejects(opencode.call("bash", args, assert.fail), /circular/i)
})

test("after a call the model is told that hookbox did not answer, and the result stays", async () => {
  const opencode = await Opencode.with(["/nonexistent/hookbox"], { events: ["tool.execute.after"] })
  const { output } = await opencode.call("bash", { command: "ls" })
  assert.match(output, /^ran .*hookbox did not answer/s)
})

test("hookbox is asked about the events that were installed and no others", async () => {
  const opencode = await Opencode.with(program("exit 1"), { events: ["chat.message"] })
  await opencode.call("bash", { command: "ls" })
  await assert.rejects(opencode.prompt("go"))
})

test("what the session does is told, and a failure there is nobody's", async () => {
  const seen = join(folder, "seen")
  const observer = `version = 1\n[[hook]]\nname = "sees"\non = "*"\nshell = { command = "cat >>${seen}; echo '{}'" }\n`
  const opencode = await Opencode.with(hookbox(observer))
  await opencode.publish({ type: "session.created", properties: { info: { id: "ses_7" } } })
  await opencode.publish({ type: "session.idle", properties: { sessionID: "ses_8" } })
  await opencode.publish({ type: "message.updated", properties: {} })
  const text = readFileSync(seen, "utf8")
  assert.match(text, /session\.start.*ses_7.*agent\.stop.*ses_8/s)
  assert.doesNotMatch(text, /message/)
  const broken = await Opencode.with(["/nonexistent/hookbox"])
  await broken.publish({ type: "session.idle", properties: { sessionID: "ses_8" } })
})
