//! `hookbox bus`: requests for hooks on standard input, responses on standard output.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout},
};

use insta::assert_snapshot;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{
    TestBed,
    processes::{KilledAtEnd, expect_none, expect_some, long_sleep, wait_until},
    shell_gate,
};

fn format_request(id: &str) -> String {
    json!({"type": "HOOK_EXECUTION_REQUEST", "payload": {"eventName": "BeforeTool", "correlationId": id,
        "input": {"tool_name": "read_file", "tool_input": {"path": "/tmp/test.txt"}}}})
    .to_string()
}

/// How `hookbox bus` with these arguments ends, given these lines.
fn run_bus(bed: &TestBed, arguments: &[&str], lines: &[String]) -> crate::Ran {
    let words: Vec<_> = ["bus"].iter().chain(arguments).copied().collect();
    bed.run_with_input(&mut bed.build_command(&words), lines.join("\n").as_bytes())
}

/// What it answers, by correlation id.
fn collect_answers(bed: &TestBed, arguments: &[&str], lines: &[String]) -> BTreeMap<String, Value> {
    let ran = run_bus(bed, arguments, lines);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
    let messages = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    messages
        .map(|message| {
            (message["payload"]["correlationId"].as_str().unwrap().to_owned(), message["payload"].clone())
        })
        .collect()
}

/// One that is spoken to in turns.
struct Conversation {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Conversation {
    fn start_bus(bed: &TestBed, arguments: &[&str]) -> Self {
        let words: Vec<_> = ["bus"].iter().chain(arguments).copied().collect();
        let mut child = bed.build_command(&words).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, to, from }
    }

