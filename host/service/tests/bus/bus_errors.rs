//! Errors that callers receive.

use hookbox::{
    Callback, CallbackHook,
    model::{Answer, EventName, Limit, Limits},
};
use hookbox_embed::llxprt_bus::AggregatedHookResult;
use serde_json::json;

use super::{
    Bed,
    bed::{build_failing_gate, build_gate},
    before_tool,
};

#[test]
fn hfail_001_what_goes_wrong_is_never_an_empty_success() {
    Bed::with([build_failing_gate("broken")]).run(async |bed| {
        for (event, input, error) in [
            ("BeforeLunch", json!({}), "Unknown event: BeforeLunch"),
            (
                "BeforeAgent",
                json!({}),
                "BeforeAgent input missing required field: prompt",
            ),
            (
                "BeforeModel",
                json!({"llm_request": {"model": 1}}),
                "the agent's `llm_request.model` cannot be used: it must be a string",
            ),
        ] {
            let result = bed.fire_event(event, input).await;
            let envelope = json!({"hookResults": [], "success": false, "allOutputs": [], "errors": [error], "totalDuration": 0});
            assert_eq!(serde_json::to_value(&result.aggregated).unwrap(), envelope);
            assert!(!result.should_stop && result.error.is_some());
        }
        let result = bed.fire_event("BeforeTool", before_tool()).await;
        assert!(!result.aggregated.success && result.error.is_none());
    });
}

#[test]
fn hfail_002_a_failure_at_any_stage_is_a_failed_response_with_that_stage() {
    Bed::with([build_failing_gate("broken"), build_gate("guard", Answer::default())]).run(async |mut bed| {
        for (event, input, code, stage) in [
            ("BeforeLunch", json!({}), json!("unsupported_event"), json!(null)),
            ("BeforeTool", json!({}), json!("VALIDATION_FAILURE"), json!("validation")),
            (
                "BeforeModel",
                json!({"llm_request": {"model": 1}}),
                json!("internal_error"),
                json!("translation"),
            ),
            ("BeforeTool", before_tool(), json!(null), json!("execution")),
        ] {
            let response = bed.ask_about(event, input).await;
            let error = &response["error"];
            assert_eq!((&response["success"], &error["code"]), (&json!(false), &code), "{response}");
            assert_eq!(error["details"]["stage"], stage, "{response}");
        }
    });
}

/// A failed gate denies: its failure is not the only output.
#[test]
fn hfail_002_a_hook_that_fails_is_a_failed_response_with_what_the_hooks_came_to() {
    Bed::with([build_failing_gate("broken")]).run(async |mut bed| {
        let mut response = bed.ask_about("BeforeTool", before_tool()).await;
        response["output"]["totalDuration"] = json!(0);
        response["output"]["hookResults"][0]["duration"] = json!(0);
        let message = "broken: hook-error: out of paper";
        let reason = response["output"]["finalOutput"]["reason"].clone();
        assert!(reason.as_str().unwrap().starts_with("broken: "), "{reason}");
        assert_eq!(
            response,
            json!({
                "correlationId": "1",
                "success": false,
                "output": {
                    "hookResults": [{"eventName": "BeforeTool", "hookIdentity": "broken", "duration": 0,
                        "success": false, "stderr": "", "errorMessage": "out of paper"}],
                    "success": false,
                    "finalOutput": {"decision": "deny", "reason": reason},
                    "allOutputs": [],
                    "errors": [message],
                    "totalDuration": 0
                },
                "error": {"message": message, "details": {"stage": "execution"}}
            })
        );
    });
}

#[test]
fn hfail_002_a_hook_that_panics_or_takes_too_long_is_a_failure_of_its_own() {
    let panics = Callback::sync(|_| std::panic::resume_unwind(Box::new("oops")));
    let endless = Callback::asynchronous(|_| std::future::pending());
    let short = Limits::default().with_limit(Limit::Timeout, 20).unwrap();
    for (hook, callback, failure) in [
        (CallbackHook::gate("panics", [EventName::ToolBefore]), panics, "panics: panic: "),
        (CallbackHook::gate("endless", [EventName::ToolBefore]).limits(short), endless, "endless: timeout: "),
    ] {
        Bed::with([build_gate("guard", Answer::default()), (hook, callback)]).run(async |mut bed| {
            let response = bed.ask_about("BeforeTool", before_tool()).await;
            let message = response["error"]["message"].as_str().unwrap();
            assert!(message.starts_with(failure), "{response}");
            assert_eq!(response["output"]["errors"], json!([message]));
        });
    }
}

