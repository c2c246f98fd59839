//! Servers that misbehave as hooks.

use std::{io::Write, thread, time::Duration};

use insta::assert_snapshot;

use crate::{
    LS, TestBed,
    server::{Server, wait_for_end},
};

/// The answer when this server is the gate.
fn answer_from_server(server: &Server) -> String {
    answer_with(server, "")
}

/// The same with more keys.
fn answer_with(server: &Server, keys: &str) -> String {
    let ran = TestBed::with_config(&server.create_gate(keys)).answer_event(LS).to_string();
    assert!(!ran.contains("secret"), "{ran}");
    ran.replace(&server.port.to_string(), "PORT")
}

fn format_ok_response(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn the_deny_of_a_server_is_honoured() {
    let server = Server::start_with_answer(&format_ok_response(
        r#"{"verdict":"deny","code":"late","reason":"not on Fridays"}"#,
    ));
    assert_snapshot!(answer_from_server(&server), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: not on Fridays (late)"}}
    --- stderr
    "#);
    let request = server.requests.recv().unwrap();
    assert!(request.starts_with("POST /secret-path HTTP/1.1\r\n"), "{request}");
    assert!(request.contains(r#""agent_event":"PreToolUse""#), "{request}");
}

#[test]
fn a_redirect_is_not_followed() {
    let target = Server::start_with_answer(&format_ok_response("{}"));
    let answer_text = format!(
        "HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:{}/secret\r\ncontent-length: 0\r\n\r\n",
        target.port
    );
    assert_snapshot!(answer_from_server(&Server::start_with_answer(&answer_text)), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (http-status: the server http://127.0.0.1:PORT answered 307 Temporary Redirect, a redirect to `127.0.0.1`, which is not followed: configure the final address) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: http-status: the server http://127.0.0.1:PORT answered 307 Temporary Redirect, a redirect to `127.0.0.1`, which is not followed: configure the final address
    "#);
    assert!(target.requests.try_recv().is_err());
}

#[test]
fn a_server_that_hangs_is_given_up_at_the_timeout() {
    assert_snapshot!(answer_with(&Server::new(wait_for_end), "timeout = \"500ms\""), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (timeout: no answer within 500 ms; if it needs longer, raise the hook's `timeout`) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: timeout: no answer within 500 ms; if it needs longer, raise the hook's `timeout`
    "#);
}

#[test]
fn a_server_that_drips_is_given_up_at_the_timeout() {
    let server = Server::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n"));
        while stream.write_all(b" ").is_ok() {
            thread::sleep(Duration::from_millis(5)); // this is what dripping is
        }
    });
    assert_snapshot!(answer_with(&server, "timeout = \"500ms\""), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (timeout: no answer within 500 ms; if it needs longer, raise the hook's `timeout`) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: timeout: no answer within 500 ms; if it needs longer, raise the hook's `timeout`
    "#);
}

#[test]
fn a_server_that_floods_is_cut_off() {
    let server = Server::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"));
        while stream.write_all(b"8\r\n        \r\n").is_ok() {}
    });
    assert_snapshot!(answer_from_server(&server), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (output: the server http://127.0.0.1:PORT answered with more than 1048576 bytes (the limit `output`)) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: output: the server http://127.0.0.1:PORT answered with more than 1048576 bytes (the limit `output`)
    "#);
}

#[test]
fn garbage_from_a_server_is_distinguished_from_an_answer() {
    assert_snapshot!(answer_from_server(&Server::start_with_answer("garbage\r\n\r\n")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (bad-output: the server http://127.0.0.1:PORT did not answer in HTTP: invalid HTTP version parsed) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: bad-output: the server http://127.0.0.1:PORT did not answer in HTTP: invalid HTTP version parsed
    "#);
    assert_snapshot!(answer_from_server(&Server::start_with_answer(&format_ok_response("<html>"))), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (bad-output: the server http://127.0.0.1:PORT answered \"<html>\", which is not a JSON object) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: bad-output: the server http://127.0.0.1:PORT answered "<html>", which is not a JSON object
    "#);
}

#[test]
fn a_server_that_hangs_up_is_reported() {
    assert_snapshot!(answer_from_server(&Server::start_with_answer("")), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (bad-output: the server http://127.0.0.1:PORT did not answer in HTTP: connection closed before message completed) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: bad-output: the server http://127.0.0.1:PORT did not answer in HTTP: connection closed before message completed
    "#);
}

#[test]
fn an_unreachable_server_is_reported() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = server.local_addr().unwrap().port();
    drop(server);
    let config = format!(
        "[[hook]]\nname = \"web\"\non = \"tool.before\"\nwebhook = {{ url = \"http://127.0.0.1:{port}/\" }}\n"
    );
    assert_snapshot!(TestBed::with_config(&config).answer_event(LS).to_string().replace(&port.to_string(), "PORT"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (connect: the server http://127.0.0.1:PORT cannot be reached: Connection refused (os error 111)) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: connect: the server http://127.0.0.1:PORT cannot be reached: Connection refused (os error 111)
    "#);
}

#[test]
fn an_error_of_the_server_shows_no_secret_that_it_sends_back() {
    let server = Server::start_with_answer("HTTP/1.1 401 top-secret\r\ncontent-length: 10\r\n\r\ntop-secret");
    let config = format!(
        "[[hook]]\nname = \"web\"\non = \"tool.before\"\n\
         webhook = {{ url = \"http://127.0.0.1:{}/\", headers = {{ Authorization = \"Bearer ${{TOKEN}}\" }}, env = [\"TOKEN\"] }}\n",
        server.port
    );
    let bed = TestBed::with_config(&config).with_variable("TOKEN", "top-secret");
    let ran = bed.answer_event(LS).to_string();
    assert!(!ran.contains("top-secret"), "{ran}");
    assert_snapshot!(ran.replace(&server.port.to_string(), "PORT"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (http-status: the server http://127.0.0.1:PORT answered 401 Unauthorized) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: http-status: the server http://127.0.0.1:PORT answered 401 Unauthorized
    "#);
    assert!(server.requests.recv().unwrap().contains("authorization: Bearer top-secret\r\n"));
}

#[test]
fn a_secret_that_is_not_set_is_named_and_nothing_is_sent() {
    let server = Server::start_with_answer(&format_ok_response("{}"));
    let config = format!(
        "[[hook]]\nname = \"web\"\non = \"tool.before\"\n\
         webhook = {{ url = \"http://127.0.0.1:{}/\", headers = {{ X-Key = \"${{TOKEN}}\" }}, env = [\"TOKEN\"] }}\n",
        server.port
    );
    assert_snapshot!(TestBed::with_config(&config).answer_event(LS).to_string().replace(&server.port.to_string(), "PORT"), @r#"
    exit code 0
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"web: the hook failed, and its failure policy decides (refused: header `X-Key` needs the variable `TOKEN`, which is not set: set it before the agent starts) (hook-failed)"}}
    --- stderr
    hookbox: the hook `web` failed: refused: header `X-Key` needs the variable `TOKEN`, which is not set: set it before the agent starts
    "#);
    assert!(server.requests.try_recv().is_err());
}
