//! Requests by the interface `http` of version 0.2.0. What is sent and what is refused in detail is told by the tests of
//! `wasi:http`, which goes the same way.

use std::{
    io::{Read, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
};

use hookbox::{
    HookSpec, Host, Target,
    hook::WasmSpec,
    model::{FailureCode, Grants, Json, Limit, Limits, Outcome},
    sandbox::{Recorded, Recording, Sent},
};

use crate::{Bed, dispatch_event, find_failure_code, tool_event};

const GUEST: &str = "sends";

/// A server that answers one request with these bytes and closes; what it was sent.
fn start_server(answer: &'static str) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut read, mut piece) = (Vec::new(), [0; 1024]);
        while !read.ends_with(b"\r\n\r\n") {
            let size = stream.read(&mut piece).unwrap();
            assert!(size > 0, "{read:?}");
            read.extend_from_slice(&piece[..size]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(read).unwrap()
    });
    (address, serving)
}

fn grant_http(rule: &str) -> Grants {
    Grants { http: vec![rule.parse().unwrap()], ..Grants::default() }
}

fn create_spec(bed: &Bed, grants: Grants, url: &str) -> HookSpec {
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(bed.write_plugin(GUEST)) });
    let config = Json::parse(&format!(r#"{{"url":"{url}"}}"#)).unwrap();
    HookSpec { target, config, ..bed.create_gate(GUEST) }
}

fn send_request(grants: Grants, url: &str) -> Outcome {
    let bed = Bed::new();
    let spec = create_spec(&bed, grants, url);
    dispatch_event(&bed.builder().hooks([spec]).build(), tool_event())
}

fn read_log(outcome: &Outcome) -> Vec<&str> {
    outcome.reports[0].log.iter().map(|line| line.message.as_str()).collect()
}

fn list_refused(outcome: &Outcome) -> Vec<String> {
    outcome.reports[0].refused.iter().map(ToString::to_string).collect()
}

/// 200 as the guest tells it.
const OK: &str = "68";

#[test]
fn a_granted_request_brings_back_status_and_body() {
    let (server, sent) = start_server("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
    let outcome =
        send_request(grant_http(&format!("http://{server}/v1")), &format!("http://{server}/v1/x?y"));
    assert_eq!((read_log(&outcome), list_refused(&outcome).len()), (vec![OK, "hello"], 0));
    assert_eq!(outcome.reports[0].usage.requests, 1);
    assert_eq!(
        sent.join().unwrap(),
        format!("GET /v1/x?y HTTP/1.1\r\nx-a: b\r\nhost: {server}\r\nconnection: close\r\n\r\n")
    );
}

#[test]
fn a_body_of_any_length_and_in_pieces_is_read_to_its_end() {
    let (server, _sent) =
        start_server("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
    assert_eq!(
        read_log(&send_request(grant_http(&format!("http://{server}")), &format!("http://{server}/"))),
        [OK, "hello"]
    );
}

#[test]
fn a_truncated_body_is_not_a_response() {
    let (server, _sent) = start_server("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello");
    let outcome = send_request(grant_http(&format!("http://{server}")), &format!("http://{server}/"));
    assert_eq!(read_log(&outcome)[0], "2", "{outcome:?}");
}

#[test]
fn without_the_grant_the_plugin_is_loaded_and_each_request_refused() {
    let outcome = send_request(Grants::default(), "https://api.example.com/v1?key=1");
    assert_eq!(read_log(&outcome), ["0", "no rule of `grant.http` covers it"]);
    assert_eq!(
        list_refused(&outcome),
        [
            "http GET https://api.example.com/v1: no rule of `grant.http` covers it; to permit it, write `grant = { http = \
             [\"https://api.example.com/v1\"] }` into the hook's entry"
        ]
    );
}

#[test]
fn a_request_to_an_invalid_address_is_invalid() {
    for url in ["", "nowhere at all", "http://"] {
        assert_eq!(read_log(&send_request(grant_http("https://api.example.com"), url))[0], "1", "{url}");
    }
}

#[test]
fn a_server_that_is_not_there_is_unreachable() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let outcome = send_request(grant_http(&format!("http://{free}")), &format!("http://{free}/"));
    assert_eq!(read_log(&outcome)[0], "2");
}

#[test]
fn a_server_that_says_nothing_costs_no_more_than_the_hooks_time() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    let bed = Bed::new();
    let limits = Limits::default().with_limit(Limit::Timeout, 300).unwrap();
    let spec = create_spec(&bed, grant_http(&format!("http://{server}")), &format!("http://{server}/"));
    let host = bed.builder().hooks([HookSpec { limits, ..spec }]).build();
    assert_eq!(find_failure_code(&dispatch_event(&host, tool_event()).reports[0]), FailureCode::Timeout);
}

/// Answers what is asked for at this address, and keeps what it was sent.
#[derive(Default)]
struct Records(Mutex<Vec<Sent>>);

impl Recording for Records {
    fn answer(&self, sent: &Sent) -> Option<Recorded> {
        self.0.lock().unwrap().push(sent.clone());
        let body = b"recorded".to_vec();
        (sent.url == "https://policy.example.com/may").then(|| Recorded {
            status: 200,
            headers: vec![],
            body,
        })
    }
}

fn send_recorded(records: &Arc<Records>, url: &str) -> Outcome {
    let bed = Bed::new();
    let spec = create_spec(&bed, grant_http("https://policy.example.com"), url);
    let recording = Arc::clone(records);
    let host: Host = bed.builder().recording(recording).hooks([spec]).build();
    dispatch_event(&host, tool_event())
}

#[test]
fn a_recording_answers_in_the_place_of_every_server() {
    let records = Arc::new(Records::default());
    assert_eq!(read_log(&send_recorded(&records, "https://policy.example.com/may")), [OK, "recorded"]);
    let sent = records.0.lock().unwrap().clone();
    let headers = vec![("x-a".to_owned(), "b".to_owned())];
    let url = "https://policy.example.com/may".to_owned();
    assert_eq!(sent, [Sent { method: "GET".to_owned(), url, headers, body: vec![] }]);
}

#[test]
fn a_request_without_a_recorded_answer_is_unreachable_and_reported() {
    let outcome = send_recorded(&Arc::default(), "https://policy.example.com/else");
    assert_eq!(read_log(&outcome)[0], "2");
    assert_eq!(
        list_refused(&outcome),
        ["http GET https://policy.example.com/else: no answer to it is recorded"]
    );
}

#[test]
fn what_no_rule_covers_does_not_come_to_the_recording() {
    let records = Arc::new(Records::default());
    assert_eq!(read_log(&send_recorded(&records, "https://other.example.com/may"))[0], "0");
    assert!(records.0.lock().unwrap().is_empty());
}
