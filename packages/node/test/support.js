"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { Host } = require("hookbox");

const cache = fs.mkdtempSync(path.join(os.tmpdir(), "hookbox-cache-"));
process.on("exit", () => fs.rmSync(cache, { recursive: true, force: true }));

/** A home folder that is empty, and gone when the test is. */
exports.newHome = (test) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "hookbox-home-"));
  test.after(() => fs.rmSync(home, { recursive: true, force: true }));
  return home;
};

exports.newHost = (test, options = {}) => {
  const home = exports.newHome(test);
  if (options.hooksToml !== undefined) {
    exports.write(path.join(home, ".config/hookbox/hooks.toml"), options.hooksToml);
  }
  const { hooksToml, ...rest } = options;
  return new Host({ home, cacheHome: cache, ...(hooksToml === undefined ? { hooks: false } : {}), ...rest });
};

exports.write = (file, text) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  // A file that was just written may be being written still, and is waited for.
  fs.utimesSync(file, 1, 1);
};

exports.cache = cache;
exports.TOOL = { event: "tool.before", tool: { name: "Bash", input: { command: "ls" } } };
exports.command = (line = "ls") => ({
  hook_event_name: "PreToolUse",
  session_id: "s1",
  cwd: "/tmp",
  tool_name: "Bash",
  tool_input: { command: line },
});
exports.decision = (response) => JSON.parse(response.stdout || "{}").hookSpecificOutput?.permissionDecision;
exports.status = ({ reports: [{ status }] }) => {
  if (status === "skipped") return status;
  if (status.failed) return `${status.failed.code}: ${status.failed.message}`;
  const { verdict } = status.answered;
  return typeof verdict === "string" ? verdict : Object.keys(verdict)[0];
};
