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
    processes::{KilledAtEnd, expect_none, expect_some, long_sleep, wait_until},
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
    fn start_with(bed: &'a TestBed, arguments: &[&str]) -> Self {
        let arguments: Vec<_> = ["control"].into_iter().chain(arguments.iter().copied()).collect();
        Self::spawn_command(bed, &mut bed.build_command(&arguments))
    }

    fn spawn_command(bed: &'a TestBed, command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { bed, child, input, output: BufReader::new(output) }
    }

    /// One that Claude Code has answered `initialize` of.
    fn start_initialized(bed: &'a TestBed) -> Self {
        let mut control = Self::start_with(bed, &[]);
        let id = control.read_line()["request_id"].clone();
        let response = json!({ "subtype": "success", "request_id": id, "response": { "hook_on_failure_supported": true } });
        control.send_message(&json!({ "type": "control_response", "response": response }));
        control
    }

    fn write_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    fn send_message(&mut self, message: &Value) {
        self.write_bytes(format!("{message}\n").as_bytes());
    }

    fn send_call(&mut self, request: &str, command: &str) {
        self.send_message(&format_call(request, command));
    }

    fn read_line(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        assert!(line.ends_with('\n'), "the output ended: {line:?}");
        serde_json::from_str(&line).unwrap()
    }

    /// Closes standard input; the rest of what is said.
    fn close_input(mut self) -> Ran {
        drop(self.input.take());
        self.wait_for_exit()
    }

    fn wait_for_exit(mut self) -> Ran {
        let mut stdout = String::new();
        self.output.read_to_string(&mut stdout).unwrap();
        let ran = self.bed.wait_for(self.child);
        Ran { stdout, ..ran }
    }
}

fn format_call(request: &str, command: &str) -> Value {
    let input = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "transcript_path": "/h/.claude/s.jsonl", "cwd": "/",
        "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t",
    });
    let request_body =
        json!({ "subtype": "hook_callback", "callback_id": "hook_1", "input": input, "tool_use_id": "t" });
    json!({ "type": "control_request", "request_id": request, "request": request_body })
}

fn parse_output(line: &Value) -> (&str, &Value) {
    let response = &line["response"];
    assert_eq!(
        (&line["type"], &response["subtype"]),
        (&json!("control_response"), &json!("success")),
        "{line}"
    );
    (response["request_id"].as_str().unwrap(), &response["response"])
}

fn parse_decision(line: &Value) -> (&str, &str) {
    let (id, output) = parse_output(line);
    (id, output["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("-"))
}

#[test]
fn initialize_comes_first_and_registers_the_users_hooks_for_every_event() {
    let bed = TestBed::new();
    let mut control = Control::start_with(&bed, &[]);
    let line = control.read_line();
    assert_eq!(
        (&line["type"], &line["request"]["subtype"]),
        (&json!("control_request"), &json!("initialize"))
    );
    let hooks = line["request"]["hooks"].as_object().unwrap();
    assert_eq!(hooks.len(), 10);
    let tool =
        json!([{ "matcher": null, "hookCallbackIds": ["hook_1"], "timeout": 600, "onFailure": "block" }]);
    assert_eq!(hooks["PreToolUse"], tool);
    let ran = control.close_input();
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (0, "hookbox: the stream ended before Claude Code answered `initialize`\n")
    );
}

#[test]
fn calls_are_answered_by_the_users_configuration_and_by_that_of_the_session() {
    let bed = TestBed::with_config(&shell_gate(DENIES, ""));
    let mut control = Control::start_initialized(&bed);
    control.send_call("r1", "rm -rf /");
    control.send_call("r2", "ls");
    let mut lines = [control.read_line(), control.read_line()];
    lines.sort_by_key(|line| line["response"]["request_id"].to_string());
    assert_eq!(lines.each_ref().map(parse_decision), [("r1", "deny"), ("r2", "-")]);
    let ran = control.close_input();
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));

    let bed = TestBed::new();
    bed.write_file("[HOME]/session.toml", &shell_gate("echo of the session >&2; exit 2", ""));
    let mut control = Control::start_with(&bed, &["--config", "[HOME]/session.toml"]);
    control.read_line();
    control.send_call("r", "ls");
    let reason =
        parse_output(&control.read_line()).1["hookSpecificOutput"]["permissionDecisionReason"].clone();
    assert_eq!(reason, "sh: of the session (exit-2)");
    control.close_input();
}

#[test]
fn messages_are_whole_however_their_bytes_come() {
    let bed = TestBed::with_config(&shell_gate(DENIES, ""));
    let mut control = Control::start_initialized(&bed);
    let mut bytes = Vec::new();
    for id in 0..20 {
        bytes.extend(format!("{}\n", format_call(&format!("r{id}"), "ls")).into_bytes());
    }
    for piece in bytes.chunks(7) {
        control.write_bytes(piece);
    }
    let mut ids: Vec<_> = (0..20).map(|_| parse_decision(&control.read_line()).0.to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 20);
    // One of a megabyte.
    control.send_call("long", &"x".repeat(1 << 20));
    assert_eq!(parse_decision(&control.read_line()), ("long", "-"));
    control.close_input();
}

