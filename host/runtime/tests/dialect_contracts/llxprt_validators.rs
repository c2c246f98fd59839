//! Required members of llxprt-code's eight event families (docs/reference/agents/llxprt.md).

use hookbox::agents::llxprt::Llxprt;
use serde_json::json;

use super::{llxprt_bus::event_of, read_event, samples};

/// A member of an event: its valid values, and its invalid ones.
type Member = (&'static str, &'static [&'static str], &'static [&'static str]);

const NO_OBJECT: &[&str] = &["null", "[]", "\"x\"", "1", "true"];
const NO_TEXT: &[&str] = &["null", "[]", "{}", "1", "true"];
const NO_NAME: &[&str] = &["null", "[]", "{}", "1", "true", "\"\""];
const NO_FLAG: &[&str] = &["null", "[]", "{}", "1", "\"true\""];
const NAME: &[&str] = &["\"x\""];
const TEXT: &[&str] = &["\"x\"", "\"\""];
const OBJECT: &[&str] = &["{}", "{\"a\":[1]}"];
const FLAG: &[&str] = &["true", "false"];
const ANY: &[&str] = &["\"ToolPermission\"", "null", "1", "{}"];
const TOOL: Member = ("tool_name", NAME, NO_NAME);
const INPUT: Member = ("tool_input", OBJECT, NO_OBJECT);
const REQUEST: Member = ("llm_request", OBJECT, NO_OBJECT);

/// C.2, a line each.
const FAMILIES: [(&str, &[Member]); 8] = [
    ("BeforeTool", &[TOOL, INPUT]),
    ("AfterTool", &[TOOL, INPUT, ("tool_response", OBJECT, NO_OBJECT)]),
    ("BeforeAgent", &[("prompt", TEXT, NO_TEXT)]),
    (
        "AfterAgent",
        &[("prompt", TEXT, NO_TEXT), ("prompt_response", TEXT, NO_TEXT), ("stop_hook_active", FLAG, NO_FLAG)],
    ),
    ("BeforeModel", &[REQUEST]),
    ("AfterModel", &[REQUEST, ("llm_response", OBJECT, NO_OBJECT)]),
    ("BeforeToolSelection", &[REQUEST]),
    (
        "Notification",
        &[("notification_type", ANY, &[]), ("message", NAME, NO_NAME), ("details", OBJECT, NO_OBJECT)],
    ),
];

/// Returns the input with each member's first valid value, except `member`, which is `value` or left out.
fn make_input(members: &[Member], member: &str, value: Option<&str>) -> String {
    let mut all = vec![r#""extra":[1]"#.to_owned()];
    for (name, may, _) in members {
        let value = if *name == member { value } else { may.first().copied() };
        all.extend(value.map(|value| format!(r#""{name}":{value}"#)));
    }
    format!("{{{}}}", all.join(","))
}

/// How the message about a member begins that is missing, or of another kind.
fn expected_error(event: &str, member: &str, is_missing: bool) -> String {
    if is_missing {
        format!("{event} input missing required field: {member}")
    } else {
        format!("{event} input, field `{member}`: it is ")
    }
}

#[test]
fn each_member_of_the_eight_families_must_be_there_and_of_its_kind() {
    let mut checked = 0;
    for (event, members) in FAMILIES {
        for (member, may, must_not) in members {
            for value in *may {
                let input = make_input(members, member, Some(value));
                assert!(event_of(event, &input).is_ok(), "{event} {input}");
            }
            for value in must_not.iter().copied().map(Some).chain([None]) {
                let input = make_input(members, member, value);
                let error = event_of(event, &input).unwrap_err();
                assert_eq!(error.code, "VALIDATION_FAILURE");
                let expected = expected_error(event, member, value.is_none());
                assert!(error.message.starts_with(&expected), "{error:?}");
                assert_eq!(error.details, Some(json!({"stage": "validation", "eventName": event})));
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 94);
}

#[test]
fn an_mcp_context_must_name_its_server() {
    for event in ["BeforeTool", "AfterTool"] {
        let of = |context: &str| {
            let input = format!(
                r#"{{"tool_name":"t","tool_input":{{}},"tool_response":{{}},"mcp_context":{context}}}"#
            );
            event_of(event, &input).map_err(|error| error.message)
        };
        assert!(of(r#"{"server_name":"s","more":1}"#).is_ok());
        for (context, field) in [
            ("[]", "mcp_context"),
            ("null", "mcp_context"),
            ("{}", "server_name"),
            (r#"{"server_name":""}"#, "server_name"),
        ] {
            let expected = expected_error(event, field, context == "{}");
            assert!(of(context).unwrap_err().starts_with(&expected));
        }
    }
}

#[test]
fn the_eight_families_are_those_that_have_members() {
    let named: Vec<_> = samples::GEMINI_CLI.iter().map(|(name, _)| *name).collect();
    assert!(FAMILIES.iter().all(|(event, _)| named.contains(event)));
}

#[test]
fn each_of_the_eight_event_families_names_event_and_field_of_what_is_wrong() {
    const TOOL: &str = r#""tool_name":"t","tool_input":{}"#;
    for (event, members, field, problem) in [
        (
            "BeforeTool",
            r#""tool_input":{}"#.to_owned(),
            "tool_name",
            "it is missing; it must be a string that is not empty",
        ),
        (
            "BeforeTool",
            r#""tool_name":"t","tool_input":[]"#.into(),
            "tool_input",
            "it is an array, but must be an object",
        ),
        (
            "BeforeTool",
            format!(r#"{TOOL},"mcp_context":null"#),
            "mcp_context",
            "it is null, but must be an object",
        ),
        (
            "BeforeTool",
            format!(r#"{TOOL},"mcp_context":{{"server_name":""}}"#),
            "server_name",
            "it is an empty string, but must be a string that is not empty",
        ),
        (
            "AfterTool",
            format!(r#"{TOOL},"tool_response":"done""#),
            "tool_response",
            "it is a string, but must be an object",
        ),
        ("BeforeAgent", r#""prompt":null"#.into(), "prompt", "it is null, but must be a string"),
        (
            "AfterAgent",
            r#""prompt":"p","prompt_response":"r","stop_hook_active":0"#.into(),
            "stop_hook_active",
            "it is a number, but must be `true` or `false`",
        ),
        ("BeforeModel", r#""llm_request":[]"#.into(), "llm_request", "it is an array, but must be an object"),
        ("AfterModel", r#""llm_request":{}"#.into(), "llm_response", "it is missing; it must be an object"),
        ("BeforeToolSelection", r#""x":1"#.into(), "llm_request", "it is missing; it must be an object"),
        (
            "Notification",
            r#""message":"m","details":{}"#.into(),
            "notification_type",
            "it is missing; it must be there",
        ),
    ] {
        let error = read_event(&Llxprt, &samples::make_input(event, &members)).unwrap_err();
        assert_eq!((error.event.as_deref(), error.field.as_deref()), (Some(event), Some(field)));
        assert_eq!(error.to_string(), format!("VALIDATION_FAILURE in {event}, field `{field}`: {problem}"));
    }
}
