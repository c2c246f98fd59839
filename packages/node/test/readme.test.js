"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { newHome } = require("./support.js");

const page = fs.readFileSync(path.join(__dirname, "../README.md"), "utf8");
const examples = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, text]) => text);

test("each example of the page is a program that runs to its end", (t) => {
  assert.equal(examples.length, 2);
  for (const example of examples) {
    // The page's reader has a home of their own.
    const home = `home: ${JSON.stringify(newHome(t))}, `;
    const text = example.replace("Host()", `Host({ ${home} })`).replace("Host({ hooks", `Host({ ${home} hooks`);
    execFileSync(process.execPath, ["-e", text], { cwd: __dirname, timeout: 60_000 });
  }
});