    fn write_line(&mut self, line: &str) {
        self.to.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn read_payload(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str::<Value>(&line).unwrap()["payload"].take()
    }

    fn request_answer(&mut self, line: &str) -> Value {
        self.write_line(line);
        self.read_payload()
    }
}

/// A gate that denies with this reason.
fn format_denying_gate(reason: &str) -> String {
    shell_gate(&format!(r#"echo '{{"verdict":"deny","code":"no","reason":"{reason}"}}'"#), "")
}

#[test]
fn half_a_surrogate_pair_in_a_request_is_replaced_and_the_hooks_are_asked() {
    let bed = TestBed::with_config(&shell_gate("exit 2", ""));
    let request = format_request("1").replace("/tmp/test.txt", "/tmp/\\ud83d");
    let answers = collect_answers(&bed, &[], &[request]);
    assert_eq!(answers["1"]["success"], true, "{answers:?}");
}

#[test]
fn each_request_is_answered_by_the_hooks_of_the_user() {
    let bed = TestBed::with_config(&format_denying_gate("not here"));
    let answers = collect_answers(&bed, &[], &[format_request("1"), format_request("2")]);
    assert_eq!(answers.keys().collect::<Vec<_>>(), ["1", "2"]);
    for response in answers.values() {
        assert_eq!(response["success"], json!(true));
        assert_eq!(
            response["output"]["finalOutput"],
            json!({"decision": "deny", "reason": "sh: not here (no)"})
        );
    }
}

#[test]
fn without_hooks_an_answer_is_an_empty_success() {
    let ran = run_bus(&TestBed::new(), &[], &[format_request("1")]);
    assert_snapshot!(ran, @r#"
    exit code 0
    --- stdout
    {"type":"HOOK_EXECUTION_RESPONSE","payload":{"correlationId":"1","success":true,"output":{"hookResults":[],"success":true,"allOutputs":[],"errors":[],"totalDuration":0}}}
    --- stderr
    "#);
}

#[test]
fn nothing_on_standard_input_is_nothing_on_standard_output() {
    assert_snapshot!(run_bus(&TestBed::new(), &[], &[]), @"
    exit code 0
    --- stdout
    --- stderr
    ");
}

#[test]
fn one_more_file_may_be_named_and_so_may_the_project_and_the_session() {
    let bed = TestBed::new();
    let event = bed.resolve_path("[HOME]/event.json");
    let keeps = format!("cat > {}", event.display());
    let config = bed.write_file("[HOME]/more.toml", &shell_gate(&keeps, "").replace("\"sh\"", "\"more\""));
    std::fs::create_dir_all(bed.resolve_path("[PROJECT]/inner")).unwrap();
    let arguments =
        ["--config", config.to_str().unwrap(), "--project", "[PROJECT]/inner", "--session", "of-mine"];
    collect_answers(&bed, &arguments, &[format_request("1")]);
    let event: Value = serde_json::from_slice(&std::fs::read(event).unwrap()).unwrap();
    assert_eq!(
        (&event["session"], event["cwd"].as_str()),
        (&json!("of-mine"), bed.resolve_path("[PROJECT]/inner").to_str())
    );
}

#[test]
fn a_project_that_is_not_a_folder_is_wrong_usage() {
    assert_snapshot!(run_bus(&TestBed::new(), &["--project", "[PROJECT]/nowhere"], &[format_request("1")]), @"
    exit code 2
    --- stdout
    --- stderr
    error: --project [PROJECT]/nowhere is not a folder; name an existing one
    ");
}

#[test]
fn a_broken_configuration_denies() {
    let bed = TestBed::with_config("[[hook]\n");
    let response = &collect_answers(&bed, &[], &[format_request("1")])["1"];
    assert_eq!(response["output"]["finalOutput"]["decision"], json!("deny"), "{response}");
}

#[test]
fn a_line_that_is_not_a_request_is_answered_with_the_mistake() {
    let lines = ["no JSON", "[1]", r#"{"type":"NEWS"}"#].map(str::to_owned);
    let ran = run_bus(&TestBed::new(), &[], &lines);
    let messages: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> =
        messages.iter().map(|message| message["payload"]["error"]["message"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "The message is not acceptable JSON: expected ident, at line 1 column 2",
            "The message is not acceptable JSON: it is not a JSON object",
            "Unknown type: NEWS; there are HOOK_EXECUTION_REQUEST, HOOKBOX_LIST_HOOKS, HOOKBOX_SET_HOOK_ENABLED, HOOKBOX_DISPOSE",
        ]
    );
    assert_eq!(ran.code, 0);
}

#[test]
fn a_line_of_a_hundred_megabytes_is_refused_and_the_next_one_answered() {
    let bed = TestBed::new();
    let mut bus = Conversation::start_bus(&bed, &[]);
    let megabyte = "x".repeat(1 << 20);
    for _ in 0..100 {
        bus.to.write_all(megabyte.as_bytes()).unwrap();
    }
    let refused = bus.request_answer("");
    assert_eq!(refused["error"]["message"], json!("The message is longer than 33554432 bytes"));
    assert_eq!(bus.request_answer(&format_request("1"))["success"], json!(true));
}

#[test]
fn the_log_is_on_standard_error_if_it_is_asked_for() {
    let bed = TestBed::with_config(&shell_gate("echo out; echo err >&2; exit 3", "on-failure = \"allow\""));
    let ran = run_bus(&bed, &["--log"], &[format_request("1")]);
    let mut records: Vec<Value> =
        ran.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for record in &mut records {
        for measured in ["duration", "totalDuration", "errorMessage"] {
            record.as_object_mut().unwrap().shift_remove(measured);
        }
    }
    assert_eq!(
        records,
        [
            json!({"type": "hook:result", "eventName": "BeforeTool", "hookIdentity": "sh", "success": false,
                "exitCode": 3, "stdout": "out", "stderr": "err"}),
            json!({"type": "hook:failure_diagnostic", "eventName": "BeforeTool", "hookIdentity": "sh",
                "errorCode": "exit"}),
            json!({"type": "hook:batch_summary", "eventName": "BeforeTool", "hookCount": 1, "successCount": 0,
                "failureCount": 1}),
        ]
    );
}

#[test]
fn hooks_are_listed_switched_and_disposed_of_by_messages() {
    let bed = TestBed::with_config(&format_denying_gate("not here"));
    let mut bus = Conversation::start_bus(&bed, &[]);
    let listed = bus.request_answer(r#"{"type":"HOOKBOX_LIST_HOOKS","payload":{"correlationId":"1"}}"#);
    assert_eq!(
        listed,
        json!({"correlationId": "1", "success": true, "output": {"hooks": [{"name": "sh", "events": ["tool.before"],
            "role": "gate", "kind": "shell", "layer": "user", "enabled": true}]}})
    );
    let switched = |enabled| {
        json!({"type": "HOOKBOX_SET_HOOK_ENABLED", "payload": {"name": "sh", "enabled": enabled}}).to_string()
    };
    for (enabled, decision) in [(false, json!(null)), (true, json!("deny"))] {
        assert_eq!(bus.request_answer(&switched(enabled))["output"], json!({"hooks": 1}));
        let response = bus.request_answer(&format_request("2"));
        assert_eq!(response["output"]["finalOutput"]["decision"], decision);
    }
    assert_eq!(bus.request_answer(r#"{"type":"HOOKBOX_DISPOSE"}"#)["success"], json!(true));
    // Its standard input is still open.
    assert_eq!(bus.child.wait().unwrap().code(), Some(0));
}

#[test]
fn hooks_that_change_while_it_lives_are_read_anew() {
    let bed = TestBed::with_config(&format_denying_gate("before"));
    let mut bus = Conversation::start_bus(&bed, &[]);
    let reason = |bus: &mut Conversation| {
        bus.request_answer(&format_request("1"))["output"]["finalOutput"]["reason"].take()
    };
    assert_eq!(reason(&mut bus), json!("sh: before (no)"));
    bed.write_file("[HOME]/.config/hookbox/hooks.toml", &format_denying_gate("and after"));
    wait_until("the file is not read again", || reason(&mut bus) == json!("sh: and after (no)"));
}

#[test]
fn requests_wait_for_no_others() {
    let bed = TestBed::new();
    let go = bed.resolve_path("[HOME]/go");
    let gate = shell_gate(&format!("while [ ! -e {} ]; do sleep 0.01; done", go.display()), "");
    bed.write_file(
        "[HOME]/.config/hookbox/hooks.toml",
        &gate.replace("shell = ", "tool = { name = \"slow\" }\nshell = "),
    );
    let mut bus = Conversation::start_bus(&bed, &[]);
    bus.write_line(&format_request("slow").replace("read_file", "slow"));
    assert_eq!(bus.request_answer(&format_request("quick"))["correlationId"], json!("quick"));
    std::fs::write(go, "").unwrap();
    assert_eq!(bus.read_payload()["correlationId"], json!("slow"));
}

#[test]
fn a_signal_makes_the_bus_end_its_hooks_and_report_the_end() {
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let sleep = long_sleep();
        let _killed = KilledAtEnd(sleep.clone());
        let bed = TestBed::with_config(&shell_gate(&format!("exec sleep {sleep}"), "timeout = \"60s\""));
        let mut bus = Conversation::start_bus(&bed, &[]);
        bus.write_line(&format_request("1"));
        expect_some(&sleep);
        kill_process(Pid::from_child(&bus.child), signal).unwrap();
        let response = bus.read_payload();
        assert_eq!((&response["correlationId"], &response["success"]), (&json!("1"), &json!(false)));
        assert_eq!(bus.child.wait().unwrap().code(), Some(1), "{signal:?}");
        expect_none(&sleep);
    }
}

#[test]
fn who_closes_its_standard_output_has_its_hooks_ended() {
    let sleep = long_sleep();
    let _killed = KilledAtEnd(sleep.clone());
    let bed = TestBed::with_config(&shell_gate(&format!("exec sleep {sleep}"), "timeout = \"60s\""));
    let Conversation { mut child, mut to, from } = Conversation::start_bus(&bed, &[]);
    to.write_all(format!("{}\n", format_request("1")).as_bytes()).unwrap();
    expect_some(&sleep);
    drop(from);
    // Only who writes sees that nobody reads.
    to.write_all(b"no JSON\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    expect_none(&sleep);
}
