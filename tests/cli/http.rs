//! A wasm hook that sends requests, from outside the command.

use std::fs;

use crate::{LS, TestBed, gate_with, server::Server};

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/// A hook that asks this server with a secret, if it may; `grant` is what follows the rule.
fn format_requesting_gate(server: &Server, grant: &str) -> String {
    let address = format!("127.0.0.1:{}", server.port);
    let config = format!(
        "config = {{ server = '{address}', path = '/x', name = 'authorization', value = 'Bearer ${{secret:api}}' }}"
    );
    gate_with("asks_a_server", &format!("{config}\ngrant = {{ http = ['http://{address}']{grant} }}"))
}

fn format_secret(server: &Server) -> String {
    format!(", secret = {{ api = {{ env = 'API_TOKEN', to = ['http://127.0.0.1:{}'] }} }}", server.port)
}

/// The report of the one hook, and all that the command wrote.
fn run_with_report(bed: &TestBed) -> (serde_json::Value, String) {
    let ran = bed.run_with_input(
        &mut bed.build_command(&["run", "--report", "[HOME]/report.jsonl"]),
        bed.expand_placeholders(LS).as_bytes(),
    );
    let report = fs::read_to_string(bed.resolve_path("[HOME]/report.jsonl")).unwrap();
    let told: serde_json::Value = serde_json::from_str(&report).unwrap();
    (told["hooks"][0].clone(), format!("{ran}{report}"))
}

/// Catalogue N6.
#[test]
fn a_request_goes_to_its_server_whatever_proxies_the_environment_names() {
    let (server, proxy) = (Server::start_with_answer(OK), Server::start_with_answer(OK));
    let mut bed = TestBed::with_config(&format_requesting_gate(&server, &format_secret(&server)))
        .with_variable("API_TOKEN", "canary-1");
    bed.write_file("[HOME]/.netrc", "machine 127.0.0.1 login netrc password netrc");
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        bed = bed.with_variable(name, &format!("http://127.0.0.1:{}", proxy.port));
    }
    let (hook, written) = run_with_report(&bed);
    assert_eq!(hook["log"][0]["message"], "200", "{written}");
    assert_eq!((&hook["used"]["requests"], &hook["refused"]), (&1.into(), &serde_json::json!([])));
    assert!(!written.contains("canary-1"), "{written}");
    let sent = server.requests.recv().unwrap();
    assert!(sent.contains("\r\nauthorization: Bearer canary-1\r\n"), "{sent}");
    assert!(proxy.requests.try_recv().is_err());
}

#[test]
fn what_is_refused_stands_in_the_report_and_in_what_is_explained() {
    let server = Server::start_with_answer(OK);
    let bed = TestBed::with_config(&format_requesting_gate(&server, ""));
    let to = format!("http://127.0.0.1:{}/", server.port);
    let line = format!("grant = {{ secret = {{ api = {{ env = \"…\", to = [\"{to}\"] }} }} }}");
    let (hook, written) = run_with_report(&bed);
    assert_eq!(
        hook["refused"],
        serde_json::json!([{
            "capability": "secret",
            "value": format!("GET http://127.0.0.1:{}/x", server.port),
            "reason": "there is no secret `api`",
            "add": line,
        }]),
        "{written}"
    );
    let explained = bed.run_with_input(
        &mut bed.build_command(&["explain", "--call-all"]),
        bed.expand_placeholders(LS).as_bytes(),
    );
    assert!(explained.stdout.contains("\n     refused secret GET http://127.0.0.1:"), "{explained}");
    assert!(server.requests.try_recv().is_err());
}

#[test]
fn a_dry_run_sends_nothing() {
    let server = Server::start_with_answer(OK);
    let bed = TestBed::with_config(&format_requesting_gate(&server, ""));
    let explained =
        bed.run_with_input(&mut bed.build_command(&["explain"]), bed.expand_placeholders(LS).as_bytes());
    assert!(explained.stdout.contains("not called in a dry run (wasm "), "{explained}");
    assert!(server.requests.try_recv().is_err());
}
