//! The processed result of an outcome.

use std::time::Duration;

use hookbox::{
    Callback, CallbackHook,
    model::{Answer, EventName, Json, Rewrite},
};
use hookbox_embed::ProcessedHookResult;
use serde_json::{Value, json};

use super::{
    Bed,
    bed::{build_failing_gate, build_gate},
    before_tool,
};

/// Returns an answer that ends the run, for these reasons.
fn build_stop(reason: &str, stop: &str) -> Answer {
    Answer { stop: Some(stop.to_owned()), ..Answer::deny("stop", reason) }
}

fn build_notice(text: &str, hides: Option<bool>) -> Answer {
    let extra = hides.map(|hides| Json::from_value(&json!({ "suppressOutput": hides })));
    Answer { notice: Some(text.to_owned()), extra, ..Answer::default() }
}

/// Returns the result of hooks with these answers, in this order.
fn fire_answers(answers: impl IntoIterator<Item = Answer>) -> ProcessedHookResult {
    let names = ["a", "b", "c", "d"];
    let hooks = names.into_iter().zip(answers).map(|(name, answer)| build_gate(name, answer));
    Bed::with(hooks).run(async |bed| bed.fire_event("BeforeTool", before_tool()).await)
}

#[test]
fn hrun_001_both_ways_in_go_through_the_same_processing() {
    Bed::with([build_gate("guard", build_stop("over budget", "Enough."))]).run(async |mut bed| {
        let direct = bed.fire_event("BeforeTool", before_tool()).await;
        let mediated = bed.ask_about("BeforeTool", before_tool()).await;
        assert_eq!(direct.aggregated.final_output.as_ref(), Some(&mediated["output"]["finalOutput"]));
        assert_eq!((direct.should_stop, direct.stop_reason.as_deref()), (true, Some("over budget")));
    });
}

#[test]
fn hrun_002_the_first_stop_counts_and_its_reason_is_trimmed() {
    let none = Answer::default;
    for (answers, expected) in [
        (vec![], None),
        (vec![none(), none()], None),
        (vec![Answer::deny("no", "not here")], None),
        (vec![build_stop("", "token limit"), none()], Some("token limit")),
        (vec![none(), build_stop("", "  whitespace  ")], Some("whitespace")),
        (vec![build_stop("", "first reason"), build_stop("", "second reason")], Some("first reason")),
        (vec![build_stop("\tthe verdict's\n", "the stop's")], Some("the verdict's")),
        (vec![build_stop(" ", " ")], Some("Hook requested stop")),
    ] {
        let result = fire_answers(answers);
        assert_eq!((result.should_stop, result.stop_reason.as_deref()), (expected.is_some(), expected));
    }
}

#[test]
fn hrun_003_the_first_message_counts_and_its_own_hook_decides_whether_output_is_hidden() {
    for (answers, message, hidden) in [
        (vec![build_notice("info: rate limited", None)], Some("info: rate limited"), false),
        (vec![build_notice("msg", Some(true))], Some("msg"), true),
        (vec![build_notice("first", Some(false)), build_notice("second", Some(true))], Some("first"), false),
        (vec![build_notice(" ", Some(true)), build_notice("second", None)], Some("second"), false),
        (vec![Answer::default()], None, false),
    ] {
        let result = fire_answers(answers);
        assert_eq!((result.system_message.as_deref(), result.suppress_output), (message, hidden));
    }
}

#[test]
fn hrun_004_a_result_has_these_members() {
    // TypeScript's `undefined` is a member that is not there.
    let mut result =
        serde_json::to_value(fire_answers([build_notice("msg", Some(true)), build_stop("over budget", "")]))
            .unwrap();
    let aggregated = result["aggregated"].take();
    assert_eq!(
        result,
        json!({"aggregated": null, "shouldStop": true, "stopReason": "over budget", "systemMessage": "msg",
            "suppressOutput": true})
    );
    let members: Vec<_> = aggregated.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["hookResults", "success", "finalOutput", "allOutputs", "errors", "totalDuration"]);
    assert_eq!(fire_answers([]), ProcessedHookResult::default());
    assert_eq!(
        serde_json::to_value(fire_answers([])).unwrap(),
        json!({"aggregated": {"hookResults": [], "success": true, "allOutputs": [], "errors": [], "totalDuration": 0},
            "shouldStop": false, "suppressOutput": false})
    );
}

