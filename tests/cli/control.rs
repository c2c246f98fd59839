//! `hookbox control`: Claude Code's side of the Agent SDK's control protocol, spoken to the built command.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    Ran, TestBed,
    processes::{KilledAtEnd, expect, expect_none, expect_some, long_sleep},
    shell_gate,
};

const DENIES: &str = "case \"$(cat)\" in *rm*) echo no >&2; exit 2;; esac";

/// The command under way.
struct Control<'a> {
    bed: &'a TestBed,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl<'a> Control<'a> {
    fn start(bed: &'a TestBed, arguments: &[&str]) -> Self {
        let arguments: Vec<_> = ["control"].into_iter().chain(arguments.iter().copied()).collect();
        Self::of(bed, &mut bed.command(&arguments))
    }

    fn of(bed: &'a TestBed, command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { bed, child, input, output: BufReader::new(output) }
    }

    /// One that Claude Code has answered `initialize` of.
    fn initialized(bed: &'a TestBed) -> Self {
        let mut control = Self::start(bed, &[]);
        let id = control.line()["request_id"].clone();
        let response = json!({ "subtype": "success", "request_id": id, "response": { "hook_on_failure_supported": true } });
        control.send(&json!({ "type": "control_response", "response": response }));
        control
    }

    fn write(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    fn ask(&mut self, request: &str, command: &str) {
        self.send(&call(request, command));
    }

    fn line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the output ended: {line:?}");
        serde_json::from_str(&line).unwrap()
    }

    /// Closes standard input; the rest of what is said.
    fn end(mut self) -> Ran {
        drop(self.input.take());
        self.ended()
    }

    fn ended(mut self) -> Ran {
        let mut stdout = String::new();
        self.output.read_to_string(&mut stdout).unwrap();
        let ran = self.bed.end(self.child);
        Ran { stdout, ..ran }
    }
}

fn call(request: &str, command: &str) -> Value {
    let input = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/h/.claude/s.jsonl", "cwd": "/",
        "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t",
    });
    let request_body =
        json!({ "subtype": "hook_callback", "callback_id": "hook_1", "input": input, "tool_use_id": "t" });
    json!({ "type": "control_request", "request_id": request, "request": request_body })
}

fn output(line: &Value) -> (&str, &Value) {
    let response = &line["response"];
    assert_eq!(
        (&line["type"], &response["subtype"]),
        (&json!("control_response"), &json!("success")),
        "{line}"
    );
    (response["request_id"].as_str().unwrap(), &response["response"])
}

fn decision(line: &Value) -> (&str, &str) {
    let (id, output) = output(line);
    (id, output["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("-"))
}

#[test]
fn initialize_comes_first_and_registers_the_users_hooks_for_every_event() {
    let bed = TestBed::new();
    let mut control = Control::start(&bed, &[]);
    let line = control.line();
    assert_eq!(
        (&line["type"], &line["request"]["subtype"]),
        (&json!("control_request"), &json!("initialize"))
    );
    let hooks = line["request"]["hooks"].as_object().unwrap();
    assert_eq!(hooks.len(), 10);
    let tool =
        json!([{ "matcher": null, "hookCallbackIds": ["hook_1"], "timeout": 600, "onFailure": "block" }]);
    assert_eq!(hooks["PreToolUse"], tool);
    let ran = control.end();
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (0, "hookbox: the stream ended before Claude Code answered `initialize`\n")
    );
}

#[test]
fn calls_are_answered_by_the_users_configuration_and_by_that_of_the_session() {
    let bed = TestBed::with(&shell_gate(DENIES, ""));
    let mut control = Control::initialized(&bed);
    control.ask("r1", "rm -rf /");
    control.ask("r2", "ls");
    let mut lines = [control.line(), control.line()];
    lines.sort_by_key(|line| line["response"]["request_id"].to_string());
    assert_eq!(lines.each_ref().map(decision), [("r1", "deny"), ("r2", "-")]);
    let ran = control.end();
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));

    let bed = TestBed::new();
    bed.write("[HOME]/session.toml", &shell_gate("echo of the session >&2; exit 2", ""));
    let mut control = Control::start(&bed, &["--config", "[HOME]/session.toml"]);
    control.line();
    control.ask("r", "ls");
    let reason = output(&control.line()).1["hookSpecificOutput"]["permissionDecisionReason"].clone();
    assert_eq!(reason, "sh: of the session (exit-2)");
    control.end();
}

#[test]
fn messages_are_whole_however_their_bytes_come() {
    let bed = TestBed::with(&shell_gate(DENIES, ""));
    let mut control = Control::initialized(&bed);
    let mut bytes = Vec::new();
    for id in 0..20 {
        bytes.extend(format!("{}\n", call(&format!("r{id}"), "ls")).into_bytes());
    }
    for piece in bytes.chunks(7) {
        control.write(piece);
    }
    let mut ids: Vec<_> = (0..20).map(|_| decision(&control.line()).0.to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
    // One of a megabyte.
    control.ask("long", &"x".repeat(1 << 20));
    assert_eq!(decision(&control.line()), ("long", "-"));
    control.end();
}

#[test]
fn a_message_of_a_hundred_megabytes_is_refused_and_the_next_one_answered() {
    let bed = TestBed::with(&shell_gate(DENIES, ""));
    let mut control = Control::initialized(&bed);
    let long = call("long", "x").to_string();
    let (before, after) = long.split_once("\"x\"").unwrap();
    control.write(before.as_bytes());
    control.write(b"\"");
    let megabyte = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        control.write(&megabyte);
    }
    control.write(format!("\"{after}\n").as_bytes());
    let refused = control.line();
    assert_eq!(decision(&refused), ("long", "deny"));
    let reason = &output(&refused).1["hookSpecificOutput"]["permissionDecisionReason"];
    assert!(reason.as_str().unwrap().ends_with("no longer one than 33554432 is read"), "{reason}");
    control.ask("after", "rm x");
    assert_eq!(decision(&control.line()), ("after", "deny"));
    control.end();
}

