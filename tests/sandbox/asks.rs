//! What a program that is a core module asks of the host, by `ask` and `take`.

use std::{
    fmt::Write,
    sync::{Arc, Mutex},
};

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{FailureCode, Grants, HookReport, Json, KvGrant, Limit, Limits, Scope},
    sandbox::{Recorded, Recording, Sent},
};

use crate::{
    Bed, create_brief_limits, create_hook, dispatch_event, expect_failure, find_failure_code,
    guests::PREVIEW1, tool_event,
};

const IMPORTS: &str = r#"
  (import "hookbox:hook/host@0.2.0" "ask" (func $ask (param i32 i32) (result i32)))
  (import "hookbox:hook/host@0.2.0" "take" (func $take (param i32 i32) (result i32)))
  (memory (export "memory") 8)"#;

/// A program with this body of `_start` and these bytes at 0; `$say` writes so many bytes from an address to its log.
fn assemble_program(bytes: &str, body: &str) -> Vec<u8> {
    let data = bytes.bytes().fold(String::new(), |mut data, byte| {
        write!(data, "\\{byte:02x}").unwrap();
        data
    });
    let text = format!(
        r#"(module
  (import "{PREVIEW1}" "fd_write" (func $write (param i32 i32 i32 i32) (result i32))){IMPORTS}
  (data (i32.const 0) "{data}") (data (i32.const 65520) "\n")
  (func $out (param i32 i32)
    (i32.store (i32.const 65500) (local.get 0)) (i32.store (i32.const 65504) (local.get 1))
    (drop (call $write (i32.const 2) (i32.const 65500) (i32.const 1) (i32.const 65508))))
  (func $say (param i32 i32) (call $out (local.get 0) (local.get 1)) (call $out (i32.const 65520) (i32.const 1)))
  (func (export "_start") {body}))"#
    );
    wat::parse_str(text).unwrap()
}

/// A program that asks these questions and logs each reply.
pub(crate) fn build_question_program(questions: &[&str]) -> Vec<u8> {
    let mut body = String::new();
    let mut at = 0;
    for question in questions {
        let length = question.len();
        write!(
            body,
            "(call $say (i32.const 65536)
               (call $take (i32.const 65536) (call $ask (i32.const {at}) (i32.const {length}))))"
        )
        .unwrap();
        at += length;
    }
    assemble_program(&questions.concat(), &body)
}

fn create_spec(bed: &Bed, program: &[u8], grants: Grants) -> HookSpec {
    let file = bed.write_file("program.wasm", program);
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(&file) });
    let config = Json::parse_object(r#"{ "most": 3 }"#).unwrap();
    HookSpec { target, config, ..create_hook("asks", &file) }
}

fn run_spec(bed: &Bed, spec: HookSpec) -> HookReport {
    let host = bed.builder().state(&bed.join_path("state")).hooks([spec]).build();
    dispatch_event(&host, tool_event()).reports.remove(0)
}

fn read_replies(report: &HookReport) -> Vec<String> {
    assert!(!report.log.is_empty(), "{:?}", report.status);
    report.log.iter().map(|line| line.message.clone()).collect()
}

/// What a program is told that asks this, with a store for sessions.
fn run_questions(questions: &[&str]) -> Vec<String> {
    let bed = Bed::new();
    let grants = Grants { kv: KvGrant::new([Scope::User]), ..Grants::default() };
    read_replies(&run_spec(&bed, create_spec(&bed, &build_question_program(questions), grants)))
}