#[test]
fn hfail_003_no_hook_for_an_event_is_a_success_with_nothing_in_it() {
    let empty =
        json!({"hookResults": [], "success": true, "allOutputs": [], "errors": [], "totalDuration": 0});
    let elsewhere = CallbackHook::gate("elsewhere", [EventName::SessionEnd]);
    Bed::with([(elsewhere, Callback::sync(|_| Err("not mine".into())))]).run(async |mut bed| {
        for input in [json!({"model": "a"}), json!({"model": "b", "contents": "c"})] {
            let input = json!({ "llm_request": input });
            assert_eq!(
                bed.ask_about("BeforeModel", input.clone()).await,
                json!({"correlationId": "1", "success": true, "output": empty})
            );
            let direct = bed.fire_event("BeforeModel", input).await;
            assert_eq!(serde_json::to_value(direct.aggregated).unwrap(), empty);
        }
    });
}

/// llxprt-code once gave every caller one shared object, which a caller could change for all. A result here is a separate value.
#[test]
fn hfail_004_an_empty_success_is_made_anew_for_everyone() {
    Bed::with([]).run(async |bed| {
        let mut first = bed.fire_event("BeforeTool", before_tool()).await.aggregated;
        first.success = false;
        first.errors.push("changed by a caller".to_owned());
        let second = bed.fire_event("BeforeTool", before_tool()).await.aggregated;
        assert_eq!(second, AggregatedHookResult::default());
    });
}

/// llxprt-code passed names on as texts, so a misspelt one matched nothing and succeeded. Here a name becomes a kind of event, or an
/// error, before any lookup.
#[test]
fn hfail_005_an_unknown_event_name_is_an_error_and_runs_no_hook() {
    Bed::with([build_gate("guard", Answer::deny("no", "not here"))]).run(async |mut bed| {
        for name in ["beforetool", "BEFORETOOL", "Before Tool", "tool.before", "PreToolUse", "*", ""] {
            let direct = bed.fire_event(name, before_tool()).await;
            assert_eq!(direct.error.unwrap().code, "unsupported_event", "{name}");
            let code = bed.ask_about(name, before_tool()).await["error"]["code"].take();
            let expected = if name.is_empty() { "invalid_request" } else { "unsupported_event" };
            assert_eq!(code, json!(expected), "{name}");
        }
    });
}

/// Hooks may be missing then, so an event that no hook is for is no success either.
#[test]
fn with_a_broken_configuration_nothing_is_a_success() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("hooks.toml");
    std::fs::write(&file, "not toml").unwrap();
    let service = super::bed::build_service(home.path(), hookbox_service::HookSource::File(file));
    Bed::on(service, home).run(async |mut bed| {
        for (event, input, denied) in [
            ("BeforeTool", before_tool(), true),
            (
                "Notification",
                json!({"notification_type": "ToolPermission", "message": "m", "details": {}}),
                false,
            ),
        ] {
            let response = bed.ask_about(event, input.clone()).await;
            assert_eq!(
                (&response["success"], &response["output"]["success"]),
                (&json!(false), &json!(false))
            );
            assert_eq!(response["output"]["finalOutput"]["decision"] == "deny", denied, "{response}");
            let error = &response["error"];
            assert_eq!(error["details"], json!({"stage": "configuration"}), "{response}");
            assert!(error["message"].as_str().unwrap().contains("hooks.toml:1"), "{response}");
            let direct = bed.fire_event(event, input).await;
            assert!(!direct.aggregated.success);
            assert_eq!(direct.aggregated.errors, [error["message"].as_str().unwrap()]);
        }
    });
}
