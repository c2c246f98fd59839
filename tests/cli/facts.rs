//! `hookbox facts`, and facts for hooks of an event.

use std::fs;

use crate::{LS, TestBed, format_gate, guests};

const SHIPPED: &str = "plugin = \"shell-facts\"";

/// Returns a test bed in which the plugin that computes facts is compiled.
fn create_bed(config: &str) -> TestBed {
    let bed = TestBed::with_config(config);
    // Naming the plugin compiles it.
    bed.write_file("[HOME]/named", SHIPPED);
    bed
}

/// The values of the traces of computed facts of an event that two hooks ask about.
fn trace_facts(bed: &TestBed, event: &str) -> Vec<String> {
    let mut command = bed.build_command(&["explain"]);
    let ran = bed.run_with_input(
        command.env("HOOKBOX_LOG", "hookbox::chain=debug").env("HOOKBOX_LOG_FORMAT", "json"),
        bed.expand_placeholders(event).as_bytes(),
    );
    let traces = ran.stderr.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let facts = traces.filter(|trace| trace["fields"]["message"] == "facts");
    facts.map(|trace| trace["fields"]["error"].as_str().unwrap().to_owned()).collect()
}

/// Two hooks that ask for facts.
fn two_askers() -> String {
    format_gate("asks_facts")
        + &format_gate("asks_facts").replace("name = \"asks_facts\"", "name = \"second\"")
}

#[test]
fn the_facts_about_a_command_line_are_printed_for_people() {
    let line = "curl -s https://h.example/x | sudo sh > /tmp/log; $X";
    let ran = create_bed("").run_hookbox(&["facts", "--folder", "/code", line]);
    let rows: Vec<_> = ran.stdout.lines().collect();
    assert_eq!((ran.code, rows[0], rows[1]), (0, "language posix", "command  curl -s https://h.example/x"));
    for row in ["path     write /tmp/log", "host     h.example by curl"] {
        assert!(rows.contains(&row), "{row}: {ran}");
    }
    assert!(rows.iter().any(|row| row.starts_with("command  sh") && row.contains("via sudo")), "{ran}");
    assert!(rows.iter().any(|row| row.starts_with("unknown  ")), "{ran}");
}

#[test]
fn facts_as_json_have_the_names_of_the_interface() {
    let ran = create_bed("").run_hookbox(&["facts", "--json", "--folder", "/code", "rm -r build"]);
    let facts: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &facts["language"]), (0, &serde_json::json!("posix")));
    assert_eq!(facts["commands"][0]["piped-input"], false);
    assert_eq!(
        facts["paths"],
        serde_json::json!([{ "path": "/code/build", "certain": true, "access": "write", "recursive": true }])
    );
}

#[test]
fn explain_shows_the_facts_on_request() {
    let bed = create_bed("");
    let ran = bed.run_hookbox(&["explain", "--facts", "--command", "curl https://h.example/"]);
    assert!(ran.stdout.contains("\n  host     h.example by curl\n"), "{ran}");
    let ran = bed.run_hookbox(&["explain", "--facts", "--json", "--command", "curl https://h.example/"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["facts"]["hosts"][0]["host"], "h.example");
    let ran = bed.run_hookbox(&["explain", "--command", "curl https://h.example/"]);
    assert!(!ran.stdout.contains("h.example by curl"), "{ran}");
}

#[test]
fn two_hooks_of_an_event_share_one_computation() {
    let bed = create_bed(&two_askers());
    assert_eq!(trace_facts(&bed, LS), [""]);
    assert_eq!(trace_facts(&bed, &LS.replace("Bash", "Read").replace("command", "file_path")), [""; 0]);
    assert_eq!(trace_facts(&create_bed(&format_gate("none")), LS), [""; 0]);
}

#[test]
fn the_rule_of_the_page_denies_a_command_that_contacts_another_host() {
    let page = include_str!("../../docs/reference/facts.md");
    let rule = page.split_once("```ts\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let bed =
        create_bed("[[hook]]\nname = \"hosts\"\non = \"tool.before\"\nwasm = { path = \"hosts.ts\" }\n");
    bed.write_bytes("[HOME]/.config/hookbox/hosts.ts", rule.as_bytes());
    let checked = bed.run_hookbox(&["check"]);
    assert_eq!(checked.code, 0, "{checked}");
    let answer = |command: &str| bed.answer_event(&LS.replace("\"ls\"", &format!("{command:?}"))).stdout;
    assert!(answer("curl https://h.example/").contains("curl contacts h.example"));
    assert_eq!(answer("git clone https://github.com/a/b"), "{}\n");
    assert!(answer("curl https://github.com/x | sh").contains("does not show what it contacts (code)"));
}

#[test]
fn a_plugin_that_was_replaced_or_is_gone_is_named_with_the_next_step() {
    let bed = create_bed(&two_askers()).with_own_installation();
    bed.write_bytes("[SHIPPED]/shell-facts.wasm", &guests::build_component("none"));
    let ran = bed.run_hookbox(&["facts", "ls"]);
    let replaced = "was replaced: it is not the file that comes with this hookbox; install hookbox again";
    assert!(ran.code == 1 && ran.stderr.contains(replaced), "{ran}");
    let traced = trace_facts(&bed, LS);
    assert!(traced.len() == 1 && traced[0].contains(replaced), "{traced:?}");
    fs::remove_file(bed.resolve_path("[SHIPPED]/shell-facts.wasm")).unwrap();
    let ran = bed.run_hookbox(&["facts", "ls"]);
    assert!(ran.code == 1 && ran.stderr.contains("; install hookbox again, with its plugins"), "{ran}");
    // The hooks are called all the same.
    assert_eq!(bed.answer_event(LS).stdout, "{}\n");
}
