//! Versions of hookbox's world: what was built against one goes on working (`docs/reference/wit.md`).

use std::fs;

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{Event, Grants, HookReport, Json, KvGrant, Reason, Scope, Status, Verdict},
};
use sha2::{Digest, Sha256};

use crate::{Bed, create_hook, dispatch_event, guests, tool_event};

/// What this guest says of a tool call, with a store of its own.
fn run_guest(guest: &str, settings: &str) -> HookReport {
    report_of(&guests::build_component(guest), settings)
}

fn report_of(component: &[u8], settings: &str) -> HookReport {
    let bed = Bed::new();
    let plugin = bed.write_file("guest.wasm", component);
    let grants = Grants { kv: KvGrant::new([Scope::User]), ..Grants::default() };
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(&plugin) });
    let spec = HookSpec { target, config: Json::parse(settings).unwrap(), ..create_hook("guest", &plugin) };
    let host = bed.builder().state(&bed.join_path("state")).hooks([spec]).build();
    let event = Event { time: 1_700_000_000_123, ..tool_event() };
    dispatch_event(&host, event).reports.remove(0)
}

fn expect_verdict(report: &HookReport) -> Verdict {
    match &report.status {
        Status::Answered(answer) => answer.verdict.clone(),
        other => panic!("expected an answer, not {other:?}"),
    }
}

fn read_log(report: &HookReport) -> Vec<&str> {
    let lines: Vec<_> = report.log.iter().map(|line| line.message.as_str()).collect();
    assert!(!lines.is_empty(), "{:?}", report.status);
    lines
}

/// What every function of 0.1.0 says: the event's name, the settings, the source, so many random bytes, the time as the store has
/// it, no swap, a value that is set, its key, and none when it is deleted.
const FIRST: [&str; 9] = [
    "tool.before",
    r#"{"a":"b"}"#,
    r#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#,
    "4",
    "1700000000123",
    "0",
    "one",
    "k",
    "0",
];

#[test]
fn the_words_of_0_1_0_are_what_they_were() {
    let files = fs::read_dir(guests::repository_folder("wit/0.1.0")).unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect::<String>();
    let words = texts.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    let digest = Sha256::digest(words.collect::<Vec<_>>().join("\n"));
    let digest = digest.iter().fold(String::new(), |digest, byte| digest + &format!("{byte:02x}"));
    assert_eq!(digest, "c7a4ba2f8821ecc1578915f27854574f223499835e4a7d43d3c9c16bac36c5ab");
}

#[test]
fn a_component_that_asks_for_all_of_0_1_0_is_given_all_of_it() {
    let report = run_guest("all_of_0_1", r#"{"a":"b"}"#);
    assert_eq!(read_log(&report), FIRST);
    assert_eq!(expect_verdict(&report), Verdict::Deny(Reason::new("k", "one")));
}

#[test]
fn a_component_that_asks_for_all_of_0_2_0_is_given_the_same_and_what_came_with_it() {
    let report = run_guest("all_of_0_2", r#"{"a":"b"}"#);
    let second = ["1", "0", "0", "0", r#""one""#, "1", "0", "1"];
    assert_eq!(read_log(&report), [&FIRST[..], &second[..]].concat());
    assert_eq!(expect_verdict(&report), Verdict::Deny(Reason::new("k", "one")));
}

#[test]
fn a_component_of_both_versions_is_given_the_interfaces_of_both() {
    assert_eq!(read_log(&run_guest("of_both_versions", r#"{"a":"b"}"#)), ["b", "b"]);
}

#[test]
fn a_component_of_a_later_patch_that_asks_for_nothing_new_is_given_it() {
    let component = guests::build_component("all_of_0_2");
    let later = replace_bytes(&component, b"@0.2.0", b"@0.2.9");
    assert_ne!(later, component);
    let reports = [&component, &later].map(|component| report_of(component, r#"{"a":"b"}"#));
    assert_eq!(read_log(&reports[0]), read_log(&reports[1]));
}

fn replace_bytes(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let found = bytes.windows(old.len()).enumerate().filter(|(_, part)| *part == old);
    let mut changed = bytes.to_vec();
    for (at, _) in found {
        changed[at..at + old.len()].copy_from_slice(new);
    }
    changed
}
