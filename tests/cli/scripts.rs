//! Plugins that are one file of JavaScript or TypeScript.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::{LS, TestBed};

/// A gate `it` that calls this script.
fn format_gate(script: &str, keys: &str) -> String {
    format!("[[hook]]\nname = \"it\"\non = \"tool.before\"\nwasm = {{ path = \"{script}\" }}\n{keys}\n")
}

/// With a gate of this file of source, and a cache of its own.
fn create_bed(name: &str, source: &str) -> TestBed {
    let bed = TestBed::with_config(&format_gate(name, "")).with_own_cache();
    bed.write_bytes(&format_script_path(name), source.as_bytes());
    bed
}

fn format_script_path(name: &str) -> String {
    format!("[HOME]/.config/hookbox/{name}")
}

/// What the gate says of a command: the verdict, and why.
fn answer_verdict(bed: &TestBed, command: &str) -> String {
    let ran = bed.answer_event(&LS.replace("\"ls\"", &format!("{command:?}")));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran}"));
    let decision = &answer["hookSpecificOutput"];
    let word = |key: &str| decision[key].as_str().unwrap_or_default().to_owned();
    format!("{} {}", word("permissionDecision"), word("permissionDecisionReason")).trim().to_owned()
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
    let bed = create_bed("guard.js", GUARD);
    assert_snapshot!(bed.run_hookbox(&["check"]), @"
    exit code 0
    --- stdout
    ok    it: wasm [HOME]/.config/hookbox/guard.js
    1 hook checked: 0 errors, 0 warnings, 0 that cannot run
    --- stderr
    checked in [TIME]
    ");
    assert_eq!(answer_verdict(&bed, "ls"), "");
    assert_eq!(answer_verdict(&bed, "rm -rf /"), "deny it: rm -rf / removes everything (removes-root)");
}

#[test]
fn types_are_taken_out_of_a_file_of_typescript() {
    let source = r#"import { deny, type Answer } from "hookbox";
import type { HookEvent } from "hookbox";

interface Rule { readonly command: string; why: string }

const RULES: Rule[] = [{ command: "rm -rf /", why: "no" }] satisfies Rule[];

export default (event: HookEvent): Answer | undefined => {
  const rule = RULES.find((rule: Rule) => rule.command === event.tool!.command);
  return rule ? deny("rule" as string, rule.why) : undefined;
};
"#;
    let bed = create_bed("guard.ts", source);
    assert_eq!(answer_verdict(&bed, "ls"), "");
    assert_eq!(answer_verdict(&bed, "rm -rf /"), "deny it: no (rule)");
}

/// The hook of the first page.
fn read_first_example() -> &'static str {
    let page = include_str!("../../README.md");
    page.split_once("```ts\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0
}

#[test]
fn a_script_is_added_as_the_first_page_says_and_then_asks() {
    let bed = TestBed::new();
    bed.write_bytes("[PROJECT]/push-to-main.ts", read_first_example().as_bytes());
    let add = ["plugin", "add", "push-to-main.ts", "--on", "tool.before", "--tool", "shell", "--yes"];
    let ran = bed.run_hookbox(&add);
    assert_eq!(ran.code, 0, "{ran}");
    let lock = fs::read_to_string(bed.resolve_path("[HOME]/.config/hookbox/hookbox.lock")).unwrap();
    assert!(lock.contains("file = \"plugins/push-to-main.ts\""), "{lock}");
    let tried =
        |command: &str| bed.run_hookbox(&["try", "tool.before", "--tool", "Bash", "--command", command]);
    let (asks, passes) = (tried("git push origin main"), tried("git push origin mine"));
    assert!(asks.stdout.contains("decision ask by push-to-main (push-to-main)\n"), "{asks}");
    assert!(passes.code == 0 && !passes.stdout.contains(" ask by "), "{passes}");
}

