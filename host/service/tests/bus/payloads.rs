//! Checks of inputs, and the payloads of a model's request and response for hooks.

use std::sync::{Arc, Mutex, atomic::Ordering};

use hookbox::{
    Callback, CallbackHook,
    model::{Answer, EventName, Json, Rewrite},
};
use serde_json::{Value, json};

use super::{Bed, before_tool, build_counting_gate};

/// Required members of each of the eight families.
fn list_families() -> [(&'static str, Value); 8] {
    let request = json!({"model": "test-model", "contents": [{"role": "user", "parts": [{"text": "hi"}]}]});
    [
        ("BeforeTool", before_tool()),
        ("AfterTool", json!({"tool_name": "t", "tool_input": {}, "tool_response": {"content": "hello"}})),
        ("BeforeAgent", json!({"prompt": "Hello, agent!"})),
        ("AfterAgent", json!({"prompt": "Hello", "prompt_response": "Hi there!", "stop_hook_active": false})),
        ("BeforeModel", json!({"llm_request": request})),
        ("AfterModel", json!({"llm_request": request, "llm_response": {"candidates": []}})),
        ("BeforeToolSelection", json!({"llm_request": request})),
        (
            "Notification",
            json!({"notification_type": "ToolPermission", "message": "Permission requested", "details": {}}),
        ),
    ]
}

#[test]
fn hpay_001_each_of_the_eight_families_is_checked_on_the_bus() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |mut bed| {
        for (count, (event, valid)) in list_families().into_iter().enumerate() {
            // More members than must be there are none too many.
            let mut more = valid.clone();
            more["extra_flag"] = json!(true);
            let response = bed.ask_about(event, more).await;
            assert_eq!(response["success"], json!(true), "{event}: {response}");
            assert_eq!(calls.load(Ordering::SeqCst), count + 1);
            for member in valid.as_object().unwrap().keys() {
                let mut degraded = valid.clone();
                degraded.as_object_mut().unwrap().remove(member);
                let error = bed.ask_about(event, degraded).await["error"].take();
                assert_eq!(error["code"], json!("VALIDATION_FAILURE"), "{event} without {member}");
                assert_eq!(
                    error["message"],
                    json!(format!("{event} input missing required field: {member}"))
                );
                assert_eq!(error["details"], json!({"stage": "validation", "eventName": event}));
            }
        }
    });
}

#[test]
fn hpay_001_members_of_another_kind_are_found() {
    Bed::with([]).run(async |mut bed| {
        for (event, input) in [
            ("BeforeTool", json!({"tool_name": "x", "tool_input": "string"})),
            ("BeforeTool", json!({"tool_name": "", "tool_input": {}})),
            ("BeforeTool", json!({"tool_name": "x", "tool_input": {}, "mcp_context": {"server_name": ""}})),
            ("AfterTool", json!({"tool_name": "x", "tool_input": {}, "tool_response": "string"})),
            ("BeforeAgent", json!({"prompt": 123})),
            ("BeforeModel", json!({"llm_request": "string"})),
            ("BeforeToolSelection", json!({"llm_request": [{"name": "read_file"}]})),
            ("Notification", json!({"notification_type": "t", "message": 123, "details": {}})),
            ("Notification", json!({"notification_type": "t", "message": "", "details": {}})),
        ] {
            let response = bed.ask_about(event, input).await;
            assert_eq!(response["error"]["code"], json!("VALIDATION_FAILURE"), "{response}");
        }
    });
}

#[test]
fn hpay_001_events_without_a_family_are_not_asked_for_on_the_bus() {
    Bed::with([build_counting_gate().1]).run(async |mut bed| {
        for (event, input) in [
            ("SessionStart", json!({"source": "startup"})),
            ("SessionEnd", json!({"reason": "exit"})),
            ("PreCompress", json!({"trigger": "auto"})),
        ] {
            let response = bed.ask_about(event, input).await;
            assert_eq!(
                response["error"]["message"],
                json!(format!("{event} input, hooks of this event are not run by request"))
            );
        }
    });
}

