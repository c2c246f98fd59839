//! Plugins that are one file of JavaScript or TypeScript.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::{LS, Ran, TestBed};

/// A gate `it` that calls this script.
fn gate(script: &str, keys: &str) -> String {
    format!("[[hook]]\nname = \"it\"\non = \"tool.before\"\nwasm = {{ path = \"{script}\" }}\n{keys}\n")
}

/// With a gate of this file of source, and a cache of its own.
fn bed(name: &str, source: &str) -> TestBed {
    let bed = TestBed::with(&gate(name, "")).with_own_cache();
    bed.write_bytes(&place(name), source.as_bytes());
    bed
}

fn place(name: &str) -> String {
    format!("[HOME]/.config/hookbox/{name}")
}

/// What the gate says of a command: the verdict, and why.
fn verdict(bed: &TestBed, command: &str) -> String {
    let ran = bed.answer(&LS.replace("\"ls\"", &format!("{command:?}")));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"));
    let decision = &answer["hookSpecificOutput"];
    let word = |key: &str| decision[key].as_str().unwrap_or_default().to_owned();
    format!("{} {}", word("permissionDecision"), word("permissionDecisionReason")).trim().to_owned()
}

/// What `check` says of the hook with this file of source.
fn checked(name: &str, source: &str) -> String {
    let ran = bed(name, source).hookbox(&["check"]);
    ran.stdout.lines().take_while(|line| !line.contains(" checked: ")).collect::<Vec<_>>().join("\n")
}

const GUARD: &str = r#"import { deny } from "hookbox";

export function handle(event) {
  if (event.tool?.command === "rm -rf /") {
    return deny("removes-root", "rm -rf / removes everything");
  }
}
"#;

#[test]
fn a_file_of_javascript_is_a_hook() {
    let bed = bed("guard.js", GUARD);
    assert_snapshot!(bed.hookbox(&["check"]), @"");
    assert_eq!(verdict(&bed, "ls"), "");
    assert_eq!(verdict(&bed, "rm -rf /"), "deny it: rm -rf / removes everything (removes-root)");
}

#[test]
fn types_are_taken_out_of_a_file_of_typescript() {
    let source = r#"import { deny, type Answer } from "hookbox";
import type { Event } from "hookbox";

interface Rule { readonly command: string; why: string }

const RULES: Rule[] = [{ command: "rm -rf /", why: "no" }] satisfies Rule[];

export default (event: Event): Answer | undefined => {
  const rule = RULES.find((rule: Rule) => rule.command === event.tool!.command);
  return rule ? deny("rule" as string, rule.why) : undefined;
};
"#;
    let bed = bed("guard.ts", source);
    assert_eq!(verdict(&bed, "ls"), "");
    assert_eq!(verdict(&bed, "rm -rf /"), "deny it: no (rule)");
}

#[test]
fn a_hook_is_a_function_a_constant_or_the_default() {
    for source in [
        "export function handle() { return { verdict: 'ask', code: 'c', reason: 'why' }; }",
        "export const handle = () => ({ verdict: 'ask', code: 'c', reason: 'why' });",
        "export default function () { return { verdict: 'ask', code: 'c', reason: 'why' }; }",
        "const f = () => ({ verdict: 'ask', code: 'c', reason: 'why' });\nexport { f as handle };",
        "#!/usr/bin/env node\nexport default () => ({ verdict: 'ask', code: 'c', reason: 'why' });",
    ] {
        assert_eq!(verdict(&bed("hook.mjs", source), "ls"), "ask it: why (c)", "{source}");
    }
}

#[test]
fn the_hosts_own_interfaces_can_be_imported_by_their_names() {
    let source = "import * as log from 'hookbox:hook/log@0.2.0';
import * as clock from 'hookbox:hook/clock@0.2.0';
export function handle(event) {
  log.write('warn', `it is ${typeof clock.now()}`);
  console.log('twice', { two: 2 });
  console.error('and once more');
}";
    let report = bed("hook.js", source);;
    assert_eq!(lines_of(&report), ["warn it is number", "info twice {\"two\":2}", "error and once more"]);
}