#[test]
fn a_script_that_cannot_be_read_is_not_added() {
    let bed = TestBed::new();
    bed.write_bytes("[PROJECT]/guard.js", b"export function handle() {\n  return {;\n}\n");
    let ran = bed.run_hookbox(&["plugin", "add", "guard.js", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("guard.js:2:"), "{ran}");
    for name in ["hooks.toml", "hookbox.lock", "plugins"] {
        assert!(!bed.resolve_path(&format!("[HOME]/.config/hookbox/{name}")).exists(), "{name}");
    }
}

#[test]
fn the_first_pages_hook_asks_before_a_push_to_main() {
    let source = read_first_example();
    let bed = create_bed("push-to-main.ts", source);
    assert_eq!(answer_verdict(&bed, "git push origin main"), "ask it: Push to main? (push-to-main)");
    assert_eq!(answer_verdict(&bed, "git push origin mine"), "");
    let types = include_str!("../../sdk/javascript/hookbox.d.ts");
    let words = source.split(|c: char| !c.is_ascii_alphanumeric());
    let named = words.skip_while(|word| *word != "type").nth(1).unwrap();
    assert!(types.contains(&format!("export type {named} =")), "{named}");
}

#[test]
fn a_hook_is_a_function_a_constant_or_the_default() {
    for source in [
        "export default function () { return { verdict: 'ask', code: 'c', reason: 'why' }; }",
        "const f = () => ({ verdict: 'ask', code: 'c', reason: 'why' });\nexport { f as handle };",
        "#!/usr/bin/env node\nexport default () => ({ verdict: 'ask', code: 'c', reason: 'why' });",
    ] {
        assert_eq!(answer_verdict(&create_bed("hook.mjs", source), "ls"), "ask it: why (c)", "{source}");
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
    assert_eq!(
        run_and_read_log(&create_bed("hook.js", source)),
        ["warn: it is number", "info: twice {\"two\":2}", "error: and once more"]
    );
}

/// The lines that the gate logs for `ls`.
fn run_and_read_log(bed: &TestBed) -> Vec<String> {
    let mut command = bed.build_command(&["run", "--report", "[HOME]/report.jsonl"]);
    let ran = bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes());
    let report = fs::read_to_string(bed.resolve_path("[HOME]/report.jsonl")).unwrap();
    let told: Value = serde_json::from_str(&report).unwrap();
    let lines = told["hooks"][0]["log"].as_array().unwrap_or_else(|| panic!("{ran}{report}"));
    let line =
        |line: &Value| format!("{}: {}", line["level"], line["message"].as_str().unwrap()).replace('"', "");
    lines.iter().map(line).map(|line| line.replace("{two:2}", "{\"two\":2}")).collect()
}

#[test]
fn what_its_top_level_logs_is_dropped_and_the_hook_goes_on() {
    let source = "console.log('made');\nexport const handle = () => console.log('called');";
    assert_eq!(run_and_read_log(&create_bed("hook.js", source)), ["info: called"]);
}

#[test]
fn it_is_given_the_events_time_and_chance() {
    let source = "export const handle = (event) => console.log(Date.now() === event.time, Math.random() < 1, new Date().getTime() === Date.now());";
    assert_eq!(run_and_read_log(&create_bed("hook.js", source)), ["info: true true true"]);
}

#[test]
fn an_error_is_reported_with_its_line_in_the_script() {
    let source = "function help() {\n  return nothere;\n}\nexport const handle = () => help();";
    assert_eq!(
        run_and_read_log(&create_bed("hook.js", source)),
        ["error: ReferenceError: nothere is not defined\n  at help (line 2)\n  at handle (line 4)"]
    );
}

#[test]
fn a_changed_script_is_another_plugin() {
    let bed = create_bed("guard.js", GUARD);
    assert_eq!(answer_verdict(&bed, "rm -rf /"), "deny it: rm -rf / removes everything (removes-root)");
    bed.write_bytes(&format_script_path("guard.js"), GUARD.replace("rm -rf /", "ls").as_bytes());
    // No hook's denial: hookbox's own files are below it.
    assert!(answer_verdict(&bed, "rm -rf /").starts_with("deny hookbox-files: "));
    assert_eq!(answer_verdict(&bed, "ls"), "deny it: ls removes everything (removes-root)");
}

#[test]
fn a_script_is_pinned_by_its_own_digest() {
    let bed = create_bed("guard.js", GUARD);
    let pin = format!("sha256 = \"{}\"", "0".repeat(64));
    let config = format_gate("guard.js", "").replace("guard.js\"", &format!("guard.js\", {pin}"));
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &config);
    assert_snapshot!(answer_verdict(&bed, "ls"), @r#"deny it: the hook failed, and its failure policy decides (replaced: the plugin [HOME]/.config/hookbox/guard.js was replaced: its SHA-256 is not 0000000000000000000000000000000000000000000000000000000000000000, the digest in its hook's entry; if that was you, write `sha256 = "09e87a73d15e78bae14a23f927faf4b45ffde4812794241ca878a92a42bd71da"`) (hook-failed)"#);
}

#[test]
fn two_concurrent_checks_of_one_script_both_succeed() {
    let bed = create_bed("guard.js", GUARD);
    let start = || bed.build_command(&["check"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let both = [start(), start()];
    for ran in both.map(|child| bed.wait_for(child)) {
        assert!(ran.stdout.contains("1 hook checked: 0 errors, 0 warnings, 0 that cannot run"), "{ran}");
    }
}

#[test]
fn a_script_is_looked_into_like_any_plugin() {
    let bed = create_bed("guard.js", GUARD);
    bed.write_bytes("[PROJECT]/guard.ts", GUARD.as_bytes());
    let ran = bed.run_hookbox(&["plugin", "inspect", "guard.ts"]);
    let shown = |line: &&str| {
        ["script", "kind", "size", "manifest", "broken"].iter().any(|key| line.starts_with(key))
    };
    assert_snapshot!(ran.stdout.lines().filter(shown).collect::<Vec<_>>().join("\n"), @"
    script    TypeScript: its top level was run once, with nothing to act on
    size      179 bytes
    kind      typed hook (a component that exports `handle`)
    manifest  none: it has the granted capabilities
    ");
    assert!(ran.code == 0 && ran.stdout.contains("imports   hookbox:hook/kv@0.2.0"), "{ran}");
    let json = bed.run_hookbox(&["plugin", "inspect", "guard.ts", "--json"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["script"], "typescript");
}

#[test]
fn of_a_script_that_cannot_be_read_nothing_is_said_to_have_run() {
    let bed = create_bed("guard.js", GUARD);
    bed.write_file("[PROJECT]/bad.js", "export function handle( {\n");
    for words in [&["plugin", "inspect", "bad.js"][..], &["plugin", "add", "bad.js", "--yes"]] {
        let ran = bed.run_hookbox(words);
        assert!(ran.code == 1 && ran.stdout.contains("script    JavaScript\n"), "{ran}");
    }
}

#[test]
fn a_script_takes_no_manifest() {
    let bed = create_bed("guard.js", GUARD);
    bed.write_bytes("[PROJECT]/guard.js", GUARD.as_bytes());
    bed.write_file("[PROJECT]/plugin.toml", "name = \"acme/guard\"\nversion = \"1.0.0\"\n");
    assert_snapshot!(bed.run_hookbox(&["plugin", "manifest", "guard.js", "plugin.toml"]), @"
    exit code 1
    --- stdout
    --- stderr
    error: guard.js is a script in JavaScript, and a script has no manifest: it has the granted capabilities
    ");
}

#[test]
fn a_script_of_an_untrusted_project_is_an_untrusted_plugin() {
    let bed = TestBed::new().with_own_cache();
    // hookbox's own rules come first: they would refuse `rm -rf /`.
    let script = GUARD.replace("\"rm -rf /\"", "\"rm -rf build\"");
    bed.write_bytes("[PROJECT]/.hookbox/guard.js", script.as_bytes());
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &format_gate("guard.js", ""));
    assert_snapshot!(bed.run_hookbox(&["check"]), @"
    exit code 0
    --- stdout
    ok    it: wasm [PROJECT]/.hookbox/guard.js
    1 hook checked: 0 errors, 0 warnings, 0 that cannot run
    --- stderr
    checked in [TIME]
    ");
    assert_snapshot!(bed.answer_event(&LS.replace("\"ls\"", "\"rm -rf build\"")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"project hook 1: an untrusted rule of this project"}}
    --- stderr
    "#);
}
