//! Events and answers of Code-Forge.

use hookbox::agents::{Dialect, Written, code_forge::CodeForge};
use hookbox_model::{Event, EventName, Outcome, Verdict};

use super::{
    detect_agent, format_answer, native_event, outcome_with_extra, outcome_with_rewrite, outcome_with_texts,
    outcome_with_verdict, parse_json, read_event,
};

/// One event of every name: its members in addition to `type` and `timestamp`, and the result.
const SAMPLES: [(&str, &str, &str); 16] = [
    (
        "tool:pre_execute",
        r#""tool_name":"Bash","data":{"tool_args":{"command":"ls"}}"#,
        "tool.before {\"timestamp\":1.5} Bash shell {\"command\":\"ls\"}",
    ),
    (
        "tool:post_execute",
        r#""tool_name":"write","data":{"tool_args":{"file_path":"a"},"tool_result":{"success":true}}"#,
        "tool.after {\"timestamp\":1.5} write file-write {\"file_path\":\"a\"} -> {\"success\":true}",
    ),
    (
        "tool:error",
        r#""tool_name":"Own","data":{"tool_args":{},"error":"no such file"}"#,
        "tool.error {\"error\":\"no such file\",\"timestamp\":1.5} Own other {}",
    ),
    (
        "llm:pre_request",
        r#""tool_name":null,"data":{"llm_model":"m","message_count":3}"#,
        "model.request {\"request\":{\"llm_model\":\"m\",\"message_count\":3},\"timestamp\":1.5}",
    ),
    (
        "llm:post_response",
        r#""data":{"llm_model":"m","llm_tokens":1500}"#,
        "model.response {\"response\":{\"llm_model\":\"m\",\"llm_tokens\":1500},\"timestamp\":1.5}",
    ),
    (
        "llm:stream_start",
        r#""data":{"llm_model":"m"}"#,
        "model.stream-start {\"llm_model\":\"m\",\"timestamp\":1.5}",
    ),
    (
        "llm:stream_end",
        r#""data":{"llm_model":"m","llm_tokens":7}"#,
        "model.stream-end {\"llm_model\":\"m\",\"llm_tokens\":7,\"timestamp\":1.5}",
    ),
    ("session:start", r#""data":{},"session_id":"s""#, "session.start {\"timestamp\":1.5}"),
    ("session:end", r#""data":{}"#, "session.end {\"timestamp\":1.5}"),
    (
        "session:message",
        r#""data":{"message_role":"user","message_content":"hi"}"#,
        "session.message {\"message_role\":\"user\",\"message_content\":\"hi\",\"timestamp\":1.5}",
    ),
    (
        "permission:check",
        r#""tool_name":"bash","data":{"perm_level":"ask","perm_rule":""}"#,
        "permission.check {\"perm_level\":\"ask\",\"perm_rule\":\"\",\"timestamp\":1.5} bash shell {}",
    ),
    (
        "permission:prompt",
        r#""tool_name":"bash","data":{"perm_level":"ask"}"#,
        "permission.request {\"perm_level\":\"ask\",\"timestamp\":1.5} bash shell {}",
    ),
    (
        "permission:granted",
        r#""tool_name":"bash","data":{}"#,
        "permission.granted {\"timestamp\":1.5} bash shell {}",
    ),
    (
        "permission:denied",
        r#""tool_name":"bash","data":{}"#,
        "permission.denied {\"timestamp\":1.5} bash shell {}",
    ),
    (
        "user:prompt_submit",
        r#""data":{"user_input":"go"}"#,
        "prompt.submit {\"prompt\":\"go\",\"timestamp\":1.5}",
    ),
    ("user:interrupt", r#""data":{}"#, "prompt.interrupt {\"timestamp\":1.5}"),
];

fn make_input(name: &str, members: &str) -> String {
    format!(r#"{{"type":"{name}","timestamp":1.5,{members}}}"#)
}

fn sample_event(name: &str) -> Event {
    let known = SAMPLES.iter().find(|(sample, ..)| *sample == name);
    read_event(&CodeForge, &make_input(name, known.map_or(r#""data":{}"#, |(_, members, _)| members)))
        .unwrap()
}

/// Returns the samples' names and one that no table has.
fn sample_names() -> impl Iterator<Item = &'static str> {
    SAMPLES.iter().map(|(name, ..)| *name).chain(["tool:future"])
}

fn answer_to(name: &str, outcome: &Outcome) -> String {
    format_answer(&CodeForge.write(&sample_event(name), outcome))
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
        assert!(CodeForge.events().contains(&(name, event.name.clone())), "{name}");
        let again = native_event(&event);
        assert_eq!((again.name, again.payload, again.tool), (event.name, event.payload, event.tool));
    }
    assert_eq!(CodeForge.events().len(), SAMPLES.len());
}

#[test]
fn every_event_is_recognised_by_this_dialect_alone() {
    for (name, members, _) in SAMPLES {
        assert_eq!(detect_agent(&make_input(name, members)), Some("code-forge"), "{name}");
    }
    assert_eq!(detect_agent(&make_input("tool:future", r#""data":{}"#)), Some("code-forge"));
}

#[test]
fn what_is_not_shaped_like_an_event_of_code_forge_is_not_recognised() {
    for text in [
        r#"{"type":"tool:pre_execute","data":{}}"#,
        r#"{"type":"tool:pre_execute","timestamp":1}"#,
        r#"{"type":"tool:pre_execute","timestamp":"2026-11-21T20:53:55Z","data":{}}"#,
        r#"{"type":"tool:pre_execute","timestamp":1,"data":[]}"#,
        r#"{"type":"message","timestamp":1,"data":{}}"#,
        r#"{"type":"http:request","timestamp":1,"data":{}}"#,
        r#"{"type":7,"timestamp":1,"data":{}}"#,
    ] {
        assert_eq!(detect_agent(text), None, "{text}");
    }
    let claude = r#"{"hook_event_name":"Stop","type":"tool:error","timestamp":1,"data":{}}"#;
    assert_ne!(detect_agent(claude), Some("code-forge"));
    let native = r#"{"event":"tool.before","type":"tool:error","timestamp":1,"data":{}}"#;
    assert_eq!(detect_agent(native), Some("native"));
}

#[test]
fn header_and_payload_are_separated_and_nothing_is_lost() {
    let text = r#"{"type":"session:message","timestamp":1700000000.123,"data":{"message_content":"x","new":1.50},
        "tool_name":null,"session_id":"sess_1","working_dir":"/code","new":2,"later":[ 1 ]}"#;
    let event = read_event(&CodeForge, text).unwrap();
    assert_eq!(
        (event.id.as_str(), event.agent.as_ref(), event.agent_event.as_str()),
        ("e1", "code-forge", "session:message")
    );
    assert_eq!(
        (event.session.as_str(), event.cwd.as_str(), event.time),
        ("sess_1", "/code", 1_700_000_000_123)
    );
    assert_eq!(
        event.payload.as_str(),
        r#"{"message_content":"x","new":1.50,"timestamp":1700000000.123,"later":[ 1 ]}"#
    );
    assert_eq!(event.source.as_str(), text);
}

#[test]
fn time_session_and_folder_of_the_arrival_count_if_code_forge_names_none() {
    let event = read_event(&CodeForge, r#"{"type":"user:interrupt","session_id":null,"data":null}"#).unwrap();
    assert_eq!((event.session.as_str(), event.cwd.as_str(), event.time), ("", "/arrived", 1_700_000_000_000));
}

#[test]
fn paths_of_a_tool_are_below_the_working_folder() {
    let text = make_input(
        "tool:pre_execute",
        r#""tool_name":"Write","working_dir":"/w","data":{"tool_args":{"file_path":"a"}}"#,
    );
    assert_eq!(read_event(&CodeForge, &text).unwrap().tool.unwrap().paths, ["/w/a"]);
}

#[test]
fn an_event_of_the_future_is_a_custom_event_with_its_tool() {
    let text = make_input(
        "tool:cancelled",
        r#""tool_name":"Bash","data":{"tool_args":{"command":"ls"},"by":"user"}"#,
    );
    let event = read_event(&CodeForge, &text).unwrap();
    assert_eq!(event.name, EventName::Custom("tool:cancelled".into()));
    assert_eq!(event.payload, parse_json(r#"{"by":"user","timestamp":1.5}"#));
    assert_eq!(event.tool.unwrap().command.as_deref(), Some("ls"));
}

#[test]
fn invalid_input_names_the_event_and_the_field() {
    for (text, expected) in [
        ("{}", ", field `type`: it is missing; it must be a string that is not empty"),
        (r#"{"type":"tool.before"}"#, ", field `type`: \"tool.before\" is not the name of an event"),
        (
            r#"{"type":"tool:pre_execute","data":{"tool_args":{}}}"#,
            " in tool:pre_execute, field `tool_name`: it is missing; it must be a string that is not empty",
        ),
        (
            r#"{"type":"tool:pre_execute","tool_name":"bash"}"#,
            " in tool:pre_execute, field `data.tool_args`: it is missing; it must be an object",
        ),
        (
            r#"{"type":"tool:post_execute","tool_name":"bash","data":{"tool_args":{}}}"#,
            " in tool:post_execute, field `data.tool_result`: it is missing; it must be there",
        ),
        (
            r#"{"type":"permission:check","tool_name":"bash","data":{"tool_args":"ls"}}"#,
            " in permission:check, field `data.tool_args`: it is a string, but must be an object",
        ),
        (
            r#"{"type":"user:prompt_submit","data":{}}"#,
            " in user:prompt_submit, field `data.user_input`: it is missing; it must be a string",
        ),
        (
            r#"{"type":"session:end","data":[]}"#,
            " in session:end, field `data`: it is an array, but must be an object",
        ),
        (
            r#"{"type":"session:end","timestamp":"now"}"#,
            " in session:end, field `timestamp`: it is a string, but must be a number",
        ),
        (
            r#"{"type":"session:end","timestamp":-1}"#,
            " in session:end, field `timestamp`: it must be seconds since the Unix epoch",
        ),
        (
            r#"{"type":"session:end","working_dir":"project"}"#,
            " in session:end, field `working_dir`: \"project\" is not an absolute path",
        ),
        (
            r#"{"type":"session:end","session_id":7}"#,
            " in session:end, field `session_id`: it is a number, but must be a string",
        ),
    ] {
        let error = read_event(&CodeForge, text).unwrap_err().to_string();
        assert_eq!(error, format!("VALIDATION_FAILURE{expected}"), "{text}");
    }
    let names: Vec<_> = (0..5000).map(|n| format!("\"f{n}\"")).collect();
    let members = format!(r#""tool_name":"t","data":{{"tool_args":{{"paths":[{}]}}}}"#, names.join(","));
    assert_eq!(
        read_event(&CodeForge, &make_input("tool:pre_execute", &members)).unwrap_err().to_string(),
        "VALIDATION_FAILURE in tool:pre_execute, field `data.tool_args`: it names more than 4096 files; name fewer"
    );
}

#[test]
fn an_empty_outcome_and_an_allow_go_on_in_silence() {
    for name in sample_names() {
        assert_eq!(answer_to(name, &Outcome::default()), "0 ", "{name}");
        assert_eq!(answer_to(name, &outcome_with_verdict(Verdict::Allow)), "0 ", "{name}");
    }
}

#[test]
fn a_deny_blocks_with_its_reason_and_so_does_what_code_forge_cannot_ask() {
    const BLOCK: &str =
        "2 guard-shell: this erases the disk (rm-root) | guard-shell: this erases the disk (rm-root)";
    for word in [Verdict::Deny as fn(_) -> _, Verdict::Ask, Verdict::Defer] {
        for name in ["tool:pre_execute", "llm:pre_request", "permission:prompt", "tool:future"] {
            assert_eq!(answer_to(name, &outcome_with_verdict(word)), BLOCK, "{name}");
        }
    }
}

#[test]
fn where_nothing_can_be_blocked_a_deny_and_an_ask_are_lost() {
    for name in ["session:start", "session:end", "permission:granted", "permission:denied", "user:interrupt"]
    {
        assert_eq!(answer_to(name, &outcome_with_verdict(Verdict::Deny)), "0  | lost deny", "{name}");
        assert_eq!(answer_to(name, &outcome_with_verdict(Verdict::Ask)), "0  | lost ask", "{name}");
    }
}

#[test]
fn a_deny_and_a_failure_block_whatever_can_be_blocked() {
    let goes_on = |written: &Written| written.exit == 0;
    for name in sample_names() {
        let event = sample_event(name);
        let can = event.name.traits().block;
        let deny = CodeForge.write(&event, &outcome_with_verdict(Verdict::Deny));
        assert_eq!((goes_on(&deny), deny.unexpressed.is_empty()), (!can, can), "{name}");
        assert_eq!(goes_on(&CodeForge.write_failure(Some(name), "no configuration")), !can, "{name}");
    }
}

#[test]
fn a_stop_blocks_what_was_about_to_happen_and_other_texts_are_lost() {
    assert_eq!(
        answer_to("tool:pre_execute", &outcome_with_texts()),
        "2 budget: Enough. | budget: Enough. | lost stop context notice"
    );
    assert_eq!(answer_to("session:start", &outcome_with_texts()), "0  | lost stop context notice");
}

#[test]
fn rewrites_and_extras_are_lost() {
    assert_eq!(
        answer_to("tool:pre_execute", &outcome_with_rewrite(r#"{"command":"ls"}"#)),
        "0  | lost rewrite"
    );
    assert_eq!(answer_to("user:prompt_submit", &outcome_with_extra(r#"{"x":1}"#)), "0  | lost extra");
}

#[test]
fn a_failure_is_reported_where_the_agent_reads_it() {
    for (name, expected) in [
        (Some("tool:pre_execute"), "2 broken | broken"),
        (Some("tool:future"), "2 broken | broken"),
        (None, "2 broken | broken"),
        (Some("session:end"), "0  | broken"),
    ] {
        assert_eq!(format_answer(&CodeForge.write_failure(name, "broken")), expected);
    }
}

#[test]
fn code_forge_waits_ten_seconds() {
    assert_eq!(CodeForge.agent_timeout(&EventName::ToolBefore).as_secs(), 10);
}