#[test]
fn what_is_no_message_of_hooks_is_told_and_the_next_one_is_answered() {
    let bed = TestBed::with(&shell_gate(DENIES, ""));
    let mut control = Control::initialized(&bed);
    control.write(b"hello\n");
    control.send(&json!({ "type": "assistant" }));
    control.send(
        &json!({ "type": "control_request", "request_id": "p", "request": { "subtype": "can_use_tool" } }),
    );
    let refused = control.line();
    assert_eq!(refused["response"]["error"], "Unsupported control request subtype: can_use_tool");
    control.ask("r", "rm -rf /");
    assert_eq!(decision(&control.line()), ("r", "deny"));
    let ran = control.end();
    let expected = "hookbox: the message is not a JSON object: expected value, at line 1 column 1\n\
                    hookbox: messages of the type \"assistant\" are passed over: they are about no hook\n\
                    hookbox: Unsupported control request subtype: can_use_tool (request p)\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (0, expected));
}

#[test]
fn a_message_of_100_mb_is_refused_and_not_kept() {
    let bed = TestBed::with(&shell_gate(DENIES, ""));
    let mut control = Control::initialized(&bed);
    let text = call("long", "@").to_string();
    let (before, after) = text.split_once('@').unwrap();
    control.write(before.as_bytes());
    let piece = vec![b'x'; 1_000_000];
    for _ in 0..100 {
        control.write(&piece);
    }
    control.write(after.as_bytes());
    control.write(b"\n");
    assert_eq!(decision(&control.line()), ("long", "deny"));
    let status = std::fs::read_to_string(format!("/proc/{}/status", control.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kib < 90 << 10, "it took {kib} KiB");
    control.ask("r", "ls");
    assert_eq!(decision(&control.line()), ("r", "-"));
    control.end();
}

#[test]
fn the_end_of_the_stream_a_cancel_and_a_signal_end_the_hooks_that_run() {
    for way in ["end", "cancel", "signal"] {
        let sleep = long_sleep();
        let _killed = KilledAtEnd(sleep.clone());
        let bed = TestBed::with(&shell_gate(&format!("exec sleep {sleep}"), "timeout = \"60s\""));
        let mut control = Control::initialized(&bed);
        control.ask("r", "ls");
        expect_some(&sleep);
        let ran = match way {
            "end" => control.end(),
            "cancel" => {
                control.send(&json!({ "type": "control_cancel_request", "request_id": "r" }));
                expect_none(&sleep);
                control.end()
            }
            _ => {
                kill_process(Pid::from_child(&control.child), Signal::TERM).unwrap();
                control.ended()
            }
        };
        expect_none(&sleep);
        assert_eq!((ran.code, ran.stdout.as_str()), (i32::from(way == "signal"), ""), "{way}: {ran}");
    }
}

#[test]
fn a_claude_code_that_takes_no_hooks_is_told_and_ends_it() {
    let bed = TestBed::new();
    let mut control = Control::start(&bed, &[]);
    let id = control.line()["request_id"].clone();
    let response = json!({ "subtype": "error", "request_id": id, "error": "hooks: invalid key" });
    control.send(&json!({ "type": "control_response", "response": response }));
    let ran = control.ended();
    let expected = "hookbox: no hook is registered: Claude Code refused `initialize`: hooks: invalid key\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (1, expected));
}

/// 100 MB of messages.
const MANY: usize = 100_000;

#[test]
fn whoever_does_not_read_its_answers_is_not_listened_to_and_a_signal_ends_it_still() {
    let bed = TestBed::with(&shell_gate(DENIES, ""));
    let mut control = Control::initialized(&bed);
    let mut input = control.input.take().unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    // More errors than the pipes hold: the writer is held up until its reader is gone.
    let writer = thread::spawn(move || {
        let request = json!({ "subtype": "x".repeat(1000) });
        let bad = json!({ "type": "control_request", "request_id": "r", "request": request });
        while count.load(Ordering::SeqCst) < MANY && input.write_all(format!("{bad}\n").as_bytes()).is_ok() {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    // What one pipe holds is 64 KiB, so it has read some.
    expect("it does not read", || sent.load(Ordering::SeqCst) > 60);
    kill_process(Pid::from_child(&control.child), Signal::TERM).unwrap();
    assert_eq!(control.child.wait().unwrap().code(), Some(1));
    writer.join().unwrap();
    assert!(sent.load(Ordering::SeqCst) < MANY);
}
