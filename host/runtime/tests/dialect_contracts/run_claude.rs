//! Events and answers of run-claude.

use hookbox::agents::{Dialect, run_claude::RunClaude};
use hookbox_model::{Event, EventName, Outcome, Verdict};

use super::{
    blocks_event, detect_agent, format_answer, native_event, outcome_with_extra, outcome_with_rewrite,
    outcome_with_texts, outcome_with_verdict, parse_json, read_event,
};

const MESSAGES: &str = r#"[{"role":"user","content":"hi"}]"#;

/// One event of every name: its own members, and the result.
const SAMPLES: [(&str, &str, &str); 4] = [
    (
        "pre_request",
        r#""messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function"}],"response":null"#,
        r#"model.request {"request":{"model":"groq/llama3","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function"}]},"model":"groq/llama3","provider":"groq","request_id":"r1","timestamp":1.5,"response":null,"metadata":{}}"#,
    ),
    (
        "post_response",
        r#""messages":null,"tools":null,"response":{"usage":{"total_tokens":7}}"#,
        r#"model.response {"request":{"model":"groq/llama3"},"model":"groq/llama3","provider":"groq","request_id":"r1","timestamp":1.5,"response":{"usage":{"total_tokens":7}},"metadata":{}}"#,
    ),
    (
        "pre_tool_call",
        r#""tool_name":"Bash","tool_args":{"command":"ls"}"#,
        r#"tool.before {"model":"groq/llama3","provider":"groq","request_id":"r1","timestamp":1.5,"metadata":{}} Bash shell {"command":"ls"}"#,
    ),
    (
        "post_tool_call",
        r#""tool_name":"Bash","tool_args":{"command":"ls"},"tool_result":"a.txt""#,
        r#"tool.after {"model":"groq/llama3","provider":"groq","request_id":"r1","timestamp":1.5,"metadata":{}} Bash shell {"command":"ls"} -> "a.txt""#,
    ),
];

fn make_input(name: &str, members: &str) -> String {
    format!(
        r#"{{"event":"{name}","model":"groq/llama3","provider":"groq","request_id":"r1","timestamp":1.5,{members},"metadata":{{}}}}"#
    )
}

