//! The plugin `ask-server`: an ordinary HTTP client (wstd) in the sandbox, against servers on this machine.

use std::fs;

use serde_json::{Value, json};

use crate::{
    LS, TestBed,
    server::{Server, wait_for_end},
};

const DENY: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 46\r\nconnection: close\r\n\r\n\
                    {\"decision\":\"deny\",\"reason\":\"not on Fridays\"}\r\n";

/// A hook that asks this server, with these keys beside.
fn create_bed(server: &Server, keys: &str) -> TestBed {
    let hook = format!(
        "[[hook]]\nname = \"policy\"\non = \"tool.before\"\nwasm = {{ path = \"[PLUGINS]/ask-server.wasm\" }}\n\
         config = {{ url = '{}', headers = {{ authorization = 'Bearer ${{secret:policy}}', x-team = 'blue' }} }}\n{keys}\n",
        format_url(server)
    );
    TestBed::with_config(&hook).with_variable("POLICY_TOKEN", "canary")
}

fn format_url(server: &Server) -> String {
    format!("http://127.0.0.1:{}/decide", server.port)
}

fn format_grant(server: &Server) -> String {
    let url = format_url(server);
    format!(
        "grant = {{ http = ['POST {url}'], secret = {{ policy = {{ env = 'POLICY_TOKEN', to = ['{url}'] }} }} }}"
    )
}

/// What the agent is told, and the report of the hook.
fn run_event(bed: &TestBed) -> (Value, Value) {
    let run = &mut bed.build_command(&["run", "--agent", "claude-code", "--report", "[HOME]/report.jsonl"]);
    let ran = bed.run_with_input(run, bed.expand_placeholders(LS).as_bytes());
    let report = fs::read_to_string(bed.resolve_path("[HOME]/report.jsonl")).unwrap();
    assert!(!format!("{ran}{report}").contains("canary"), "{ran}{report}");
    let report: Value = serde_json::from_str(&report).unwrap();
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    (told["hookSpecificOutput"].clone(), report["hooks"][0].clone())
}

#[test]
fn the_server_is_asked_and_its_no_is_the_answer() {
    let server = Server::start_with_answer(DENY);
    let bed = create_bed(&server, &format_grant(&server));
    let (told, report) = run_event(&bed);
    assert_eq!(told["permissionDecision"], "deny", "{report}");
    assert_eq!(told["permissionDecisionReason"], "policy: not on Fridays (server-denied)");
    assert_eq!((&report["used"]["requests"], &report["refused"]), (&1.into(), &json!([])));
    let sent = server.requests.recv().unwrap();
    let (head, body) = sent.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("POST /decide HTTP/1.1\r\n"), "{head}");
    for header in [
        "content-type: application/json".to_owned(),
        format!("content-length: {}", body.len()),
        "x-team: blue".to_owned(),
        "authorization: Bearer canary".to_owned(),
        format!("host: 127.0.0.1:{}", server.port),
    ] {
        assert!(head.lines().any(|line| line == header), "{header}: {head}");
    }
    let asked: Value = serde_json::from_str(body).unwrap();
    assert_eq!(
        asked,
        json!({"event": "tool.before", "agent": "claude-code", "session": "s", "cwd": bed.resolve_path("[PROJECT]"),
            "tool": {"name": "Bash", "command": "ls", "paths": [], "input": {"command": "ls"}}})
    );
}

#[test]
fn what_is_not_granted_is_an_error_of_the_library_and_the_report_says_what_would_permit_it() {
    let (server, other) = (Server::start_with_answer(DENY), Server::start_with_answer(DENY));
    let bed = create_bed(&server, &format_grant(&other));
    let (told, report) = run_event(&bed);
    assert_eq!(told["permissionDecision"], "deny");
    let url = format_url(&server);
    let failed = format!(
        "{url}: no answer: ErrorCode::HttpRequestDenied; it was refused http POST {url}: no rule of `grant.http` covers it; \
         to permit it, write `grant = {{ http = [\"POST {url}\"] }}` into the hook's entry"
    );
    assert_eq!(report["failure"]["message"], failed, "{report}");
    assert_eq!(
        report["refused"],
        json!([{
            "capability": "http",
            "value": format!("POST {url}"),
            "reason": "no rule of `grant.http` covers it",
            "add": format!("grant = {{ http = [\"POST {url}\"] }}"),
        }])
    );
    assert!(server.requests.try_recv().is_err() && other.requests.try_recv().is_err());
}

#[test]
fn a_server_that_does_not_answer_is_left_when_the_hooks_time_is_over() {
    let server = Server::new(wait_for_end);
    let bed = create_bed(&server, &format!("timeout = '1s'\n{}", format_grant(&server)));
    let (told, report) = run_event(&bed);
    assert_eq!(told["permissionDecision"], "deny");
    assert_eq!(report["failure"]["code"], "timeout", "{report}");
}

#[test]
fn a_server_that_is_not_there_or_says_something_else_is_a_failure() {
    let said = |text: &str| {
        let server = Server::start_with_answer(text);
        let (told, report) = run_event(&create_bed(&server, &format_grant(&server)));
        assert_eq!(told["permissionDecision"], "deny");
        report["failure"]["message"].as_str().unwrap().replace(&format_url(&server), "[URL]")
    };
    assert_eq!(
        said("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n"),
        "[URL]: the server answered 503 Service Unavailable"
    );
    let page = said("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n<htm");
    assert!(page.starts_with("[URL]: the server's answer: "), "{page}");
    assert_eq!(said(""), "[URL]: no answer: ErrorCode::HttpProtocolError");
}
