//! Comparison with real shells on the same lines. Without bash nothing is compared, which is reported.
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "shells are processes, and a test that compares nothing says so"
)]

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use guard_shell::judge;

use crate::{
    disguises::{Random, removal},
    support::{CWD, policy, verdict},
};

fn is_there(shell: &str) -> bool {
    let found = Command::new(shell).args(["-c", ":"]).status().is_ok_and(|status| status.success());
    if !found {
        eprintln!("{shell} is not there: nothing is compared");
    }
    found
}

/// A folder with a program `zq` that prints how it was called.
fn stub(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    let program = folder.join("zq");
    fs::write(&program, "#!/bin/sh\nprintf '<%s>' zq \"$@\"; echo\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn printed(shell: &str, line: &str, folder: &Path) -> String {
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let mut command = Command::new(shell);
    command.args(["-c", line]).env_clear().env("PATH", path).env("HOME", folder).current_dir(folder);
    let output = command.stdin(Stdio::null()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The spellings are what they are said to be, and the guard knows each of them.
#[test]
fn a_removal_that_bash_runs_is_found_in_every_spelling() {
    let bash = is_there("bash");
    let folder = stub("spellings");
    let (mut caught, mut missed) = (0, Vec::new());
    for seed in 0..3000 {
        let line = removal(seed, "rm", "/");
        if verdict(&line) == "deny rm-root" {
            caught += 1;
        } else {
            missed.push(line);
        }
        if bash && seed < 150 {
            let line = removal(seed, "zq", "/");
            assert!(printed("bash", &line, &folder).contains("<zq><-rf></>"), "bash does not run it: {line}");
        }
    }
    assert!(caught * 100 >= 2970 * 100, "{caught} of 3000: {:#?}", missed.get(..missed.len().min(20)));
}

/// Pieces of words: each is complete, so that any row of them is a line.
const PIECES: &[&str] = &[
    "a",
    "b",
    "-",
    "/",
    ".",
    " ",
    "  ",
    "\t",
    "\\\n",
    "\\\n  ",
    "\\\\",
    "\\ ",
    "\\'",
    "\\\"",
    "\\$",
    "\\a",
    "''",
    "'a b'",
    "'\\'",
    "'a\\\nb'",
    "\"\"",
    "\"a b\"",
    "\"\\\"\"",
    "\"\\\\\"",
    "\"a\\\nb\"",
    "\"\\a\"",
    "\"'\"",
    "'\"'",
    "$'a'",
    "$'\\x41'",
    "$'\\n'",
    "${u-d}",
    "\"${u-d e}\"",
    "${u-\"d e\"}",
    "$(printf c)",
    "\"$(printf 'c d')\"",
    "`printf e`",
    "$\\\n(printf f)",
    "#",
    "{a,b}",
    "{a",
    ",",
    "}",
    "=",
    "%",
    "$((1))",
    "\"$((1))\"",
];

/// The words that the guard sees behind `zq`, as the text of a finding shows them.
fn seen(line: &str) -> Option<String> {
    let config = policy(r#"{"ask": ["too-complex"], "commands": {"deny": ["zq"]}}"#);
    let decision = judge(line, CWD, &config).filter(|decision| decision.code == "command-denied")?;
    let (_, text) = decision.text.split_once('`')?;
    Some(text.split_once("` is on")?.0.to_owned())
}

/// Line by line: the words that bash sees are the words that the guard sees.
#[test]
fn the_guard_sees_the_words_that_bash_sees() {
    if !is_there("bash") {
        return;
    }
    let folder = stub("words");
    let mut compared = 0;
    let mut random = Random::new(7);
    let lines: Vec<String> = (0..1200)
        .map(|_| {
            let count = 1 + random.below(9);
            let words: String = (0..count).map(|_| random.pick(PIECES)).collect();
            format!("zq {words}")
        })
        .collect();
    for chunk in lines.chunks(60) {
        // One process for many lines: each is a script of its own, and its output ends in a line of ours.
        let quoted =
            chunk.iter().map(|line| format!("bash -c '{}'; echo; echo =", line.replace('\'', "'\\''")));
        let all = printed("bash", &quoted.collect::<Vec<_>>().join("\n"), &folder);
        for (line, shown_words) in chunk.iter().zip(all.split("\n=\n")) {
            let Some(seen) = seen(line) else { continue };
            // What is only known when it runs is not compared, nor what a finding does not show in full.
            if seen.contains('…') || seen.contains("\\u{") || shown_words.contains("\n<") {
                continue;
            }
            let first = shown_words.lines().find(|line| line.starts_with("<zq>")).unwrap_or_default();
            let words = first.trim_start_matches('<').trim_end_matches('>').replace("><", " ");
            assert_eq!(seen, words, "{line:?}");
            compared += 1;
        }
    }
    assert!(compared > 600, "only {compared} lines were compared");
}

/// Compares the judge's parser with bash: both reject a line, or the guard asks.
#[test]
fn a_line_that_bash_does_not_read_is_not_judged_as_harmless_words() {
    if !is_there("bash") {
        return;
    }
    for line in ["echo 'a", "echo $(ls", "if true; then", "ls |", ")", "ls ;; ls", "for ((;;;)); do ls; done"]
    {
        let status = Command::new("bash").args(["-n", "-c", line]).stderr(Stdio::null()).status().unwrap();
        assert!(!status.success(), "bash reads it: {line}");
        assert_eq!(verdict(line), "ask unparsable", "{line}");
    }
}
