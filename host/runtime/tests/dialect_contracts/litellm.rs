//! Events of LiteLLM's methods, and answers for the Python class in its proxy.

use hookbox::{
    Clock,
    agents::{Dialect, Written, litellm::Litellm, native},
    interfaces::Call,
};
use hookbox_model::{Event, EventName, Json, Limits, Outcome, RawObject, Verdict};
use serde_json::{Value, json};

use super::{
    detect_agent, format_answer, label_value, outcome_with_extra, outcome_with_rewrite, outcome_with_texts,
    outcome_with_verdict, read_event, reading::recorded_events, samples,
};

fn make_input(method: &str, arguments: &str) -> String {
    format!(r#"{{"litellm_hook":"{method}",{arguments}}}"#)
}

/// Returns the events of all calls, and one of an unknown method.
fn sample_events() -> impl Iterator<Item = Event> {
    let future = ("async_future_hook", r#""x":1"#, "");
    let calls = samples::LITELLM.into_iter().chain([future]);
    calls.map(|(method, arguments, _)| read_event(&Litellm, &make_input(method, arguments)).unwrap())
}

/// Returns the first event of this canonical name.
fn sample_event(name: &str) -> Event {
    sample_events().find(|event| event.name.as_str() == name).unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&Litellm.write(&sample_event(name), outcome))
}

fn rejects_call(written: &Written) -> bool {
    let answer: Value = serde_json::from_str(&written.stdout).unwrap();
    let is_rejected = answer.get("action").is_some_and(|action| action == "reject");
    assert_eq!(is_rejected, written.exit == 2 && !written.stderr.trim().is_empty());
    written.exit == 2
}

#[test]
fn every_recorded_call_is_read_and_recognised_as_litellm_alone() {
    let mut read_as = Vec::new();
    for (file, text) in recorded_events("litellm") {
        assert_eq!(detect_agent(&text), Some("litellm"), "{file}");
        let event = read_event(&Litellm, &text).unwrap();
        read_as.push(format!("{} {}", event.agent_event, event.name));
    }
    let expected = [
        "async_pre_call_hook model.request",
        "async_moderation_hook model.moderate",
        "async_post_call_success_hook model.response",
        "async_log_success_event model.log",
        "async_pre_call_hook model.request",
        "async_moderation_hook model.moderate",
        "async_post_call_streaming_iterator_hook model.stream-chunk",
        "async_post_call_streaming_iterator_hook model.stream-chunk",
        "async_post_call_streaming_iterator_hook model.stream-chunk",
        "async_log_success_event model.log",
        "async_pre_call_hook model.request",
        "async_log_failure_event model.log",
        "async_post_call_failure_hook model.error",
    ];
    assert_eq!(read_as, expected);
}

#[test]
fn no_argument_of_a_recorded_call_is_lost() {
    for (file, text) in recorded_events("litellm") {
        let event = read_event(&Litellm, &text).unwrap();
        assert_eq!(event.source.as_str(), text);
        let payload = event.payload.members().unwrap();
        for (key, value) in RawObject::parse(&text).unwrap().iter().filter(|(key, _)| *key != "litellm_hook")
        {
            let kept = payload.iter().any(|(_, kept)| kept.get().contains(value.get()));
            assert!(kept, "{file}: {key}");
        }
    }
}

#[test]
fn every_method_reads_to_its_canonical_event_and_satisfies_its_schema() {
    for (method, arguments, expected) in samples::LITELLM {
        let event = read_event(&Litellm, &make_input(method, arguments)).unwrap();
        assert_eq!(event.name.as_str(), expected, "{method}");
        assert!(Litellm.events().contains(&(method, event.name.clone())), "{method}");
        let (config, limits) = (Json::empty_object(), Limits::default());
        let call = Call {
            hook: "h",
            event: &event,
            original: None,
            outcome: None,
            config: &config,
            limits: &limits,
            clock: Clock::machine(),
            facts: None,
        };
        let again = read_event(&native::Native, &native::event_json(&call)).unwrap();
        assert_eq!((again.name, again.payload, again.tool), (event.name, event.payload, event.tool));
    }
    assert_eq!(Litellm.events().len(), samples::LITELLM.len());
}

#[test]
fn arguments_have_the_names_of_the_canonical_schema() {
    for (method, arguments, expected) in [
        ("async_pre_call_hook", r#""data":{"n":1.50 }"#, r#"{"request":{"n":1.50 }}"#),
        (
            "async_post_call_failure_hook",
            r#""request_data":{},"exception":"no""#,
            r#"{"request":{},"error":"no"}"#,
        ),
        ("async_post_call_streaming_hook", r#""response":"Hel""#, r#"{"chunk":"Hel"}"#),
        (
            "async_filter_deployments",
            r#""healthy_deployments":[{}],"request_kwargs":{"a":1}"#,
            r#"{"deployments":[{}],"request":{"a":1}}"#,
        ),
        (
            "async_pre_call_deployment_hook",
            r#""kwargs":{"a": 1},"call_type":"acompletion""#,
            r#"{"call_type":"acompletion","deployments":[{"a": 1}]}"#,
        ),
        ("async_logging_hook", r#""kwargs":{},"result":1"#, r#"{"record":{"kwargs":{},"result":1}}"#),
        ("async_future_hook", r#""x":1"#, r#"{"x":1}"#),
    ] {
        assert_eq!(
            read_event(&Litellm, &make_input(method, arguments)).unwrap().payload.as_str(),
            expected,
            "{method}"
        );
    }
}

#[test]
fn the_calls_of_one_request_are_one_session() {
    for (arguments, session) in [
        (r#""data":{"litellm_call_id":"c1"}"#, "c1"),
        (r#""session_id":"mine","data":{"litellm_call_id":"c1"}"#, "mine"),
        (r#""data":{}"#, ""),
    ] {
        let event = read_event(&Litellm, &make_input("async_pre_call_hook", arguments)).unwrap();
        assert_eq!((event.session.as_str(), event.cwd.as_str()), (session, "/arrived"));
    }
}

#[test]
fn an_mcp_call_is_a_tool_call() {
    let tool = sample_event("tool.before").tool.unwrap();
    assert_eq!(
        (tool.name.as_str(), tool.class.as_str(), tool.paths, tool.input.as_str()),
        ("read", "mcp", vec!["/arrived/a".to_owned()], r#"{"path":"a"}"#)
    );
    let tool = sample_event("tool.after").tool.unwrap();
    assert_eq!((tool.name.as_str(), tool.output), ("read", Some(Json::empty_object())));
    for arguments in ["null", "{}"] {
        let data = format!(r#""call_type":"call_mcp_tool","data":{{"name":"t","arguments":{arguments}}}"#);
        let event = read_event(&Litellm, &make_input("async_pre_call_hook", &data)).unwrap();
        assert_eq!(event.tool.unwrap().input, Json::empty_object());
    }
}

#[test]
fn a_method_that_no_table_knows_is_a_custom_event() {
    let event = read_event(&Litellm, &make_input("async_future_hook", r#""x":1"#)).unwrap();
    assert_eq!(event.name, EventName::Custom("async_future_hook".into()));
    let denied = Litellm.write(&event, &outcome_with_verdict(Verdict::Deny));
    assert!(rejects_call(&denied));
}

#[test]
fn invalid_arguments_name_the_method_and_the_argument() {
    for (text, expected) in [
        ("{}".to_owned(), ", field `litellm_hook`: it is missing; it must be a string that is not empty"),
        (
            make_input("tool.before", r#""x":1"#),
            ", field `litellm_hook`: \"tool.before\" is not the name of a method",
        ),
        (
            make_input("async_pre_call_hook", r#""data":[]"#),
            " in async_pre_call_hook, field `data`: it is an array, but must be an object",
        ),
        // Without its chunk it could be the end or not.
        (
            make_input("async_post_call_streaming_iterator_hook", r#""end":false"#),
            " in async_post_call_streaming_iterator_hook, field `chunk`: it is missing; it must be there",
        ),
        (
            make_input("async_pre_call_hook", r#""call_type":"mcp_call","data":{}"#),
            " in async_pre_call_hook, field `data.mcp_tool_name`: it is missing; it must be a string that is not empty",
        ),
        (
            make_input(
                "async_post_mcp_tool_call_hook",
                r#""kwargs":{"name":"t","arguments":"x"},"response_obj":1"#,
            ),
            " in async_post_mcp_tool_call_hook, field `kwargs.arguments`: it is a string, but must be an object",
        ),
    ] {
        let error = read_event(&Litellm, &text).unwrap_err().to_string();
        assert_eq!(error, format!("VALIDATION_FAILURE{expected}"), "{text}");
    }
    let many: Vec<_> = (0..5000).map(|n| format!("f{n}")).collect();
    let data = json!({"mcp_tool_name": "t", "mcp_arguments": {"paths": many}});
    let call = make_input("async_pre_call_hook", &format!(r#""call_type":"mcp_call","data":{data}"#));
    assert!(read_event(&Litellm, &call).unwrap_err().problem.contains("more than 4096 files"));
}

#[test]
fn an_empty_outcome_is_an_empty_object() {
    for event in sample_events() {
        assert_eq!(
            format_answer(&Litellm.write(&event, &Outcome::default())),
            "0 {}",
            "{}",
            event.agent_event
        );
    }
}

#[test]
fn a_deny_an_ask_and_a_failure_reject_whatever_can_be_rejected() {
    let rejected = r#"2 {"action":"reject","message":"guard-shell: this erases the disk (rm-root)"} | guard-shell: this erases the disk (rm-root)"#;
    for event in sample_events() {
        let can = event.name.traits().block;
        for word in [Verdict::Deny as fn(_) -> _, Verdict::Ask, Verdict::Defer] {
            let written = Litellm.write(&event, &outcome_with_verdict(word));
            assert_eq!((rejects_call(&written), written.unexpressed.is_empty()), (can, can), "{event:?}");
            assert!(!can || format_answer(&written) == rejected, "{event:?}");
        }
        let failure = Litellm.write_failure(Some(&event.agent_event), "no configuration");
        assert_eq!(rejects_call(&failure), can, "{event:?}");
    }
    assert_eq!(answer_to("model.log", &outcome_with_verdict(Verdict::Deny)), "0 {} | lost deny");
    assert_eq!(answer_to("model.request", &outcome_with_verdict(Verdict::Allow)), "0 {}");
}

#[test]
fn a_rewrite_is_given_back_as_the_argument_that_it_was_untouched() {
    for (name, part, expected) in [
        ("model.request", r#"{"n": 1.50}"#, r#"0 {"data":{"n": 1.50}}"#),
        ("model.response", r#"{"id":1}"#, r#"0 {"response":{"id":1}}"#),
        ("model.stream-chunk", r#""Hal""#, r#"0 {"chunk":"Hal"}"#),
        ("model.route", "[{}]", r#"0 {"deployments":[{}]}"#),
        ("model.log", r#"{"kwargs":{"a":1},"result":null}"#, r#"0 {"kwargs":{"a":1},"result":null}"#),
        ("model.log", r#"{"kwargs":{"a":1}}"#, "0 {} | lost rewrite"),
        ("tool.before", r#"{"path":"b"}"#, r#"0 {"modified_arguments":{"path":"b"}}"#),
        ("tool.after", r#""***""#, r#"0 {"response":"***"}"#),
        ("model.request", "[]", "0 {} | lost rewrite"),
        ("model.moderate", "{}", "0 {} | lost rewrite"),
        ("async_future_hook", "{}", "0 {} | lost rewrite"),
    ] {
        assert_eq!(answer_to(name, &outcome_with_rewrite(part)), expected, "{name}");
    }
    let chosen =
        read_event(&Litellm, &make_input("async_pre_call_deployment_hook", r#""kwargs":{}"#)).unwrap();
    for (part, expected) in [
        (r#"[{"model":"small"}]"#, r#"0 {"kwargs":{"model":"small"}}"#),
        ("[]", "0 {} | lost rewrite"),
        ("[{},{}]", "0 {} | lost rewrite"),
        ("[1]", "0 {} | lost rewrite"),
    ] {
        assert_eq!(format_answer(&Litellm.write(&chosen, &outcome_with_rewrite(part))), expected, "{part}");
    }
    let pushed = read_event(&Litellm, &make_input("log_success_event", r#""kwargs":{}"#)).unwrap();
    let record = outcome_with_rewrite(r#"{"kwargs":{},"result":1}"#);
    assert_eq!(format_answer(&Litellm.write(&pushed, &record)), "0 {} | lost rewrite");
}

#[test]
fn texts_go_to_the_request_and_to_the_log_of_the_proxy() {
    let mut outcome = outcome_with_texts();
    outcome.stop = None;
    assert_eq!(
        answer_to("model.request", &outcome),
        r#"0 {"context":"[hookbox: house-rules]\nBe kind.","notice":"watcher: I saw it."}"#
    );
    assert_eq!(answer_to("model.error", &outcome), r#"0 {"notice":"watcher: I saw it."} | lost context"#);
}

#[test]
fn a_stop_rejects_what_was_about_to_happen() {
    assert_eq!(
        answer_to("model.stream-chunk", &outcome_with_texts()),
        r#"2 {"action":"reject","message":"budget: Enough.","notice":"watcher: I saw it."} | budget: Enough. | lost stop context"#
    );
    assert_eq!(
        answer_to("model.error", &outcome_with_texts()),
        r#"0 {"notice":"watcher: I saw it."} | lost stop context"#
    );
}

#[test]
fn headers_for_an_mcp_server_are_an_extra() {
    let mut outcome = outcome_with_extra(r#"{"extra_headers":{"X-A":"1"}}"#);
    assert_eq!(answer_to("tool.before", &outcome), r#"0 {"extra_headers":{"X-A":"1"}}"#);
    assert_eq!(answer_to("model.request", &outcome), "0 {} | lost extra");
    assert_eq!(answer_to("tool.before", &outcome_with_extra(r#"{"extra_headers":[]}"#)), "0 {} | lost extra");
    outcome.extras.push(label_value("second", super::parse_json(r#"{"extra_headers":{"X-A":"2"}}"#)));
    assert_eq!(answer_to("tool.before", &outcome), r#"0 {"extra_headers":{"X-A":"1"}} | lost extra"#);
}

#[test]
fn a_failure_is_reported_where_the_agent_reads_it() {
    let rejected = r#"2 {"action":"reject","message":"broken"} | broken"#;
    for (method, expected) in [
        (Some("async_pre_call_hook"), rejected),
        (Some("async_post_mcp_tool_call_hook"), rejected),
        (Some("async_future_hook"), rejected),
        (None, rejected),
        (Some("async_log_success_event"), r#"1 {"notice":"broken"} | broken"#),
        (Some("async_post_call_failure_hook"), r#"1 {"notice":"broken"} | broken"#),
    ] {
        assert_eq!(format_answer(&Litellm.write_failure(method, "broken")), expected);
    }
}