#[test]
fn a_message_of_a_hundred_megabytes_is_refused_and_the_next_one_answered() {
    let bed = TestBed::with_config(&shell_gate(DENIES, ""));
    let mut control = Control::start_initialized(&bed);
    let long = format_call("long", "x").to_string();
    let (before, after) = long.split_once("\"x\"").unwrap();
    control.write_bytes(before.as_bytes());
    control.write_bytes(b"\"");
    let megabyte = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        control.write_bytes(&megabyte);
    }
    control.write_bytes(format!("\"{after}\n").as_bytes());
    let refused = control.read_line();
    assert_eq!(parse_decision(&refused), ("long", "deny"));
    let reason = &parse_output(&refused).1["hookSpecificOutput"]["permissionDecisionReason"];
    assert!(reason.as_str().unwrap().ends_with("no longer one than 33554432 is read"), "{reason}");
    control.send_call("after", "rm x");
    assert_eq!(parse_decision(&control.read_line()), ("after", "deny"));
    control.close_input();
}

#[test]
fn a_message_that_is_not_about_hooks_is_reported_and_the_next_one_is_answered() {
    let bed = TestBed::with_config(&shell_gate(DENIES, ""));
    let mut control = Control::start_initialized(&bed);
    control.write_bytes(b"hello\n");
    control.send_message(&json!({ "type": "assistant" }));
    control.send_message(
        &json!({ "type": "control_request", "request_id": "p", "request": { "subtype": "can_use_tool" } }),
    );
    let refused = control.read_line();
    assert_eq!(refused["response"]["error"], "Unsupported control request subtype: can_use_tool");
    control.send_call("r", "rm -rf /");
    assert_eq!(parse_decision(&control.read_line()), ("r", "deny"));
    let ran = control.close_input();
    let expected = "hookbox: the message is not a JSON object: expected value, at line 1 column 1\n\
                    hookbox: messages of the type \"assistant\" are passed over: they are about no hook\n\
                    hookbox: Unsupported control request subtype: can_use_tool (request p)\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (0, expected));
}

#[test]
fn a_message_of_100_mb_is_refused_and_not_kept() {
    let bed = TestBed::with_config(&shell_gate(DENIES, ""));
    let mut control = Control::start_initialized(&bed);
    let text = format_call("long", "@").to_string();
    let (before, after) = text.split_once('@').unwrap();
    control.write_bytes(before.as_bytes());
    let piece = vec![b'x'; 1_000_000];
    for _ in 0..100 {
        control.write_bytes(&piece);
    }
    control.write_bytes(after.as_bytes());
    control.write_bytes(b"\n");
    assert_eq!(parse_decision(&control.read_line()), ("long", "deny"));
    let status = std::fs::read_to_string(format!("/proc/{}/status", control.child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kib < 90 << 10, "it took {kib} KiB");
    control.send_call("r", "ls");
    assert_eq!(parse_decision(&control.read_line()), ("r", "-"));
    control.close_input();
}

#[test]
fn the_end_of_the_stream_a_cancel_and_a_signal_end_the_hooks_that_run() {
    for way in ["end", "cancel", "signal"] {
        let sleep = long_sleep();
        let _killed = KilledAtEnd(sleep.clone());
        let bed = TestBed::with_config(&shell_gate(&format!("exec sleep {sleep}"), "timeout = \"60s\""));
        let mut control = Control::start_initialized(&bed);
        control.send_call("r", "ls");
        expect_some(&sleep);
        let ran = match way {
            "end" => control.close_input(),
            "cancel" => {
                control.send_message(&json!({ "type": "control_cancel_request", "request_id": "r" }));
                expect_none(&sleep);
                control.close_input()
            }
            _ => {
                kill_process(Pid::from_child(&control.child), Signal::TERM).unwrap();
                control.wait_for_exit()
            }
        };
        expect_none(&sleep);
        assert_eq!((ran.code, ran.stdout.as_str()), (i32::from(way == "signal"), ""), "{way}: {ran}");
    }
}

#[test]
fn a_claude_code_that_refuses_hooks_is_reported_and_ends_the_session() {
    let bed = TestBed::new();
    let mut control = Control::start_with(&bed, &[]);
    let id = control.read_line()["request_id"].clone();
    let response = json!({ "subtype": "error", "request_id": id, "error": "hooks: invalid key" });
    control.send_message(&json!({ "type": "control_response", "response": response }));
    let ran = control.wait_for_exit();
    let expected = "hookbox: no hook is registered: Claude Code refused `initialize`: hooks: invalid key\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (1, expected));
}

/// 100 MB of messages.
const MANY: usize = 100_000;

#[test]
fn hookbox_stops_reading_from_a_client_that_reads_no_answers_and_a_signal_still_ends_it() {
    let bed = TestBed::with_config(&shell_gate(DENIES, ""));
    let mut control = Control::start_initialized(&bed);
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
    wait_until("it does not read", || sent.load(Ordering::SeqCst) > 60);
    kill_process(Pid::from_child(&control.child), Signal::TERM).unwrap();
    assert_eq!(control.child.wait().unwrap().code(), Some(1));
    writer.join().unwrap();
    assert!(sent.load(Ordering::SeqCst) < MANY);
}
