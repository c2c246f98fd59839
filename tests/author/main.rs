//! The author's tools from outside, as `hookbox plugin new`, `build`, `test`, `profile` and `wit`.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "the command is a process")]

mod build;
#[path = "../support/guests.rs"]
#[expect(dead_code, reason = "other tests make more of them")]
mod guests;
mod new;
mod one_file;
mod own_command;
mod profile;
mod test;
#[path = "../support/testbed.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod testbed;
mod tour;
mod watch;
mod wit;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use testbed::TestBed;

/// Where tools are found that a test makes.
const TOOLS: &str = "[HOME]/tools";

const TOML: &str = "name = \"acme/guard\"\nversion = \"0.1.0\"\nevents = [\"tool.before\"]\n\
                    effects = [\"deny-code\", \"deny-text\"]\n";

/// A bed that finds no tools but those of the test, beside what every shell needs.
fn create_bed() -> TestBed {
    let bed = TestBed::new();
    let path = format!("{}:/usr/bin:/bin", bed.resolve_path(TOOLS).display());
    bed.with_variable("PATH", &path)
}

/// A tool that is this script of a shell.
fn write_tool(bed: &TestBed, name: &str, script: &str) -> PathBuf {
    let file = bed.write_file(&format!("{TOOLS}/{name}"), &format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// A `zig` that makes this file, whatever it is told to build.
fn zig_that_makes(bed: &TestBed, wasm: &[u8]) {
    bed.write_bytes(&format!("{TOOLS}/made.wasm"), wasm);
    write_tool(bed, "zig", COPY);
}

const COPY: &str =
    r#"for word; do case "$word" in -femit-bin=*) cp "${0%/*}/made.wasm" "${word#-femit-bin=}";; esac; done"#;

/// The project of a plugin in Zig.
fn zig_project(bed: &TestBed, toml: &str) {
    bed.write_file("[PROJECT]/plugin.toml", &format!("{toml}\n[build]\nlanguage = \"zig\"\n"));
    bed.write_file("[PROJECT]/src/hook.zig", "");
}

/// A plugin that was built, with the manifest of `TOML` and more.
fn write_built(bed: &TestBed, guest: &str, more: &str) {
    built_of(bed, &guests::build_component(guest), more);
}

fn built_of(bed: &TestBed, wasm: &[u8], more: &str) {
    bed.write_file("[PROJECT]/plugin.toml", &format!("{TOML}{more}"));
    bed.write_bytes("[PROJECT]/build/guard.wasm", wasm);
    let put = bed.run_hookbox(&["plugin", "manifest", "build/guard.wasm", "plugin.toml"]);
    assert_eq!(put.code, 0, "{put}");
}

/// A fixture with the call of a shell and these members.
fn write_fixture(bed: &TestBed, name: &str, members: &str) -> PathBuf {
    let event =
        r#""event": { "event": "tool.before", "tool": { "name": "Bash", "input": { "command": "ls" } } }"#;
    bed.write_file(&format!("[PROJECT]/tests/{name}.json"), &format!("{{\n  {event},\n  {members}\n}}\n"))
}

/// Every file below, from there.
fn list_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(here).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// Without what varies from run to run: sizes, times, digests, what a call used.
fn mask_measurements(text: &str) -> String {
    let text = without_work(text);
    let lines = text.lines().filter(|line| !line.starts_with("sha256"));
    let numbers = |line: &str| line.split(' ').map(mask_number).collect::<Vec<_>>().join(" ");
    lines
        .map(|line| if is_measured(line) { numbers(line) } else { line.to_owned() })
        .collect::<Vec<_>>()
        .join("\n")
}

/// With one name for the folder of every build.
fn without_work(text: &str) -> String {
    const WORK: &str = "/.work-";
    let mut parts = text.split(WORK);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + WORK + "[N]" + part.trim_start_matches(|c: char| c.is_ascii_alphanumeric())
    })
}

fn is_measured(line: &str) -> bool {
    ["built ", "compiled ", "ok ", "FAIL "].iter().any(|start| line.starts_with(start))
}

fn mask_number(word: &str) -> String {
    let digits = word.trim_start_matches('(').trim_end_matches([',', ';']);
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_number { word.replace(digits, "N") } else { word.to_owned() }
}
