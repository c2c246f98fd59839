//! Answers that do not reach the agent: standard output that cannot be written, is full, or is read by nobody.

use std::{
    fs::{self, File},
    io::{PipeReader, PipeWriter, Read, Write, pipe},
    os::fd::AsFd,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use rustix::fs::{OFlags, fcntl_setfl};
use serde_json::Value;

use crate::{LS, Ran, TestBed, case_archive, format_gate};

/// Events of each agent that are looked at.
const EVENTS: usize = 5;

/// Some events of each agent, from the cases of its conformance.
fn read_events() -> Vec<(String, Vec<String>)> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/cases");
    let sorted = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let agent = |folder: PathBuf| {
        let event = |case: &PathBuf| case_archive::read_file(case, "event.json").unwrap();
        let events: Vec<String> =
            case_archive::of_dialect(&folder).unwrap().iter().filter_map(event).collect();
        (folder.file_name().unwrap().to_str().unwrap().to_owned(), events)
    };
    sorted(&cases).into_iter().map(agent).collect()
}

/// What the command says with this as its standard output.
fn run_with_stdout(bed: &TestBed, agent: &str, event: &str, stdout: impl Into<Stdio>) -> Ran {
    bed.run_with_input(
        bed.build_command(&["run", "--agent", agent]).stdout(stdout),
        bed.expand_placeholders(event).as_bytes(),
    )
}

fn open_full_device() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn what_is_refused_and_cannot_be_written_is_an_exit_code_in_every_dialect() {
    // The user's own file is broken, so whatever can be denied is.
    let bed = TestBed::with_config("broken");
    for (agent, events) in read_events() {
        let mut looked_at = 0;
        for event in events {
            let delivered = bed.answer_as(&agent, &event);
            let refused = format!("{}{}", delivered.stdout, delivered.stderr).contains("bad-configuration");
            if !refused || delivered.stdout.is_empty() {
                continue;
            }
            let undelivered = run_with_stdout(&bed, &agent, &event, open_full_device());
            assert_eq!(undelivered.code, 2, "{agent}: {event}");
            assert!(undelivered.stderr.contains("run `hookbox check`"), "{agent}: {undelivered}");
            // An exit code that is a refusal anyway needs no more words.
            let is_reported = delivered.code != 0 || undelivered.stderr.contains("No space left on device");
            assert!(is_reported, "{agent}: {undelivered}");
            looked_at += 1;
            if looked_at == EVENTS {
                break;
            }
        }
        // These say no by their exit code and standard error alone.
        let silent = ["amazon-q", "kimi-code", "windsurf"].contains(&agent.as_str());
        assert!(looked_at > 0 || silent, "no event of {agent} was refused on standard output");
    }
}

#[test]
fn an_invalid_event_with_unwritable_output_is_an_exit_code_in_every_dialect() {
    for (agent, _) in read_events() {
        let undelivered = run_with_stdout(&TestBed::new(), &agent, "no event", open_full_device());
        assert_eq!(undelivered.code, 2, "{agent}: {undelivered}");
    }
}

#[test]
fn a_deny_is_delivered_whatever_standard_output_is() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let (reader, closed) = pipe().unwrap();
    drop(reader);
    let null = || File::options().write(true).open("/dev/null").unwrap();
    let read_only = || File::open("/dev/null").unwrap();
    for (what, stdout) in [
        ("full", Stdio::from(open_full_device())),
        ("closed by its reader", closed.into()),
        ("null", null().into()),
        ("read only", read_only().into()),
    ] {
        let undelivered = run_with_stdout(&bed, "claude-code", LS, stdout);
        assert_eq!(undelivered.code, 2, "{what}: {undelivered}");
        assert!(
            undelivered.stderr.starts_with(
                "denies: because\nhookbox: the answer could not be written to standard output: "
            ),
            "{what}: {undelivered}"
        );
    }
    let closed = bed.run_with_input(
        &mut bed.build_shell_command("exec \"$0\" run --agent claude-code >&-"),
        bed.expand_placeholders(LS).as_bytes(),
    );
    assert_eq!(closed.code, 2, "{closed}");
    assert!(closed.stderr.contains("standard output"), "{closed}");
}