#[test]
fn hpay_002_no_hook_runs_and_none_is_logged_for_an_invalid_input() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |mut bed| {
        for (event, valid) in list_families() {
            for input in [json!({}), json!({"nested": valid})] {
                assert_eq!(bed.ask_about(event, input.clone()).await["success"], json!(false));
                let direct = bed.fire_event(event, input).await;
                assert_eq!(direct.error.unwrap().code, "VALIDATION_FAILURE");
            }
        }
        assert_eq!((calls.load(Ordering::SeqCst), bed.records().len()), (0, 0));
    });
}

/// Returns a transform that records the events, and gives this answer.
fn record_events(event: EventName, answer: Answer) -> (Arc<Mutex<Value>>, (CallbackHook, Callback)) {
    let seen = Arc::<Mutex<Value>>::default();
    let kept = Arc::clone(&seen);
    let callback = Callback::sync(move |call| {
        *kept.lock().unwrap() = call.event.source.to_value();
        Ok(answer.clone())
    });
    (seen, (CallbackHook::transform("sees", [event]), callback))
}

fn build_request() -> Value {
    json!({
        "model": "gemini-pro",
        "contents": [{"role": "user", "parts": [{"text": "hi"}, {"inlineData": {"data": "AA=="}}]}],
        "config": {"temperature": 0.5, "toolConfig": {"functionCallingConfig": {"mode": "ANY"}}}
    })
}

fn build_stable_request() -> Value {
    json!({
        "model": "gemini-pro",
        "messages": [{"role": "user", "content": "hi"}],
        "config": {"temperature": 0.5},
        "toolConfig": {"mode": "ANY"}
    })
}

#[test]
fn hpay_003_hooks_get_the_models_payloads_in_the_stable_format_both_ways() {
    let response = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]}}]});
    let stable_response =
        json!({"text": "hello", "candidates": [{"content": {"role": "model", "parts": ["hello"]}}]});
    for (event, name) in [
        (EventName::ModelRequest, "BeforeModel"),
        (EventName::ModelResponse, "AfterModel"),
        (EventName::ModelSelectTools, "BeforeToolSelection"),
    ] {
        let (seen, hook) = record_events(event, Answer::default());
        Bed::with([hook]).run(async |mut bed| {
            // A caller that has the stable format sends it unchanged, and hooks get it.
            for (request, response) in
                [(build_request(), &response), (build_stable_request(), &stable_response)]
            {
                let mut input = json!({ "llm_request": request });
                if name == "AfterModel" {
                    input["llm_response"] = response.clone();
                }
                for is_direct in [false, true] {
                    if is_direct {
                        assert!(bed.fire_event(name, input.clone()).await.aggregated.success);
                    } else {
                        assert_eq!(bed.ask_about(name, input.clone()).await["success"], json!(true));
                    }
                    let seen = seen.lock().unwrap().take();
                    assert_eq!(seen["llm_request"], build_stable_request(), "{name}");
                    if name == "AfterModel" {
                        assert_eq!(seen["llm_response"], stable_response);
                    }
                }
            }
        });
    }
}

#[test]
fn hpay_003_what_hooks_changed_goes_back_into_what_the_caller_has() {
    let change =
        |part: Value| Answer { rewrite: Some(Rewrite::Merge(Json::from_value(&part))), ..Answer::default() };
    let (_, hook) = record_events(
        EventName::ModelRequest,
        change(json!({"messages": [{"role": "user", "content": "HI"}]})),
    );
    let mut expected = build_request();
    expected["contents"][0]["parts"][0]["text"] = json!("HI");
    Bed::with([hook]).run(async |mut bed| {
        let result = bed.fire_event("BeforeModel", json!({"llm_request": build_request()})).await;
        assert_eq!(result.rewritten, Some(expected));
        // On the bus it is in the stable format, as llxprt-code's own callers expect it.
        let response = bed.ask_about("BeforeModel", json!({"llm_request": build_request()})).await;
        let output = &response["output"]["finalOutput"]["hookSpecificOutput"]["llm_request"];
        assert_eq!(output["messages"], json!([{"role": "user", "content": "HI"}]));
    });
    let (_, hook) =
        record_events(EventName::ModelSelectTools, change(json!({"allowedFunctionNames": ["a"]})));
    Bed::with([hook]).run(async |bed| {
        let result = bed.fire_event("BeforeToolSelection", json!({"llm_request": build_request()})).await;
        let expected = json!({"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["a"]}});
        assert_eq!(result.rewritten, Some(expected));
    });
    let (_, hook) = record_events(EventName::ModelResponse, change(json!({"text": "bye"})));
    Bed::with([hook]).run(async |bed| {
        let response = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "hello"}]}}]});
        let result = bed
            .fire_event("AfterModel", json!({"llm_request": build_request(), "llm_response": response}))
            .await;
        assert_eq!(
            result.rewritten,
            Some(json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "bye"}]}}]}))
        );
    });
}