#[test]
fn happ_001_direct_callers_of_every_event_get_the_same_kind_of_result() {
    let stops = CallbackHook::transform("stops", EventName::KNOWN.iter().cloned());
    let callback = Callback::sync(|_| Ok(build_stop("over budget", "Enough.")));
    Bed::with([(stops, callback)]).run(async |bed| {
        let request = json!({"model": "m", "contents": "hi"});
        for (event, input) in [
            ("BeforeTool", before_tool()),
            ("BeforeAgent", json!({"prompt": "p"})),
            ("AfterAgent", json!({"prompt": "p", "prompt_response": "r", "stop_hook_active": false})),
            ("BeforeModel", json!({"llm_request": request})),
            ("AfterModel", json!({"llm_request": request, "llm_response": {"candidates": []}})),
            ("SessionStart", json!({"source": "startup"})),
            ("Notification", json!({"notification_type": "ToolPermission", "message": "m", "details": {}})),
        ] {
            let result = bed.fire_event(event, input).await;
            assert_eq!(
                (result.should_stop, result.stop_reason.as_deref()),
                (true, Some("over budget")),
                "{event}"
            );
        }
    });
}

#[test]
fn happ_002_a_stop_and_its_reason_are_there_without_reading_any_output() {
    let result =
        fire_answers([Answer::default(), build_stop("", "token limit"), build_notice("later", None)]);
    assert_eq!((result.should_stop, result.stop_reason.as_deref()), (true, Some("token limit")));
    // The result in the output, which callers of the bus read, is equal.
    let output = result.aggregated.final_output.unwrap();
    assert_eq!(output["continue"], json!(false));
}

/// Who wrote the hook sees that a gate's new input had no effect.
#[test]
fn a_rewrite_of_a_gate_is_reported_as_removed() {
    let rewrite = Some(Rewrite::Replace(Json::from_value(&json!({"path": "/tmp/other"}))));
    Bed::with([build_gate("guard", Answer { rewrite, ..Answer::default() })]).run(async |mut bed| {
        let response = bed.ask_about("BeforeTool", before_tool()).await;
        assert_eq!(response["output"]["finalOutput"], Value::Null, "{response}");
        assert_eq!(response["output"]["hookResults"][0]["clamped"], json!(["rewrite"]), "{response}");
        assert_eq!(bed.records()[0]["clamped"], json!(["rewrite"]));
    });
}

#[test]
fn every_hook_that_was_called_has_a_result_in_chain_order() {
    Bed::with([
        build_gate("first", Answer::deny("no", "not here")),
        build_failing_gate("broken"),
        build_gate("last", Answer::default()),
    ])
    .run(async |mut bed| {
        let response = bed.ask_about("BeforeTool", before_tool()).await;
        let results = response["output"]["hookResults"].as_array().unwrap();
        let results_by_hook: Vec<_> =
            results.iter().map(|result| (&result["hookIdentity"], &result["success"])).collect();
        assert_eq!(results_by_hook, [(&json!("first"), &json!(true))], "{response}");
    });
    let result = fire_answers([Answer::default(), Answer::default()]);
    let names: Vec<_> =
        result.aggregated.hook_results.iter().map(|result| result.hook_identity.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn durations_are_those_of_the_hooks_together() {
    let result = fire_answers([Answer::default(), Answer::default()]);
    assert!(Duration::from_millis(result.aggregated.total_duration) < Duration::from_mins(1));
    assert_eq!(result.aggregated.all_outputs, [Value::Null; 0]);
}

#[test]
fn one_hook_that_fails_makes_no_success_and_the_others_count() {
    Bed::with([build_gate("guard", build_notice("look", None)), build_failing_gate("broken")]).run(
        async |bed| {
            let result = bed.fire_event("BeforeTool", before_tool()).await;
            assert_eq!((result.aggregated.success, result.system_message.as_deref()), (false, Some("look")));
            assert_eq!(result.aggregated.errors, ["broken: hook-error: out of paper"]);
        },
    );
}
