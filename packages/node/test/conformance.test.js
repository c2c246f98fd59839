"use strict";

// The conformance cases of the program (tests/conformance), through the package: the same bytes and the same exit code.

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { Host } = require("hookbox");
const { cache, newHome, write } = require("./support.js");

const CASES = process.env.HOOKBOX_CASES;
const PLUGINS = path.join(path.dirname(require.resolve("hookbox")), "host/share/hookbox/plugins");

/** Why a case is not for the package, if so. How many there are is counted below, so that none is skipped unseen. */
function reasonToSkip(name) {
  if (fs.existsSync(path.join(CASES, name, "response.http"))) return "it asks the case's own server";
  if (path.basename(name).startsWith("told-in-variables")) {
    return "its event is told in variables, which is between an agent and a process";
  }
  return null;
}

const entries = (folder) => fs.readdirSync(folder).sort();
const all = entries(CASES).flatMap((dialect) => entries(path.join(CASES, dialect)).map((name) => `${dialect}/${name}`));
const skipped = all.filter((name) => reasonToSkip(name) !== null);

test("no case is skipped unseen", (t) => {
  for (const name of skipped) t.diagnostic(`${name}: ${reasonToSkip(name)}`);
  assert.deepEqual([skipped.length, all.length > 1000], [44, true]);
});

for (const name of all.filter((name) => !skipped.includes(name))) {
  test(name, async (t) => {
    const folder = path.join(CASES, name);
    const home = newHome(t);
    const named = (text) => text.replaceAll("[HOME]", home);
    const read = (file) => (fs.existsSync(path.join(folder, file)) ? fs.readFileSync(path.join(folder, file), "utf8") : undefined);
    for (const file of files(path.join(folder, "home"))) {
      const [from, to] = [path.join(folder, "home", file), path.join(home, file)];
      fs.mkdirSync(path.dirname(to), { recursive: true });
      fs.copyFileSync(from, to);
      const bytes = fs.readFileSync(from);
      if (bytes.includes("[HOME]")) fs.writeFileSync(to, named(bytes.toString()));
    }
    const said = keys(read("case.toml"));
    const environment = {
      CASE: folder,
      PYTHONDONTWRITEBYTECODE: "1",
      HOME: home,
      PATH: `${home}/bin:/usr/local/bin:/usr/bin:/bin`,
      XDG_CACHE_HOME: cache,
    };
    for (const line of (said.variables ?? "").split("\n").filter(Boolean)) {
      const at = line.indexOf("=");
      environment[line.slice(0, at)] = named(line.slice(at + 1));
    }
    const options = { home, cacheHome: cache, environment };
    const dialect = path.dirname(name);
    if (said.source !== undefined) {
      const inHome = path.join(home, said.source.replace(/^home\//, ""));
      options.agent = dialect;
      options.source = fs.existsSync(inHome) ? inHome : path.join(folder, said.source);
    } else if (read("hooks.toml") !== undefined) {
      write(path.join(home, ".config/hookbox/hooks.toml"), read("hooks.toml").replaceAll("[PLUGINS]", PLUGINS));
    }
    const response = await new Host(options).answer(dialect, named(read("event.json")), { cwd: home });
    assert.equal(response.stdout.replaceAll(home, "[HOME]"), read("answer") ?? "");
    assert.equal(response.exitCode, said.exit ?? 0);
    if (said.stderr !== undefined) assert.equal(response.stderr, said.stderr);
    for (const file of files(path.join(folder, "left"))) {
      assert.equal(fs.readFileSync(path.join(home, file), "utf8"), read(path.join("left", file)));
    }
  });
}

function files(folder) {
  if (!fs.existsSync(folder)) return [];
  const found = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** The keys of `case.toml`: texts and numbers, a line each. */
function keys(text) {
  const found = {};
  for (const [, name, string, literal, number] of text.matchAll(/^([a-z]+) = (?:("(?:[^"\\]|\\.)*")|'([^'\n]*)'|(-?\d+))\s*$/gm)) {
    found[name] = literal ?? (number === undefined ? JSON.parse(string) : Number(number));
  }
  return found;
}
