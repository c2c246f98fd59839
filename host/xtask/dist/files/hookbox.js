#!/usr/bin/env node
// Starts the program of this platform's package.
"use strict";

const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const PACKAGES = { "linux x64": "@hookbox/cli-linux-x64" };
// An agent takes this exit code of a hook as a denial.
const FAILURE = 2;

function fail(error, help) {
  process.stderr.write(`error: ${error}\nhelp: ${help}\n`);
  process.exit(FAILURE);
}

function findProgram() {
  const platform = `${process.platform} ${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    fail(`cannot start hookbox: no package has a program for ${platform}`, "build hookbox from a clone");
  }
  try {
    return require.resolve(`${name}/bin/hookbox`);
  } catch {
    fail(
      `cannot start hookbox: the package ${name} is not installed`,
      "install @hookbox/cli again, with optional dependencies (without --omit=optional)",
    );
  }
}

const program = findProgram();
const { error, signal, status } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error !== undefined) {
  fail(`cannot start ${program}: ${error.message}`, "install @hookbox/cli again");
}
if (signal !== null) {
  // The shell sees the signal that has ended the program.
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
process.exit(status);
