//! Guests that send requests through `wasi:http`. What is sent and what is refused in detail is told by the tests of
//! `host/runtime/src/sandbox/http`.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc::{Receiver, channel},
    thread,
};

use hookbox::{
    HookSpec, Host, Target,
    hook::WasmSpec,
    model::{FailureCode, Grants, HttpRule, Json, Limit, Limits, Outcome, Secret},
};

use crate::{Bed, create_runtime, dispatch_event, expect_failure, find_failure_code, tool_event};

const GUEST: &str = "asks_a_server";

/// Where a server listens, and what it was sent: each request when it was answered or the connection was closed.
fn start_server(answer: Option<&'static str>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, received) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            if sender.send(serve_request(&mut stream.unwrap(), answer)).is_err() {
                return;
            }
        }
    });
    (address, received)
}

fn serve_request(stream: &mut TcpStream, answer: Option<&str>) -> String {
    let mut read = Vec::new();
    let mut piece = [0; 1024];
    loop {
        let size = stream.read(&mut piece).unwrap_or(0);
        read.extend_from_slice(&piece[..size]);
        let complete = answer.filter(|_| read.ends_with(b"\r\n\r\n"));
        if let Some(answer) = complete {
            stream.write_all(answer.as_bytes()).unwrap();
        }
        if size == 0 || complete.is_some() {
            return String::from_utf8(read).unwrap();
        }
    }
}

const OK: Option<&str> = Some("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");

fn grant_http(rule: &str) -> Grants {
    Grants { http: vec![rule.parse().unwrap()], ..Grants::default() }
}

/// A host whose hook asks this server for this path, with one header.
fn create_host(bed: &Bed, grants: Grants, limits: &Limits, [server, path, name, value]: [&str; 4]) -> Host {
    let config = format!(r#"{{"name":"{name}","path":"{path}","server":"{server}","value":"{value}"}}"#);
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(bed.write_plugin(GUEST)) });
    let config = Json::parse(&config).unwrap();
    let spec = HookSpec { target, config, limits: limits.clone(), ..bed.create_gate(GUEST) };
    let environment = [("API_TOKEN", "canary-1")].into_iter().collect();
    bed.builder().environment(environment).hooks([spec]).build()
}

fn dispatch_request(grants: Grants, asked: [&str; 4]) -> Outcome {
    dispatch_event(&create_host(&Bed::new(), grants, &Limits::default(), asked), tool_event())
}

/// What the guest was told.
fn read_log(outcome: &Outcome) -> Vec<&str> {
    outcome.reports[0].log.iter().map(|line| line.message.as_str()).collect()
}

#[test]
fn http_is_not_linked_without_a_grant() {
    let bed = Bed::new();
    let outcome = dispatch_event(&bed.builder().hooks([bed.create_gate(GUEST)]).build(), tool_event());
    assert_eq!(find_failure_code(&outcome.reports[0]), FailureCode::Refused);
    let message =
        expect_failure(&outcome.reports[0]).message.replace(&bed.join_path("").display().to_string(), "");
    assert!(message.starts_with("the plugin asks_a_server.wasm imports `wasi:http/"), "{message}");
    assert!(
        message.ends_with(
            "which is not granted: if it may have that, write `grant = { http = [\"https://HOST/PATH\"] }` into the hook's \
             entry"
        ),
        "{message}"
    );
}

#[test]
fn a_granted_request_is_sent_and_its_status_comes_back() {
    let (server, received) = start_server(OK);
    let outcome =
        dispatch_request(grant_http(&format!("http://{server}/v1")), [&server, "/v1/x?y", "x-mine", "1"]);
    assert_eq!(read_log(&outcome), ["200"]);
    let report = &outcome.reports[0];
    assert_eq!((report.usage.requests, report.refused.len()), (1, 0));
    assert_eq!(
        received.recv().unwrap(),
        format!("GET /v1/x?y HTTP/1.1\r\nx-mine: 1\r\nhost: {server}\r\nconnection: close\r\n\r\n")
    );
}

#[test]
fn a_request_that_is_refused_is_an_error_to_the_guest_and_stands_in_the_report() {
    let (server, received) = start_server(OK);
    let outcome = dispatch_request(grant_http("https://api.example.com"), [&server, "/x", "x-mine", "1"]);
    assert_eq!(read_log(&outcome), ["e15"]);
    let refused: Vec<_> = outcome.reports[0].refused.iter().map(ToString::to_string).collect();
    assert_eq!(
        refused,
        [format!(
            "http GET http://{server}/x: no rule of `grant.http` covers it; to permit it, write `grant = {{ http = \
             [\"http://{server}/x\"] }}` into the hook's entry"
        )]
    );
    assert!(received.try_recv().is_err());
}

/// Catalogue N4, as far as a guest can try it: the rest it cannot even say.
#[test]
fn a_guest_can_neither_name_the_host_itself_nor_break_a_line() {
    let (server, received) = start_server(OK);
    for (path, name, value, expected) in [
        ("http://evil.test/", "x", "1", "p0"),
        ("evil", "x", "1", "p0"),
        ("/ HTTP/1.1", "x", "1", "p0"),
        ("/", "host", "evil.test", "h1"),
        ("/", "transfer-encoding", "chunked", "h1"),
        ("/", "connection", "upgrade", "h1"),
        ("/", "te", "trailers", "h1"),
        ("/", "x y", "1", "h0"),
        ("/", "x", "1\nhost: evil.test", "h0"),
        ("/", "content-length", "5", "e17"),
        ("/", "content-length", "+0", "h0"),
    ] {
        // No JSON holds a line break; the guest makes one of this.
        let value = value.replace('\n', "\u{7f}");
        let outcome =
            dispatch_request(grant_http(&format!("http://{server}")), [&server, path, name, &value]);
        assert_eq!(read_log(&outcome)[0], expected, "{path} {name}: {value:?}");
    }
    for sent in received.try_iter() {
        assert!(!sent.contains("evil"), "{sent}");
    }
}

#[test]
fn a_secret_goes_to_its_server_and_appears_nowhere_else() {
    let (server, received) =
        start_server(Some("HTTP/1.1 200 OK\r\nx-echo: canary-1\r\ncontent-length: 0\r\n\r\n"));
    let rule = format!("http://{server}/");
    let to = vec![HttpRule::of_any_method(&rule).unwrap()];
    let secrets = vec![Secret { name: "api".to_owned(), env: "API_TOKEN".to_owned(), to }];
    let asked = [server.as_str(), "/", "authorization", "Bearer ${secret:api}"];
    let outcome = dispatch_request(Grants { secrets, ..grant_http(&rule) }, asked);
    assert_eq!(read_log(&outcome), ["200"]);
    assert!(received.recv().unwrap().contains("authorization: Bearer canary-1\r\n"));
    assert!(!format!("{outcome:?}").contains("canary-1"), "{outcome:?}");
}

#[test]
fn a_connection_ends_with_its_call() {
    let (server, received) = start_server(None);
    let bed = Bed::new();
    let limits = Limits::default().with_limit(Limit::Timeout, 2000).unwrap();
    let host = create_host(&bed, grant_http(&format!("http://{server}")), &limits, [&server, "/", "x", "1"]);
    create_runtime().block_on(async {
        let outcome = host.dispatch(tool_event()).await;
        assert_eq!(find_failure_code(&outcome.reports[0]), FailureCode::Timeout);
        // The runtime lives on: what ends the connection is the call.
        let closed = tokio::task::spawn_blocking(move || received.recv().unwrap());
        assert!(closed.await.unwrap().starts_with("GET / HTTP/1.1\r\n"));
    });
}