#[test]
fn an_answer_that_lets_through_needs_no_reader() {
    let null = File::options().write(true).open("/dev/null").unwrap();
    assert_eq!(run_with_stdout(&TestBed::new(), "claude-code", LS, null).code, 0);
}

#[test]
fn a_command_that_cannot_write_its_output_reports_it() {
    let bed = TestBed::with_config(&format_gate("denies"));
    for words in [&["list"][..], &["check"], &["explain"], &["doctor"], &["dialects"], &["schema"], &["man"]]
    {
        let ran = bed.run_with_input(
            bed.build_command(words).stdout(open_full_device()),
            bed.expand_placeholders(LS).as_bytes(),
        );
        assert_eq!(ran.code, 1, "{words:?}: {ran}");
        assert!(ran.stderr.contains("the output cannot be written: No space left"), "{words:?}: {ran}");
    }
}

/// A pipe whose writer does not block.
fn nonblocking_pipe() -> (PipeReader, PipeWriter) {
    let (reader, writer) = pipe().unwrap();
    fcntl_setfl(&writer, OFlags::NONBLOCK).unwrap();
    (reader, writer)
}

/// An event of run-claude that is answered as it is.
fn long_event() -> String {
    let long = "x".repeat(1_000_000);
    format!(
        r#"{{"event":"pre_request","model":"m","request_id":"r","timestamp":1.0,"messages":[{{"role":"user","content":"{long}"}}],"metadata":{{}}}}"#
    )
}

fn spawn_with_event(command: &mut Command, event: String) -> std::process::Child {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    thread::spawn(move || drop(stdin.write_all(event.as_bytes())));
    child
}

#[test]
fn a_long_answer_is_whole_on_a_pipe_that_does_not_block() {
    let bed = TestBed::new();
    let (mut reader, writer) = nonblocking_pipe();
    let mut command = bed.build_command(&["run", "--agent", "run-claude"]);
    let mut child = spawn_with_event(command.stdout(writer), long_event());
    drop(command);
    // Nothing is read before the pipe is full.
    while rustix::io::ioctl_fionread(reader.as_fd()).unwrap() < 60_000 {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before its answer was read");
        thread::yield_now();
    }
    let mut answer = String::new();
    reader.read_to_string(&mut answer).unwrap();
    assert!(child.wait().unwrap().success());
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["messages"][0]["content"].as_str().unwrap().len(), 1_000_000);
}

#[test]
fn an_unread_answer_ends_as_a_refusal() {
    let bed = TestBed::new();
    for pipe in [nonblocking_pipe(), pipe().unwrap()] {
        let (_reader, writer) = pipe;
        let mut command = bed.build_command(&["run", "--agent", "run-claude", "--agent-timeout", "1s"]);
        let child = spawn_with_event(command.stdout(writer), long_event());
        let ran = bed.wait_for(child);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("nobody reads it"), "{ran}");
    }
}

/// Who reads standard output to its end first, and standard error never.
#[test]
fn unread_standard_error_holds_back_no_answer() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let name = "long".repeat(60);
    let hook = |number| {
        let path = format!("{name}-{number}.wasm");
        format!(
            "[[hook]]\nname = \"h{number}\"\non = \"tool.before\"\nrole = \"observe\"\nwasm = {{ path = \"{path}\" }}\n"
        )
    };
    let hooks: String = (0..100).map(hook).collect();
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &hooks);
    let mut child = spawn_with_event(
        &mut bed.build_command(&["run", "--agent", "claude-code"]),
        bed.expand_placeholders(LS),
    );
    let mut answer = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(answer.contains(r#""permissionDecision":"deny""#), "{answer}");
    let mut warnings = String::new();
    child.stderr.take().unwrap().read_to_string(&mut warnings).unwrap();
    assert!(warnings.len() <= 4096 && warnings.contains("hookbox: and "), "{warnings}");
}
