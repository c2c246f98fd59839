//! `check`, `doctor` and `setup` with `--json`, and the colours of every command.

use std::{collections::BTreeSet, fs};

use serde_json::{Value, json};

use crate::{Ran, TestBed, format_gate, guests, setup::run_on_terminal};

/// The only levels, which docs/reference/cli.md lists.
const LEVELS: [&str; 6] = ["ok", "change", "odd", "wrong", "todo", "left"];

fn parse_findings(ran: &Ran, command: &str) -> Vec<Value> {
    let object: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        object.as_object().unwrap().keys().map(String::as_str).collect::<BTreeSet<_>>(),
        BTreeSet::from(["command", "findings", "ok", "schema_version", "version"]),
        "{ran}"
    );
    assert_eq!(object["schema_version"], 1);
    assert_eq!(object["command"], command);
    assert_eq!(object["ok"], json!(ran.code == 0), "{ran}");
    let findings = object["findings"].as_array().unwrap().clone();
    for finding in &findings {
        assert!(LEVELS.contains(&finding["level"].as_str().unwrap()), "{finding}");
        assert!(finding["subject"].is_string() && finding["text"].is_string(), "{finding}");
    }
    findings
}

fn make_finding(level: &str, subject: &str, text: &str) -> Value {
    json!({ "level": level, "subject": subject, "text": text })
}

#[test]
fn doctor_prints_its_findings_as_json_and_its_lines_to_standard_error() {
    let bed = TestBed::with_config(&format_gate("none"));
    let mut ran = bed.run_hookbox(&["doctor", "--json"]);
    // The bed leaves lines about its own build out, and so would break the JSON.
    let unmasked = bed.build_command(&["doctor", "--json"]).output().unwrap();
    ran.stdout = String::from_utf8(unmasked.stdout).unwrap();
    let findings = parse_findings(&ran, "doctor");
    assert!(findings.contains(&make_finding("ok", "hook", "none")), "{ran}");
    assert!(
        findings.contains(&make_finding("odd", "agents", "none that hookbox knows is on this machine")),
        "{ran}"
    );
    assert!(ran.stderr.contains("ok      hook: none\n"), "{ran}");
}

#[test]
fn check_prints_each_problem_and_each_hook() {
    let ran = TestBed::with_config(&format_gate("none")).run_hookbox(&["check", "--json"]);
    assert_eq!(
        parse_findings(&ran, "check"),
        [make_finding("ok", "none", "wasm [GUESTS]/none.wasm")],
        "{ran}"
    );
    let ran = TestBed::with_config("[[hook]]\nname = \"x\"\n").run_hookbox(&["check", "--json"]);
    let findings = parse_findings(&ran, "check");
    assert_eq!(findings[0]["level"], "wrong", "{ran}");
    assert_eq!(findings[0]["subject"], "[HOME]/.config/hookbox/hooks.toml:1:1", "{ran}");
}

#[test]
fn setup_prints_its_changes_and_the_result_for_each_agent() {
    let bed = TestBed::new();
    fs::create_dir_all(bed.resolve_path("[HOME]/.cursor")).unwrap();
    let ran = bed.run_hookbox(&["setup", "--json", "--yes"]);
    let findings = parse_findings(&ran, "setup");
    let change = make_finding("change", "[HOME]/.cursor/hooks.json", "its content changes");
    assert!(ran.code == 0 && findings.contains(&change), "{ran}");
    let is_denial = |finding: &Value| finding["level"] == "ok" && finding["subject"] == "cursor";
    assert!(findings.iter().any(is_denial), "{ran}");
    let ran = bed.run_hookbox(&["setup", "--remove", "--json"]);
    let findings = parse_findings(&ran, "setup");
    let text =
        "nothing was written: the question needs a terminal; `hookbox setup --remove --yes` writes this";
    assert!(ran.code == 2 && findings.contains(&make_finding("wrong", "hookbox", text)), "{ran}");
}

#[test]
fn the_page_of_the_command_line_lists_every_level() {
    let page = fs::read_to_string(guests::repository_folder("docs/reference/cli.md")).unwrap();
    for level in LEVELS {
        assert!(page.contains(&format!("| `{level}` |")), "{level}");
    }
}

/// A terminal with colours, and a configuration whose error is shown in red.
fn colourful_bed() -> TestBed {
    TestBed::with_config("[[hook]\n").with_variable("TERM", "xterm")
}

#[test]
fn no_color_switches_colours_off_on_a_terminal() {
    assert!(run_on_terminal(&colourful_bed(), &["status"], "").contains('\x1b'));
    let bed = colourful_bed().with_variable("NO_COLOR", "1");
    assert!(!run_on_terminal(&bed, &["status"], "").contains('\x1b'));
}

#[test]
fn the_option_color_takes_precedence_over_the_terminal_and_no_color() {
    let shown = run_on_terminal(&colourful_bed(), &["status", "--color", "never"], "");
    assert!(!shown.contains('\x1b'), "{shown:?}");
    let bed = colourful_bed().with_variable("NO_COLOR", "1");
    let ran = bed.run_hookbox(&["status", "--color", "always"]);
    assert!(ran.stdout.contains('\x1b'), "{ran}");
    assert!(!bed.run_hookbox(&["status", "--color", "auto"]).stdout.contains('\x1b'));
    assert_eq!(bed.run_hookbox(&["status", "--color", "sometimes"]).code, 2);
}
