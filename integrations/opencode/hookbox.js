// Of hookbox: `hookbox install opencode` writes this file, `hookbox uninstall opencode` takes it away.
//
// opencode tells a plugin what happens; this one asks hookbox and does what it answers. What opencode has not done yet does not
// happen if hookbox denies it, cannot be started, takes too long or answers what cannot be read: an error thrown here is the
// model's answer to a tool call.

import { spawn } from "node:child_process"

// The next two lines are written by `hookbox install`: the program with its arguments, and the events that it is asked about.
const COMMAND = []
const EVENTS = []

// hookbox takes opencode to wait 30 seconds, and answers before that; what is longer is a hookbox that hangs.
const TIMEOUT_MS = 35_000
const MAX_ANSWER_CHARS = 8 << 20
const MAX_MESSAGE_CHARS = 4_000
// More than opencode runs of one batch.
const MAX_BATCH_CALLS = 32

// opencode calls everything that a plugin's file exports, so this is the only export.
export const Hookbox = async ({ directory }) => {
  const told = (name, input, more) => ({ opencode_hook: name, sessionID: input.sessionID, directory, ...more })
  const hooks = {
    "tool.execute.before": async (input, output) => {
      const { tool, callID } = input
      const allowed = async (call) => {
        const answer = await ask(told("tool.execute.before", input, call))
        refuse(answer)
        return answer.args === undefined ? call.args : exchanged(call.args, answer.args)
      }
      output.args = await allowed({ tool, callID, args: output.args })
      if (tool !== "batch") return
      for (const [index, call] of callsOf(output.args).entries()) {
        call.parameters = await allowed({ tool: call.tool, callID: `${callID}.${index}`, args: call.parameters })
      }
    },

    // It has happened, so nothing is thrown: the model is told beside the result.
    "tool.execute.after": async (input, output) => {
      const { tool, callID, args } = input
      const result = output.output ?? output.content ?? null
      const { title, metadata } = output
      const event = told("tool.execute.after", input, { tool, callID, args, output: result, title, metadata })
      const answer = await ask(event).catch((error) => ({ context: error.message }))
      if (typeof answer.output === "string") output.output = answer.output
      if (typeof answer.context === "string") tell(output, answer.context)
    },

    "chat.message": async (input, output) => {
      const texts = output.parts.filter((part) => part.type === "text" && typeof part.text === "string")
      const prompt = texts.map((part) => part.text).join("\n")
      const { agent, model, messageID } = input
      const answer = await ask(told("chat.message", input, { prompt, agent, model, messageID }))
      refuse(answer)
      const last = texts.at(-1)
      if (typeof answer.context === "string" && last) last.text += `\n\n${answer.context}`
    },

    // Nothing waits for these, and nobody is told if hookbox fails.
    event: async ({ event }) => {
      if (!EVENTS.includes(event.type)) return
      const properties = event.properties ?? {}
      const sessionID = properties.sessionID ?? properties.info?.id
      await ask(told(event.type, { sessionID }, {})).catch(() => {})
    },
  }
  const wanted = Object.entries(hooks).filter(([name]) => name === "event" || EVENTS.includes(name))
  return Object.fromEntries(wanted)
}

function refuse(answer) {
  if (answer.decision === "deny") throw new Error(String(answer.reason ?? "hookbox denies it"))
}

// The calls in a `batch`. opencode runs them without telling a plugin, so what cannot be asked about must not run.
function callsOf(args) {
  const calls = args?.tool_calls
  if (!Array.isArray(calls)) throw new Error("hookbox denies a `batch` whose `tool_calls` is no list")
  if (calls.length > MAX_BATCH_CALLS) throw new Error(`hookbox denies a \`batch\` of more than ${MAX_BATCH_CALLS} calls`)
  const isCall = (call) => isObject(call) && typeof call.tool === "string" && call.tool !== "batch" && isObject(call.parameters)
  if (!calls.every(isCall)) {
    throw new Error("hookbox denies a `batch` with a call that is no `tool` with `parameters`, or is a `batch` itself")
  }
  return calls
}

// opencode goes on with the object that it has handed over, whatever takes its place here.
function exchanged(args, changed) {
  if (args === null || typeof args !== "object") return changed
  for (const key of Object.keys(args)) delete args[key]
  return Object.assign(args, changed)
}

// What a server's tool returned is a list of blocks.
function tell(output, text) {
  if (Array.isArray(output.content)) output.content.push({ type: "text", text })
  else output.output = output.output ? `${output.output}\n\n${text}` : text
}

// hookbox's answer to an event; an error says why there is none.
function ask(event) {
  return new Promise((resolve, reject) => {
    const failed = (why) => reject(new Error(`hookbox did not answer: ${why}; see \`hookbox doctor\``))
    const input = JSON.stringify(event)
    const child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "pipe", "pipe"] })
    const output = { stdout: "", stderr: "" }
    const end = (why) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      failed(why)
    }
    const timer = setTimeout(() => end(`it took longer than ${TIMEOUT_MS} ms`), TIMEOUT_MS)
    for (const stream of ["stdout", "stderr"]) {
      child[stream].setEncoding("utf8").on("data", (text) => {
        output[stream] += text
        if (output[stream].length > MAX_ANSWER_CHARS) end("it said too much")
      })
    }
    child.on("error", (error) => end(error.message))
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code !== 0) failed(output.stderr.trim().slice(0, MAX_MESSAGE_CHARS) || `it ended with ${code}`)
      else read(output.stdout, resolve, failed)
    })
    // It may have refused before it has read everything.
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })
}

function read(text, resolve, failed) {
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return failed("what it said is not JSON")
  }
  if (!isObject(answer)) return failed("it said no object")
  if (![undefined, "deny"].includes(answer.decision)) return failed("its decision is unknown")
  if (answer.args !== undefined && !isObject(answer.args)) return failed("its arguments are no object")
  return resolve(answer)
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value)
}