#[test]
fn hpay_004_an_untranslatable_payload_is_a_failure_with_its_place() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |mut bed| {
        for (request, field, problem) in [
            (json!({"model": 1}), "llm_request.model", "it must be a string"),
            (json!({"config": []}), "llm_request.config", "it must be an object"),
            (
                json!({"contents": [{"role": "user", "content": "hidden"}]}),
                "llm_request.contents[0]",
                "it must be a string, a content with `parts`, or a part of one",
            ),
            (
                json!({"contents": [{"parts": [{"text": ["hidden"]}]}]}),
                "llm_request.contents[0].parts[0].text",
                "it must be a string",
            ),
            (
                json!({"contents": [{"parts": ["hidden"]}]}),
                "llm_request.contents[0].parts[0]",
                "it must be an object",
            ),
        ] {
            for event in ["BeforeModel", "BeforeToolSelection"] {
                let input = json!({ "llm_request": request });
                let message = format!("the agent's `{field}` cannot be used: {problem}");
                let error = json!({"code": "internal_error", "message": message,
                    "details": {"stage": "translation", "eventName": event}});
                assert_eq!(
                    bed.ask_about(event, input.clone()).await,
                    json!({"correlationId": "1", "success": false, "error": error})
                );
                let direct = bed.fire_event(event, input).await;
                assert_eq!(serde_json::to_value(direct.error).unwrap(), error);
                assert_eq!((direct.aggregated.success, direct.aggregated.errors), (false, vec![message]));
            }
        }
        for response in [
            json!({"candidates": {}}),
            json!({"candidates": [7]}),
            json!({"candidates": [{"content": "hidden"}]}),
            json!({"candidates": [{"content": {"parts": ["shown", {"text": "and hidden"}]}}]}),
        ] {
            let input = json!({"llm_request": {}, "llm_response": response});
            let direct = bed.fire_event("AfterModel", input).await;
            assert!(direct.error.unwrap().message.starts_with("the agent's `llm_response.candidates"));
        }
        assert_eq!(calls.load(Ordering::SeqCst), 0);
    });
}

#[test]
fn hpay_004_what_a_hook_made_of_it_must_be_translatable_too() {
    let wrong = Json::from_value(&json!({"messages": [{"role": "wizard", "content": "x"}]}));
    let answer = Answer { rewrite: Some(Rewrite::Merge(wrong)), ..Answer::default() };
    let (_, hook) = record_events(EventName::ModelRequest, answer);
    Bed::with([hook]).run(async |mut bed| {
        let error = json!({
            "code": "internal_error",
            "message": "the hook's `messages[0].role` cannot be used: it must be `user`, `model` or `system`",
            "details": {"stage": "translation", "eventName": "BeforeModel"}
        });
        assert_eq!(
            bed.ask_about("BeforeModel", json!({"llm_request": build_request()})).await,
            json!({"correlationId": "1", "success": false, "error": error})
        );
        let direct = bed.fire_event("BeforeModel", json!({"llm_request": build_request()})).await;
        assert_eq!(serde_json::to_value(direct.error).unwrap(), error);
    });
}

