//! Messages of llxprt-code's bus, and its log (docs/reference/agents/llxprt.md).

use std::time::Duration;

use hookbox::agents::InvalidEvent;
use hookbox_embed::{
    gemini_model::{apply_request, stable_request},
    llxprt_bus::{AggregatedHookResult, HookExecutionError, HookExecutionRequest, HookExecutionResponse},
    llxprt_log::log_records,
};
use hookbox_model::{
    Answer, Event, EventName, Failure, FailureCode, Json, LogLevel, LogLine, Outcome, Reason, Status, Verdict,
};
use serde_json::{Value, json};

use super::{llxprt::report_answer, make_arrival, parse_json};

fn make_message(payload: &Value) -> Json {
    Json::from_value(&json!({"type": "HOOK_EXECUTION_REQUEST", "payload": payload}))
}

fn make_request(event: &str, input: &str) -> HookExecutionRequest {
    let payload =
        json!({"eventName": event, "input": parse_json(input).to_value(), "correlationId": "req-abc-123"});
    HookExecutionRequest::read(&make_message(&payload)).unwrap().unwrap()
}

pub(crate) fn event_of(event: &str, input: &str) -> Result<Event, HookExecutionError> {
    make_request(event, input).to_event("s", &make_arrival())
}

fn before_tool() -> Event {
    event_of("BeforeTool", r#"{"tool_name":"read_file","tool_input":{"path":"/tmp/test.txt"}}"#).unwrap()
}

#[test]
fn a_request_is_read_as_the_event_that_it_asks_about() {
    let event = before_tool();
    assert_eq!(
        (event.name, event.agent.as_ref(), event.session.as_str()),
        (EventName::ToolBefore, "llxprt", "s")
    );
    assert_eq!(event.tool.unwrap().name, "read_file");
    let text = r#"{"type":"HOOK_EXECUTION_REQUEST","payload":{"eventName":"BeforeAgent","input":{"prompt":"p"},"correlationId":"1"}}"#;
    let request = HookExecutionRequest::read(&parse_json(text)).unwrap().unwrap();
    assert_eq!(request.message().to_string(), text);
}

#[test]
fn the_sender_of_a_request_does_not_say_who_asks() {
    let input = r#"{"prompt":"p","session_id":"another","hook_event_name":"AfterAgent"}"#;
    let event = event_of("BeforeAgent", input).unwrap();
    assert_eq!((event.session.as_str(), event.agent_event.as_str()), ("s", "BeforeAgent"));
}

#[test]
fn another_message_is_not_a_request() {
    for text in [r#"{"type":"HOOK_EXECUTION_RESPONSE","payload":{}}"#, "{}", "1"] {
        assert_eq!(HookExecutionRequest::read(&parse_json(text)), None);
    }
}

#[test]
fn a_request_without_its_parts_is_answered_with_what_is_missing() {
    for (payload, expected) in [
        (json!(null), "Missing payload"),
        (json!({}), "Missing eventName or input"),
        (json!({"eventName": "BeforeTool"}), "Missing eventName or input"),
        (json!({"eventName": "BeforeTool", "input": []}), "Missing eventName or input"),
        (json!({"eventName": "", "input": {}}), "Missing eventName or input"),
    ] {
        let error = HookExecutionRequest::read(&make_message(&payload)).unwrap().unwrap_err();
        assert_eq!((error.code, error.message.as_str()), ("invalid_request", expected));
    }
}

#[test]
fn the_correlation_id_is_echoed_or_made() {
    let id = |payload| HookExecutionRequest::correlation_id_of(&make_message(&payload), &make_arrival());
    assert_eq!(id(json!({"correlationId": "req-abc-123"})), "req-abc-123");
    for payload in [json!(null), json!({}), json!({"correlationId": ""}), json!({"correlationId": 1})] {
        assert_eq!(id(payload), "e1");
    }
}

#[test]
fn an_unknown_event_and_an_event_without_a_validator_have_different_errors() {
    let error = event_of("BeforeLunch", "{}").unwrap_err();
    assert_eq!((error.code, error.message.as_str()), ("unsupported_event", "Unknown event: BeforeLunch"));
    for event in ["SessionStart", "SessionEnd", "PreCompress"] {
        let error = event_of(event, r#"{"source":"startup","reason":"exit","trigger":"auto"}"#).unwrap_err();
        assert_eq!(
            (error.code, error.message),
            ("VALIDATION_FAILURE", format!("{event} input, hooks of this event are not run by request"))
        );
    }
}

#[test]
fn nothing_to_run_is_a_success_with_nothing_in_it() {
    let response = HookExecutionResponse::answered("req-abc-123", &before_tool(), &Outcome::default());
    assert_eq!(
        response.message().to_string(),
        r#"{"type":"HOOK_EXECUTION_RESPONSE","payload":{"correlationId":"req-abc-123","success":true,"output":{"hookResults":[],"success":true,"allOutputs":[],"errors":[],"totalDuration":0}}}"#
    );
    assert_eq!(response.result, Ok(AggregatedHookResult::default()));
}

#[test]
fn a_response_that_worked_has_a_result_for_each_hook_and_the_sum_of_their_times() {
    let reports = [("first", 30), ("second", 12)].map(|(hook, milliseconds)| {
        let mut report = report_answer(hook, Answer::default());
        report.usage.wall = Duration::from_millis(milliseconds);
        report
    });
    let outcome = Outcome { reports: reports.into(), ..Outcome::default() };
    let response = HookExecutionResponse::answered("req-abc-123", &before_tool(), &outcome);
    let result = |hook, duration| json!({"eventName": "BeforeTool", "hookIdentity": hook, "duration": duration, "success": true, "stderr": ""});
    assert_eq!(
        serde_json::to_value(&response).unwrap(),
        json!({
            "correlationId": "req-abc-123",
            "success": true,
            "output": {
                "hookResults": [result("first", 30), result("second", 12)],
                "success": true,
                "allOutputs": [],
                "errors": [],
                "totalDuration": 42
            }
        })
    );
}

#[test]
fn an_invalid_input_is_a_failure_with_its_place() {
    let request = make_request("BeforeTool", r#"{"tool_input":{}}"#);
    let error = request.to_event("s", &make_arrival()).unwrap_err();
    let response = HookExecutionResponse::failed(request.correlation_id.as_deref().unwrap(), error);
    assert_eq!(
        serde_json::to_value(&response).unwrap(),
        json!({
            "correlationId": "req-abc-123",
            "success": false,
            "error": {
                "code": "VALIDATION_FAILURE",
                "message": "BeforeTool input missing required field: tool_name",
                "details": {"stage": "validation", "eventName": "BeforeTool"}
            }
        })
    );
}

#[test]
fn a_failure_envelope_has_one_error_and_no_output() {
    let invalid = InvalidEvent { event: None, field: None, problem: "no JSON".into() };
    let sdk = parse_json(r#"{"model":"m","contents":[]}"#);
    assert_eq!(apply_request(&sdk, &stable_request(&sdk)).unwrap(), sdk);
    let untranslatable = apply_request(&sdk, &parse_json(r#"{"model":1}"#)).unwrap_err();
    for (error, code, message) in [
        (HookExecutionError::from(&invalid), "VALIDATION_FAILURE", "unknown event input, no JSON"),
        (HookExecutionError::internal("the host is gone"), "internal_error", "the host is gone"),
        (
            HookExecutionError::translation("BeforeModel", &untranslatable),
            "internal_error",
            "the hook's `model` cannot be used: it must be a string",
        ),
    ] {
        assert_eq!(error.code, code);
        assert_eq!(
            serde_json::to_value(AggregatedHookResult::failure(&error)).unwrap(),
            json!({"hookResults": [], "success": false, "allOutputs": [], "errors": [message], "totalDuration": 0})
        );
    }
}

/// Returns reports of a hook that denied, one without an opinion, one that failed, one that was skipped.
fn mixed_outcome() -> Outcome {
    let reason = Reason::new("no", "not here");
    let deny = Answer { verdict: Verdict::Deny(reason.clone()), ..Answer::default() };
    let report = |hook, answer, ms| {
        let mut report = report_answer(hook, answer);
        report.usage.wall = Duration::from_millis(ms);
        report
    };
    let failed = Status::Failed(Failure::new(FailureCode::Timeout, "no answer within 5 ms"));
    let line = |message: &str| LogLine::new(LogLevel::Info, message);
    let mut quiet = report("quiet", Answer::default(), 7);
    quiet.log = vec![line("a"), line("b")];
    let mut slow = report("slow", Answer::default(), 5);
    slow.status = failed;
    let mut late = report_answer("late", Answer::default());
    late.status = Status::Skipped;
    Outcome {
        verdict: Verdict::Deny(reason.clone()),
        reasons: vec![super::label_value("guard", reason)],
        reports: vec![report("guard", deny, 30), quiet, slow, late],
        ..Outcome::default()
    }
}

#[test]
fn the_outcome_of_the_hooks_is_reported_as_a_whole_and_for_each_hook() {
    assert_eq!(
        serde_json::to_value(AggregatedHookResult::new(&before_tool(), &mixed_outcome())).unwrap(),
        json!({
            "hookResults": [
                {"eventName": "BeforeTool", "hookIdentity": "guard", "duration": 30, "success": true, "stderr": ""},
                {"eventName": "BeforeTool", "hookIdentity": "quiet", "duration": 7, "success": true, "stderr": "a\nb"},
                {"eventName": "BeforeTool", "hookIdentity": "slow", "duration": 5, "success": false, "stderr": "",
                    "errorMessage": "no answer within 5 ms"}
            ],
            "success": false,
            "finalOutput": {"decision": "deny", "reason": "guard: not here (no)"},
            "allOutputs": [{"decision": "deny", "reason": "not here"}],
            "errors": ["slow: timeout: no answer within 5 ms"],
            "totalDuration": 42
        })
    );
}

#[test]
fn each_hook_is_logged_and_each_failure_and_all_of_them() {
    let (event, outcome) = (before_tool(), mixed_outcome());
    let records = serde_json::to_value(log_records(&event, &outcome)).unwrap();
    let result = |hook, duration, success, stderr| {
        json!({"type": "hook:result", "eventName": "BeforeTool", "hookIdentity": hook, "duration": duration,
            "success": success, "stderr": stderr})
    };
    let mut slow = result("slow", 5, false, "");
    slow["errorMessage"] = json!("no answer within 5 ms");
    assert_eq!(
        records,
        json!([
            result("guard", 30, true, ""),
            result("quiet", 7, true, "a\nb"),
            slow,
            {"type": "hook:failure_diagnostic", "eventName": "BeforeTool", "hookIdentity": "slow",
                "errorCode": "timeout", "errorMessage": "no answer within 5 ms"},
            {"type": "hook:batch_summary", "eventName": "BeforeTool", "hookCount": 3, "successCount": 2,
                "failureCount": 1, "totalDuration": 42}
        ])
    );
    assert_eq!(
        serde_json::to_value(log_records(&event, &Outcome::default())).unwrap(),
        json!([{"type": "hook:batch_summary", "eventName": "BeforeTool", "hookCount": 0, "successCount": 0,
            "failureCount": 0, "totalDuration": 0}])
    );
}
