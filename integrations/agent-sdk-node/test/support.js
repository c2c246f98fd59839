"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Host } = require("hookbox");
const { newModel } = require("./model.js");

/** A folder that is gone when the test is. */
const newFolder = (test) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hookbox-agent-sdk-"));
  test.after(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
};

exports.newHost = (test, home = newFolder(test)) => {
  fs.mkdirSync(path.join(home, "cache"), { mode: 0o700 });
  return new Host({ home, cacheHome: path.join(home, "cache") });
};

/** Claude Code as the SDK starts it, with a scripted model, a home of its own, and no network. */
exports.newBed = async (test) => {
  const model = await newModel(test);
  const [home, project] = [newFolder(test), newFolder(test)];
  const env = {
    PATH: process.env.PATH,
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: model.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
    HOME: home,
    HTTPS_PROXY: model.url,
    NO_PROXY: "127.0.0.1",
  };
  const options = { env, cwd: project, allowedTools: ["Bash"], pathToClaudeCodeExecutable: process.env.HOOKBOX_CLAUDE_CODE };
  const file = (name) => path.join(project, name);
  const configured = (text) => {
    const hooks = path.join(home, ".config/hookbox/hooks.toml");
    fs.mkdirSync(path.dirname(hooks), { recursive: true });
    fs.writeFileSync(hooks, text);
    // A file that was just written may be being written still, and is waited for.
    fs.utimesSync(hooks, text.length, 1);
  };
  return { model, home, env, options, file, configured, host: exports.newHost(test, home) };
};

/** How a session ended. */
exports.talk = async (options, prompt = "Tidy up.") => {
  const { query } = await import("@anthropic-ai/claude-agent-sdk");
  let last;
  for await (const said of query({ prompt, options })) {
    last = said;
  }
  return last.subtype;
};