/// llxprt-code's validators narrow an unknown value to the event's type. Here an input that passes becomes an event of just that
/// kind, with its tool, and nothing else can be given to a hook.
#[test]
fn hpay_005_an_input_that_passes_is_an_event_of_its_kind() {
    let kinds = [
        EventName::ToolBefore,
        EventName::ToolAfter,
        EventName::PromptSubmit,
        EventName::AgentStop,
        EventName::ModelRequest,
        EventName::ModelResponse,
        EventName::ModelSelectTools,
        EventName::Notification,
    ];
    let seen = Arc::<Mutex<Vec<(EventName, bool)>>>::default();
    let kept = Arc::clone(&seen);
    let callback = Callback::sync(move |call| {
        kept.lock().unwrap().push((call.event.name.clone(), call.event.tool.is_some()));
        Ok(Answer::default())
    });
    Bed::with([(CallbackHook::gate("sees", EventName::KNOWN.iter().cloned()), callback)]).run(async |bed| {
        for (event, input) in list_families() {
            bed.fire_event(event, input).await;
            // No primitive is an input: only an object can be one at all.
            for primitive in [json!(null), json!(7), json!(true), json!("x"), json!([])] {
                bed.publish_request(&json!({"eventName": event, "input": primitive}));
            }
        }
        let of_tools = |name: &EventName| matches!(name, EventName::ToolBefore | EventName::ToolAfter);
        let expected: Vec<_> = kinds.iter().map(|name| (name.clone(), of_tools(name))).collect();
        assert_eq!(*seen.lock().unwrap(), expected);
    });
}

#[test]
fn hpay_006_a_session_starts_and_ends_for_one_of_the_agents_words() {
    let (calls, hook) = build_counting_gate();
    Bed::with([hook]).run(async |bed| {
        let words = [
            ("SessionStart", "source", &["startup", "resume", "clear", "compress"][..]),
            ("SessionEnd", "reason", &["exit", "clear", "logout", "prompt_input_exit", "other"]),
            ("PreCompress", "trigger", &["manual", "auto"]),
        ];
        let mut count = 0;
        for (event, member, words) in words {
            for word in words {
                let result = bed.fire_event(event, json!({ member: word })).await;
                assert_eq!((result.aggregated.success, result.aggregated.errors.len()), (true, 0), "{word}");
                count += 1;
            }
            for wrong in [json!("bogus"), json!(""), json!("Startup"), json!(1), json!(null), json!(["exit"])]
            {
                let error = bed.fire_event(event, json!({ member: wrong })).await.error.unwrap();
                assert_eq!(error.code, "VALIDATION_FAILURE");
                assert!(
                    error.message.starts_with(&format!("{event} input, field `{member}`: it is ")),
                    "{error:?}"
                );
            }
            let error = bed.fire_event(event, json!({})).await.error.unwrap();
            assert_eq!(error.message, format!("{event} input missing required field: {member}"));
        }
        assert_eq!(calls.load(Ordering::SeqCst), count);
    });
}

#[test]
fn what_every_event_has_is_not_the_senders_to_say() {
    let (seen, hook) = record_events(EventName::ToolBefore, Answer::default());
    Bed::with([hook]).run(async |mut bed| {
        let mut input = before_tool();
        for (member, value) in [
            ("session_id", "another"),
            ("cwd", "/"),
            ("hook_event_name", "AfterTool"),
            ("timestamp", "1970-01-01T00:00:00.000Z"),
            ("transcript_path", "/etc/passwd"),
        ] {
            input[member] = json!(value);
        }
        bed.ask_about("BeforeTool", input).await;
        let seen = seen.lock().unwrap().take();
        assert_eq!(
            (&seen["session_id"], &seen["hook_event_name"], &seen["transcript_path"]),
            (&json!("s"), &json!("BeforeTool"), &json!(""))
        );
        assert_ne!(seen["cwd"], json!("/"));
        let timestamp = seen["timestamp"].as_str().unwrap();
        assert!(
            timestamp.starts_with("20") && timestamp.ends_with('Z') && timestamp.len() == 24,
            "{timestamp}"
        );
    });
}