#[test]
fn a_program_asks_for_its_settings_the_callers_json_and_the_time() {
    insta::assert_snapshot!(run_questions(&[r#"{"ask":"config"}"#, r#"{"ask":"source"}"#, r#"{"ask":"now"}"#]).join("\n"), @r#"
    {"value":{ "most": 3 }}
    {"value":{"tool_name":"Bash","tool_input":{"command":"ls"}}}
    {"value":0}
    "#);
}

#[test]
fn random_bytes_follow_from_the_event_and_are_never_text() {
    let question = r#"{"ask":"random","count":6}"#;
    let [one, two] = [(); 2].map(|()| run_questions(&[question, question]));
    assert_eq!(one, two);
    assert_ne!(one[0], one[1]);
    assert!(one[0].starts_with(r#"{"value":{"base64":""#), "{}", one[0]);
}

#[test]
fn a_line_of_the_log_has_its_level() {
    let bed = Bed::new();
    let question = r#"{"ask":"log","level":"warn","message":"hm"}"#;
    let report = run_spec(&bed, create_spec(&bed, &build_question_program(&[question]), Grants::default()));
    let lines: Vec<_> = report.log.iter().map(|line| format!("{} {}", line.level, line.message)).collect();
    assert_eq!(lines, ["warn hm", r#"info {"value":null}"#]);
}

#[test]
fn a_program_that_says_why_it_fails_has_failed_with_these_words() {
    let bed = Bed::new();
    let question = r#"{"ask":"fail","message":"the store: quota"}"#;
    let failure = expect_failure(&run_spec(
        &bed,
        create_spec(&bed, &build_question_program(&[question]), Grants::default()),
    ));
    assert_eq!(failure.to_string(), "hook-error: the store: quota");
}

#[test]
fn what_is_kept_is_found_as_text_or_as_bytes() {
    insta::assert_snapshot!(run_questions(&[
        r#"{"ask":"kv.get","scope":"user","key":"k"}"#,
        r#"{"ask":"kv.set","scope":"user","key":"k","value":"Grüße"}"#,
        r#"{"ask":"kv.get","scope":"user","key":"k"}"#,
        r#"{"ask":"kv.set","scope":"user","key":"b","value":{"base64":"/w=="}}"#,
        r#"{"ask":"kv.get","scope":"user","key":"b"}"#,
        r#"{"ask":"kv.keys","scope":"user"}"#,
        r#"{"ask":"kv.keys","scope":"user","prefix":"k"}"#,
        r#"{"ask":"kv.swap","scope":"user","key":"k","old":"no","new":"x"}"#,
        r#"{"ask":"kv.swap","scope":"user","key":"k","old":"Grüße","new":"41"}"#,
        r#"{"ask":"kv.swap","scope":"user","key":"n","new":"1"}"#,
        r#"{"ask":"kv.increment","scope":"user","key":"k","by":1}"#,
        r#"{"ask":"kv.increment","scope":"user","key":"k","by":-43}"#,
        r#"{"ask":"kv.delete","scope":"user","key":"k"}"#,
        r#"{"ask":"kv.get","scope":"user","key":"k"}"#,
    ]).join("\n"), @r#"
    {"value":null}
    {"value":null}
    {"value":"Grüße"}
    {"value":null}
    {"value":{"base64":"/w=="}}
    {"value":["b","k"]}
    {"value":["k"]}
    {"value":false}
    {"value":true}
    {"value":true}
    {"value":42}
    {"value":-1}
    {"value":null}
    {"value":null}
    "#);
}

#[test]
fn an_error_of_the_store_is_a_word_and_a_text() {
    insta::assert_snapshot!(run_questions(&[
        r#"{"ask":"kv.get","scope":"project","key":"k"}"#,
        r#"{"ask":"kv.get","scope":"user","key":""}"#,
        r#"{"ask":"kv.set","scope":"user","key":"k","value":"x"}"#,
        r#"{"ask":"kv.increment","scope":"user","key":"k","by":1}"#,
    ]).join("\n"), @r#"
    {"error":"not-granted","text":"the hook has no grant for this scope; the call's report has the line to add"}
    {"error":"bad-size","text":"a key has 1 to 256 bytes, a value 64 KiB at most"}
    {"value":null}
    {"error":"not-a-number","text":"the value is not a 64-bit integer, or the result would overflow"}
    "#);
}

#[test]
fn a_program_without_the_grant_stores_nothing_and_the_line_for_the_grant_is_reported() {
    let bed = Bed::new();
    let question = r#"{"ask":"kv.set","scope":"user","key":"k","value":"x"}"#;
    let report = run_spec(&bed, create_spec(&bed, &build_question_program(&[question]), Grants::default()));
    assert!(read_replies(&report)[0].starts_with(r#"{"error":"not-granted""#));
    insta::assert_snapshot!(report.refused[0], @r#"kv user: the scope is not granted; to permit it, write `grant = { kv = { scopes = ["user"] } }` into the hook's entry"#);
    assert!(!bed.join_path("state").exists());
}

/// Sends back what it is sent, and keeps what that was.
#[derive(Default)]
struct Echo(Mutex<Vec<Sent>>);

impl Recording for Echo {
    fn answer(&self, sent: &Sent) -> Option<Recorded> {
        self.0.lock().unwrap().push(sent.clone());
        let headers = vec![("x-from".to_owned(), "echo".to_owned())];
        Some(Recorded { status: 403, headers, body: sent.body.clone() })
    }
}

/// What a program with this grant is told that asks this, of servers that send back what they are sent.
fn send_requests(grant: &str, questions: &[&str]) -> (HookReport, Vec<Sent>) {
    let (bed, echo) = (Bed::new(), Arc::new(Echo::default()));
    let http = if grant.is_empty() { vec![] } else { vec![grant.parse().unwrap()] };
    let spec = create_spec(&bed, &build_question_program(questions), Grants { http, ..Grants::default() });
    let recording = Arc::clone(&echo);
    let host = bed.builder().recording(recording).hooks([spec]).build();
    let report = dispatch_event(&host, tool_event()).reports.remove(0);
    let sent = echo.0.lock().unwrap().clone();
    (report, sent)
}

#[test]
fn a_request_brings_back_status_headers_and_body_as_text_or_as_bytes() {
    let (report, sent) = send_requests(
        "* https://policy.example.com",
        &[
            r#"{"ask":"http","method":"GET","url":"https://policy.example.com/may?what=x"}"#,
            r#"{"ask":"http","method":"POST","url":"https://policy.example.com/","headers":[["x-a","b"]],"body":"Grüße","timeout":100}"#,
            r#"{"ask":"http","method":"POST","url":"https://policy.example.com/","body":{"base64":"/w=="}}"#,
        ],
    );
    insta::assert_snapshot!(read_replies(&report).join("\n"), @r#"
    {"value":{"status":403,"headers":[["x-from","echo"]],"body":""}}
    {"value":{"status":403,"headers":[["x-from","echo"]],"body":"Grüße"}}
    {"value":{"status":403,"headers":[["x-from","echo"]],"body":{"base64":"/w=="}}}
    "#);
    let sent: Vec<_> =
        sent.iter().map(|sent| format!("{} {} {:?}", sent.method, sent.url, sent.headers)).collect();
    assert_eq!(
        sent,
        [
            "GET https://policy.example.com/may?what=x []",
            r#"POST https://policy.example.com/ [("x-a", "b")]"#,
            "POST https://policy.example.com/ []",
        ]
    );
    assert_eq!(report.usage.requests, 3);
}

#[test]
fn a_request_without_a_rule_is_refused_and_the_line_for_the_grant_is_reported() {
    let (report, sent) =
        send_requests("", &[r#"{"ask":"http","method":"GET","url":"https://policy.example.com/may"}"#]);
    assert_eq!(read_replies(&report), [r#"{"error":"refused","text":"no rule of `grant.http` covers it"}"#]);
    insta::assert_snapshot!(report.refused[0], @r#"http GET https://policy.example.com/may: no rule of `grant.http` covers it; to permit it, write `grant = { http = ["https://policy.example.com/may"] }` into the hook's entry"#);
    assert_eq!(sent, []);
}

#[test]
fn a_request_that_cannot_be_sent_is_answered_with_the_reason() {
    let told = |question| read_replies(&send_requests("https://policy.example.com", &[question]).0).remove(0);
    let is_invalid = |question, text: &str| {
        let told = told(question);
        assert!(told.starts_with(&format!(r#"{{"error":"invalid","text":"{text}"#)), "{told}");
    };
    is_invalid(r#"{"ask":"http","method":"GET","url":"nowhere at all"}"#, "invalid uri character");
    is_invalid(
        r#"{"ask":"http","method":"GET","url":"https://policy.example.com/","headers":[["host","x"]]}"#,
        "the header `host` is the host's to write",
    );
    is_invalid(
        r#"{"ask":"http","method":"GET","url":"https://policy.example.com/","headers":[["x"]]}"#,
        "invalid length 1, expected a tuple of size 2",
    );
    is_invalid(r#"{"ask":"http","url":"https://policy.example.com/"}"#, "missing field `method`");
    is_invalid(
        r#"{"ask":"http","method":"GET","url":"https://policy.example.com/","redirect":true}"#,
        "unknown field `redirect`",
    );
}

#[test]
fn an_invalid_question_is_answered_with_its_mistake() {
    let deep = format!(r#"{{"ask":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    insta::assert_snapshot!(run_questions(&[
        "",
        "[]",
        r#"{"ask":"config""#,
        r#"{"what":"config"}"#,
        r#"{"ask":"config","ask":"now"}"#,
        r#"{"ask":"config","more":1}"#,
        r#"{"ask":"shell"}"#,
        r#"{"ask":"kv.clear"}"#,
        r#"{"ask":"kv.get","scope":"world","key":"k"}"#,
        r#"{"ask":"kv.get","scope":"user"}"#,
        r#"{"ask":"kv.set","scope":"user","key":"k","value":1}"#,
        r#"{"ask":"kv.set","scope":"user","key":"k","value":{"base64":"?"}}"#,
        r#"{"ask":"kv.increment","scope":"user","key":"k","by":9223372036854775808}"#,
        r#"{"ask":"random","count":4097}"#,
        r#"{"ask":"random","count":-1}"#,
        &deep,
    ]).join("\n").replace(r#"{"error":"invalid","text":"#, ""), @r#"
    "a question is a JSON object: it is empty"}
    "a question is a JSON object: it is not a JSON object"}
    "a question is a JSON object: it ends too early, at line 1 column 15"}
    "the member `ask` says what a question is about"}
    "a question is a JSON object: the key \"ask\" appears twice, at line 1 column 21"}
    "unknown field `more`, there are no fields"}
    "unknown question `shell`: write `config`, `source`, `log`, `fail`, `now`, `random`, `facts`, `kv.get`, `kv.set`, `kv.delete`, `kv.keys`, `kv.increment`, `kv.swap` or `http`"}
    "unknown variant `kv.clear`, expected one of `kv.get`, `kv.set`, `kv.delete`, `kv.keys`, `kv.increment`, `kv.swap` at line 1 column 17"}
    "unknown variant `world`, expected one of `session`, `project`, `user`"}
    "missing field `key`"}
    "bytes are a text, or an object with the member `base64` alone"}
    "base64: Invalid symbol 63, offset 0."}
    "invalid value: integer `9223372036854775808`, expected i64"}
    "at most 4096 random bytes in one call"}
    "invalid value: integer `-1`, expected u32"}
    "a question is a JSON object: it is nested deeper than 100 levels, at line 1 column 107"}
    "#);
}

#[test]
fn a_program_without_a_plugin_for_facts_gets_the_reason_in_them() {
    let unavailable = r#"{"value":{"language":"posix","commands":[],"paths":[],"hosts":[],"undetermined":[{"reason":"unavailable","text":"shell-facts is missing: install hookbox again"}]}}"#;
    let replies = run_questions(&[r#"{"ask":"facts"}"#, r#"{"ask":"facts","more":1}"#]);
    assert_eq!(
        replies,
        [unavailable, r#"{"error":"invalid","text":"unknown field `more`, there are no fields"}"#]
    );
}

#[test]
fn a_question_that_is_not_utf_8_is_answered_with_an_error() {
    let bed = Bed::new();
    let program = assemble_program(
        "",
        "(i32.store8 (i32.const 0) (i32.const 255))
      (call $say (i32.const 9) (call $take (i32.const 9) (call $ask (i32.const 0) (i32.const 1))))",
    );
    let report = run_spec(&bed, create_spec(&bed, &program, Grants::default()));
    assert_eq!(read_replies(&report), [r#"{"error":"invalid","text":"a question is text in UTF-8"}"#]);
}

#[test]
fn a_reply_can_be_taken_in_part_and_again_and_there_is_none_before_a_question() {
    let bed = Bed::new();
    let question = r#"{"ask":"now"}"#;
    let length = question.len();
    let body = format!(
        "(call $say (i32.const 99) (call $take (i32.const 99) (i32.const 50)))
         (drop (call $ask (i32.const 0) (i32.const {length})))
         (call $say (i32.const 99) (call $take (i32.const 99) (i32.const 8)))
         (call $say (i32.const 99) (call $take (i32.const 99) (i32.const -1)))"
    );
    let report = run_spec(&bed, create_spec(&bed, &assemble_program(question, &body), Grants::default()));
    assert_eq!(read_replies(&report), [r#"{"value""#, r#"{"value":0}"#]);
}

/// What a program with this body comes to, within 300 ms.
fn run_body(body: &str, limits: &Limits) -> HookReport {
    let bed = Bed::new();
    let spec = create_spec(&bed, &assemble_program(r#"{"ask":"now"}"#, body), Grants::default());
    run_spec(&bed, HookSpec { limits: limits.clone(), ..spec })
}

#[test]
fn an_address_outside_the_memory_is_a_trap() {
    let ask = "(drop (call $ask (i32.const 0) (i32.const 13)))";
    let bodies = [
        "(drop (call $ask (i32.const 524288) (i32.const 1)))".to_owned(),
        "(drop (call $ask (i32.const 524287) (i32.const 2)))".to_owned(),
        "(drop (call $ask (i32.const -1) (i32.const 13)))".to_owned(),
        format!("{ask} (drop (call $take (i32.const 524288) (i32.const 13)))"),
        format!("{ask} (drop (call $take (i32.const 524287) (i32.const -1)))"),
        format!("{ask} (drop (call $take (i32.const -1) (i32.const -1)))"),
    ];
    for body in bodies {
        let failure = expect_failure(&run_body(&body, &Limits::default()));
        assert_eq!(failure.code, FailureCode::Trap, "{body}");
        assert_eq!(failure.message, "the guest trapped: wasm trap: out of bounds memory access", "{body}");
    }
}

#[test]
fn a_question_is_as_long_as_what_a_host_call_may_move() {
    let limits = Limits::default().with_limit(Limit::HostCallBytes, 1024).unwrap();
    let ask = |bytes| format!("(drop (call $ask (i32.const 0) (i32.const {bytes})))");
    assert_eq!(run_body(&ask(1024), &limits).usage.host_calls, Some(1));
    let failure = expect_failure(&run_body(&ask(1025), &limits));
    assert_eq!(failure.code, FailureCode::Output);
    insta::assert_snapshot!(failure.message, @"the guest used more than 1024 bytes of `host-call-bytes`; raise it in the hook's `limits` if that is meant");
}

#[test]
fn questions_without_end_end_at_the_number_of_host_calls() {
    for length in [13, 12] {
        let body = format!("(loop $again (drop (call $ask (i32.const 0) (i32.const {length}))) (br $again))");
        let report = run_body(&body, &Limits::default());
        assert_eq!(find_failure_code(&report), FailureCode::HostCalls);
        assert_eq!(report.usage.host_calls, Some(1001));
    }
}

#[test]
fn replies_that_are_taken_without_end_use_up_the_fuel_or_the_time() {
    let body = "(drop (call $ask (i32.const 0) (i32.const 13)))
      (loop $again (drop (call $take (i32.const 64) (i32.const -1))) (br $again))";
    let report = run_body(body, &Limits::default().with_limit(Limit::Fuel, 1_000_000).unwrap());
    assert_eq!(find_failure_code(&report), FailureCode::Fuel);
    assert_eq!(report.usage.host_calls, Some(1));
    assert_eq!(find_failure_code(&run_body(body, &create_brief_limits())), FailureCode::Timeout);
}

#[test]
fn a_program_that_asks_without_exported_memory_fails_with_the_next_step() {
    let bed = Bed::new();
    let text = format!(
        r#"(module {} (func (export "_start") (drop (call $ask (i32.const 0) (i32.const 0)))))"#,
        IMPORTS.replace(r#"(export "memory")"#, "")
    );
    let report = run_spec(&bed, create_spec(&bed, &wat::parse_str(text).unwrap(), Grants::default()));
    assert_eq!(
        expect_failure(&report).message,
        "the guest trapped: a program that asks the host exports its memory as `memory`"
    );
}

#[test]
fn what_the_host_does_not_have_is_not_linked() {
    let bed = Bed::new();
    for (import, code) in [
        (r#""hookbox:hook/host@0.3.0" "ask" (func (param i32 i32) (result i32))"#, FailureCode::Refused),
        (r#""hookbox:hook/host@0.2.0" "act" (func (param i32 i32) (result i32))"#, FailureCode::Refused),
        (r#""hookbox:hook/host@0.2.0" "ask" (func (param i32) (result i32))"#, FailureCode::Refused),
    ] {
        let text = format!(r#"(module (import {import}) (func (export "_start")))"#);
        let report = run_spec(&bed, create_spec(&bed, &wat::parse_str(text).unwrap(), Grants::default()));
        assert_eq!(expect_failure(&report).code, code, "{import}");
    }
}

#[test]
fn any_later_version_of_the_two_functions_is_the_same() {
    let bed = Bed::new();
    let text = build_question_program(&[r#"{"ask":"now"}"#]).into_iter().map(char::from).collect::<String>();
    let later: Vec<_> = text.replace("host@0.2.0", "host@0.2.7").chars().map(|byte| byte as u8).collect();
    let report = run_spec(&bed, create_spec(&bed, &later, Grants::default()));
    assert_eq!(read_replies(&report), [r#"{"value":0}"#]);
}