fn sample_input(name: &str) -> String {
    let known = SAMPLES.iter().find(|(sample, ..)| *sample == name);
    make_input(name, known.map_or(r#""x":1"#, |(_, members, _)| members))
}

fn sample_event(name: &str) -> Event {
    read_event(&RunClaude, &sample_input(name)).unwrap()
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&RunClaude.write(&sample_event(name), outcome))
}

/// Returns a small context of `pre_request` with these members.
fn request_event(members: &str) -> Event {
    read_event(&RunClaude, &format!(r#"{{"event":"pre_request","model":"m",{members}}}"#)).unwrap()
}

fn answer_to_request(members: &str, outcome: &Outcome) -> String {
    format_answer(&RunClaude.write(&request_event(members), outcome))
}

fn describe_event(event: &Event) -> String {
    let tool = event.tool.as_ref().map(|tool| {
        let output = tool.output.as_ref().map(|output| format!(" -> {output:?}"));
        format!(" {} {} {:?}{}", tool.name, tool.class, tool.input, output.unwrap_or_default())
    });
    format!("{} {:?}{}", event.name, event.payload, tool.unwrap_or_default())
}

#[test]
fn every_event_reads_to_its_canonical_name_and_satisfies_its_canonical_schema() {
    for (name, _, expected) in SAMPLES {
        let event = sample_event(name);
        assert_eq!(describe_event(&event), expected);
        assert!(RunClaude.events().contains(&(name, event.name.clone())), "{name}");
        let again = native_event(&event);
        assert_eq!((again.name, again.payload, again.tool), (event.name, event.payload, event.tool));
    }
    assert_eq!(RunClaude.events().len(), SAMPLES.len());
}

#[test]
fn every_context_is_recognised_by_this_dialect_alone() {
    for (name, ..) in SAMPLES {
        assert_eq!(detect_agent(&sample_input(name)), Some("run-claude"), "{name}");
    }
}

#[test]
fn what_is_not_shaped_like_a_context_is_not_recognised() {
    for text in [
        r#"{"event":"pre_request"}"#,
        r#"{"event":"pre_request","model":"m","request_id":"r"}"#,
        r#"{"event":"pre_commit","model":"m","request_id":"r","timestamp":1}"#,
        r#"{"event":"tool.before","model":"m","request_id":"r","timestamp":1}"#,
    ] {
        assert_eq!(detect_agent(text), Some("native"), "{text}");
    }
    let other = r#"{"hook_event_name":"x","event":"pre_request","model":"m","request_id":"r","timestamp":1}"#;
    assert_eq!(detect_agent(other), None);
}

#[test]
fn the_request_id_is_the_id_and_the_timestamp_the_time() {
    let event = sample_event("pre_request");
    assert_eq!((event.id.as_str(), event.time, event.agent.as_ref()), ("r1", 1500, "run-claude"));
    assert_eq!((event.session.as_str(), event.cwd.as_str()), ("", "/arrived"));
    let event = read_event(&RunClaude, r#"{"event":"post_response","model":"m","request_id":""}"#).unwrap();
    assert_eq!((event.id.as_str(), event.time), ("e1", 1_700_000_000_000));
}

#[test]
fn a_response_that_is_not_an_object_for_run_claude_is_an_empty_object_for_hooks() {
    for text in [
        r#"{"event":"post_response","model":"m","response":null}"#,
        r#"{"event":"post_response","model":"m"}"#,
    ] {
        let event = read_event(&RunClaude, text).unwrap();
        assert_eq!(event.payload, parse_json(r#"{"request":{"model":"m"},"response":{},"model":"m"}"#));
        let answer = RunClaude.write(&event, &Outcome::default());
        assert_eq!(answer.stdout, format!("{text}\n"));
    }
}

#[test]
fn an_event_of_the_future_is_a_custom_event() {
    let event = sample_event("pre_embedding");
    assert_eq!(event.name, EventName::Custom("pre_embedding".into()));
    assert_eq!(
        answer_to("pre_embedding", &outcome_with_rewrite("{}")),
        format!("0 {} | lost rewrite", sample_input("pre_embedding"))
    );
    assert!(blocks_event(&RunClaude.write(&event, &outcome_with_verdict(Verdict::Deny))));
}

#[test]
fn invalid_input_names_the_event_and_the_field() {
    for (text, expected) in [
        ("{}", ", field `event`: it is missing; it must be a string that is not empty"),
        (r#"{"event":"tool.before"}"#, ", field `event`: \"tool.before\" is not the name of an event"),
        (
            r#"{"event":"pre_request","model":null}"#,
            " in pre_request, field `model`: it is null, but must be a string",
        ),
        (
            r#"{"event":"pre_request","model":"m","messages":{}}"#,
            " in pre_request, field `messages`: it is an object, but must be an array",
        ),
        (
            r#"{"event":"pre_request","model":"m","tools":"none"}"#,
            " in pre_request, field `tools`: it is a string, but must be an array",
        ),
        (
            r#"{"event":"post_response","model":"m","response":[]}"#,
            " in post_response, field `response`: it is an array, but must be an object",
        ),
        (
            r#"{"event":"pre_request","model":"m","stop_chain":1}"#,
            " in pre_request, field `stop_chain`: it is a number, but must be `true` or `false`",
        ),
        (
            r#"{"event":"pre_request","model":"m","timestamp":"now"}"#,
            " in pre_request, field `timestamp`: it is a string, but must be a number",
        ),
        (
            r#"{"event":"pre_request","model":"m","request_id":7}"#,
            " in pre_request, field `request_id`: it is a number, but must be a string",
        ),
        (
            r#"{"event":"pre_request","model":"m","error":"no"}"#,
            " in pre_request, field `error`: a context with an error is raised, not passed on",
        ),
        (
            r#"{"event":"pre_tool_call","model":"m","tool_args":{}}"#,
            " in pre_tool_call, field `tool_name`: it is missing; it must be a string that is not empty",
        ),
        (
            r#"{"event":"pre_tool_call","model":"m","tool_name":"t","tool_args":"{}"}"#,
            " in pre_tool_call, field `tool_args`: it is a string, but must be an object",
        ),
        (
            r#"{"event":"post_tool_call","model":"m","tool_name":"t","tool_args":{}}"#,
            " in post_tool_call, field `tool_result`: it is missing; it must be there",
        ),
    ] {
        let error = read_event(&RunClaude, text).unwrap_err().to_string();
        assert_eq!(error, format!("VALIDATION_FAILURE{expected}"), "{text}");
    }
}

#[test]
fn a_context_that_no_hook_changes_comes_back_byte_for_byte() {
    for (name, ..) in SAMPLES {
        assert_eq!(answer_to(name, &Outcome::default()), format!("0 {}", sample_input(name)));
        assert_eq!(
            answer_to(name, &outcome_with_verdict(Verdict::Allow)),
            format!("0 {}", sample_input(name))
        );
    }
    let text =
        "{ \"event\": \"pre_request\",\n \"model\": \"m\", \"temperature\": 1.50, \"stop_chain\": true }\n";
    let event = read_event(&RunClaude, text).unwrap();
    assert_eq!(RunClaude.write(&event, &Outcome::default()).stdout, text);
}

#[test]
fn changed_messages_and_tools_flow_on_and_all_else_stays_as_it_was() {
    for (members, part, expected) in [
        (
            r#""messages":[ 1.50 ],"tools":[2],"seed":7.0"#,
            r#"{"model":"m","messages":[ 1.50 ],"tools":[]}"#,
            r#"0 {"event":"pre_request","model":"m","messages":[ 1.50 ],"tools":[],"seed":7.0}"#,
        ),
        (
            r#""messages":[1],"tools":null,"seed":7.0"#,
            r#"{"model":"m","messages":[2.50]}"#,
            r#"0 {"event":"pre_request","model":"m","messages":[2.50],"tools":null,"seed":7.0}"#,
        ),
        (
            r#""messages":[1]"#,
            r#"{"model":"m","messages":[1],"tools":[2]}"#,
            r#"0 {"event":"pre_request","model":"m","messages":[1],"tools":[2]}"#,
        ),
        // `null` means "unchanged" to run-claude.
        (
            r#""messages":[1],"tools":[2]"#,
            r#"{"model":"m","messages":[1]}"#,
            r#"0 {"event":"pre_request","model":"m","messages":[1],"tools":[]}"#,
        ),
    ] {
        assert_eq!(answer_to_request(members, &outcome_with_rewrite(part)), expected);
    }
}

#[test]
fn a_rewrite_that_run_claude_cannot_take_is_lost() {
    for part in [
        r#"{"model":"other","messages":[1]}"#,
        r#"{"model":"m","messages":[1],"temperature":0}"#,
        r#"{"model":"m"}"#,
        r#"{"model":"m","messages":"none"}"#,
        "[]",
    ] {
        let expected = r#"0 {"event":"pre_request","model":"m","messages":[1]} | lost rewrite"#;
        assert_eq!(answer_to_request(r#""messages":[1]"#, &outcome_with_rewrite(part)), expected, "{part}");
    }
    let both = outcome_with_rewrite(r#"{"model":"other","messages":[2]}"#);
    let expected = r#"0 {"event":"pre_request","model":"m","messages":[2]} | lost rewrite"#;
    assert_eq!(answer_to_request(r#""messages":[1]"#, &both), expected);
}

#[test]
fn responses_arguments_and_results_are_rewritten_in_their_place() {
    for (name, part, from, to) in [
        (
            "post_response",
            r#"{"n": 1.50}"#,
            r#""response":{"usage":{"total_tokens":7}}"#,
            r#""response":{"n": 1.50}"#,
        ),
        ("pre_tool_call", r#"{"command":"ls -l"}"#, r#"{"command":"ls"}"#, r#"{"command":"ls -l"}"#),
        ("post_tool_call", "null", r#""tool_result":"a.txt""#, r#""tool_result":null"#),
    ] {
        assert_eq!(
            answer_to(name, &outcome_with_rewrite(part)),
            format!("0 {}", sample_input(name).replace(from, to))
        );
    }
    assert_eq!(
        answer_to("post_response", &outcome_with_rewrite("[]")),
        format!("0 {} | lost rewrite", sample_input("post_response"))
    );
}

#[test]
fn a_deny_is_an_error_to_raise_and_so_is_what_run_claude_cannot_ask() {
    for word in [Verdict::Deny as fn(_) -> _, Verdict::Ask, Verdict::Defer] {
        assert_eq!(
            answer_to_request(r#""messages":[],"stop_chain":false,"seed":1.50"#, &outcome_with_verdict(word)),
            r#"2 {"event":"pre_request","model":"m","messages":[],"stop_chain":true,"seed":1.50,"error":"guard-shell: this erases the disk (rm-root)"} | guard-shell: this erases the disk (rm-root)"#
        );
    }
    for (name, ..) in SAMPLES {
        let deny = RunClaude.write(&sample_event(name), &outcome_with_verdict(Verdict::Deny));
        assert!(blocks_event(&deny) && deny.unexpressed.is_empty(), "{name}");
    }
}

#[test]
fn a_stop_fails_the_call_and_what_would_have_changed_it_is_lost() {
    assert_eq!(
        answer_to_request(
            r#""messages":[]"#,
            &Outcome { rewrite: Some(parse_json("{}")), ..outcome_with_texts() }
        ),
        r#"2 {"event":"pre_request","model":"m","messages":[],"stop_chain":true,"error":"budget: Enough."} | budget: Enough. | lost context rewrite stop notice"#
    );
}

#[test]
fn text_for_the_model_is_one_more_message_of_a_request() {
    let context = Outcome { stop: None, notices: Vec::new(), ..outcome_with_texts() };
    let message = r#"{"role":"user","content":"[hookbox: house-rules]\nBe kind."}"#;
    assert_eq!(
        answer_to_request(&format!(r#""messages":{MESSAGES}"#), &context),
        format!(
            r#"0 {{"event":"pre_request","model":"m","messages":[{{"role":"user","content":"hi"}},{message}]}}"#
        )
    );
    let both = Outcome { rewrite: Some(parse_json(r#"{"model":"m","messages":[]}"#)), ..context.clone() };
    assert_eq!(
        answer_to_request(&format!(r#""messages":{MESSAGES}"#), &both),
        format!(r#"0 {{"event":"pre_request","model":"m","messages":[{message}]}}"#)
    );
    assert_eq!(
        answer_to_request(r#""messages":null"#, &context),
        r#"0 {"event":"pre_request","model":"m","messages":null} | lost context"#
    );
    assert_eq!(
        answer_to("pre_tool_call", &context),
        format!("0 {} | lost context", sample_input("pre_tool_call"))
    );
}

#[test]
fn extras_end_the_callers_chain_and_leave_metadata_for_later_hooks() {
    for (fields, expected) in [
        (
            r#"{"stop_chain":true}"#,
            r#"0 {"event":"pre_request","model":"m","metadata":{"a":1,"b":2},"stop_chain":true}"#,
        ),
        (
            r#"{"metadata":{"b":null,"reached":true}}"#,
            r#"0 {"event":"pre_request","model":"m","metadata":{"a":1,"reached":true}}"#,
        ),
        (
            r#"{"stop_chain":"yes","messages":[]}"#,
            r#"0 {"event":"pre_request","model":"m","metadata":{"a":1,"b":2}} | lost extra"#,
        ),
    ] {
        assert_eq!(
            answer_to_request(r#""metadata":{"a":1,"b":2}"#, &outcome_with_extra(fields)),
            expected,
            "{fields}"
        );
    }
    assert_eq!(
        answer_to_request(r#""metadata":null"#, &outcome_with_extra(r#"{"metadata":{"reached":true}}"#)),
        r#"0 {"event":"pre_request","model":"m","metadata":{"reached":true}}"#
    );
}

#[test]
fn a_failure_is_an_error_to_raise_whatever_the_event() {
    let expected = r#"2 {"stop_chain":true,"error":"broken"} | broken"#;
    for name in [None, Some("pre_request"), Some("post_response")] {
        assert_eq!(format_answer(&RunClaude.write_failure(name, "broken")), expected);
    }
}

#[test]
fn run_claude_waits_as_long_as_the_longest_call_may_take() {
    assert_eq!(RunClaude.agent_timeout(&EventName::ModelRequest).as_secs(), 600);
}
