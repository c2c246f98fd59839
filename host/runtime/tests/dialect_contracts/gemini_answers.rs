//! Answers for Gemini CLI and its fork have only fields that their hooks may use, and have the effect that the hooks of
//! hookbox request.

use hookbox::agents::{self, Dialect, Part};
use hookbox_model::{Json, Outcome, Reason, Verdict};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{
    label_value, parse_json, read_event,
    samples::{GEMINI_CLI, make_input},
};

/// Fields of the nested output, by event; they are in the documentation of all these agents.
const NESTED: [(&str, &[&str]); 7] = [
    ("BeforeTool", &["tool_input"]),
    ("AfterTool", &["additionalContext", "tailToolCallRequest"]),
    ("BeforeAgent", &["additionalContext"]),
    ("AfterAgent", &["clearContext"]),
    ("BeforeModel", &["llm_request", "llm_response", "llm_request_boundary"]),
    ("AfterModel", &["llm_response"]),
    ("SessionStart", &["additionalContext"]),
];

/// Returns the error in an answer to this event.
fn find_problem(event: &str, answer: &Value) -> Option<String> {
    let members = answer.as_object()?;
    let wrong = members.iter().find(|(key, value)| match key.as_str() {
        "continue" | "suppressOutput" => !value.is_boolean(),
        "stopReason" | "systemMessage" | "reason" => !value.is_string(),
        "decision" => !["allow", "deny", "ask"].iter().any(|word| *value == word),
        "hookSpecificOutput" => !is_nested(event, value),
        _ => true,
    });
    wrong.map(|(key, value)| format!("`{key}` is {value}"))
}

fn is_nested(event: &str, nested: &Value) -> bool {
    let fields = NESTED.iter().find(|(name, _)| *name == event).map_or(&[][..], |(_, fields)| fields);
    let known = |key: &str| match event {
        "BeforeToolSelection" => key == "toolConfig",
        _ => fields.contains(&key),
    };
    let Some(members) = nested.as_object() else { return false };
    members.get("hookEventName") == Some(&Value::from(event))
        && members.iter().all(|(key, value)| match key.as_str() {
            "hookEventName" | "llm_request_boundary" => true,
            "additionalContext" => value.is_string(),
            "clearContext" => value.is_boolean(),
            key => known(key) && value.is_object(),
        })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9_i64..9).prop_map(Value::from),
        "[a-c\"\\n]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[ab]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Generates fields that hooks may give, of any kind.
fn any_extras() -> impl Strategy<Value = Value> {
    const NAMES: &[&str] = &[
        "tailToolCallRequest",
        "clearContext",
        "llm_response",
        "llm_request_boundary",
        "suppressOutput",
        "x",
    ];
    proptest::collection::btree_map(proptest::sample::select(NAMES), any_value(), 0..4)
        .prop_map(|fields| Value::Object(fields.into_iter().map(|(name, v)| (name.to_owned(), v)).collect()))
}

fn any_outcome() -> impl Strategy<Value = Outcome> {
    let text = || proptest::option::of("[a-c\\n]{0,4}");
    let verdict = prop_oneof![
        Just(Verdict::None),
        Just(Verdict::Allow(Reason::new("", "a"))),
        Just(Verdict::Ask(Reason::new("", ""))),
        Just(Verdict::Defer(Reason::new("", "d"))),
        Just(Verdict::Deny(Reason::new("no", "n"))),
    ];
    (verdict, text(), text(), text(), any_extras(), proptest::option::of(any_value())).prop_map(
        |(verdict, context, notice, stop, extra, rewrite)| Outcome {
            reasons: verdict.reason().map(|reason| label_value("h", reason.clone())).into_iter().collect(),
            verdict,
            contexts: context.map(|text| label_value("h", text)).into_iter().collect(),
            notices: notice.map(|text| label_value("h", text)).into_iter().collect(),
            stop: stop.map(|text| label_value("h", text)),
            extras: vec![label_value("h", Json::from_value(&extra))],
            rewrite: rewrite.map(|part| Json::from_value(&part)),
            ..Outcome::default()
        },
    )
}

fn gemini_agents() -> [&'static dyn Dialect; 2] {
    ["gemini-cli", "llxprt"].map(|name| agents::find_dialect(name).unwrap())
}

/// Generates the members of a request.
fn any_request() -> impl Strategy<Value = Map<String, Value>> {
    const NAMES: &[&str] = &["model", "messages", "config", "toolConfig"];
    proptest::collection::btree_map(proptest::sample::select(NAMES), any_value(), 0..5)
        .prop_map(|members| members.into_iter().map(|(name, v)| (name.to_owned(), v)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_answer_has_only_what_the_agent_reads(outcome in any_outcome()) {
        for agent in gemini_agents() {
            for (name, members) in GEMINI_CLI {
                let event = read_event(agent, &make_input(name, members)).unwrap();
                let written = agent.write(&event, &outcome);
                let answer: Value = serde_json::from_str(&written.stdout).unwrap();
                prop_assert_eq!(find_problem(name, &answer), None, "{} {}: {}", agent.name(), name, written.stdout);
                prop_assert_eq!(written.exit, 0);
            }
        }
    }

    #[test]
    fn the_agent_makes_of_its_request_and_the_answer_what_hooks_made_of_it(
        before in any_request(), after in any_request()
    ) {
        for agent in gemini_agents() {
            let members = format!(r#""llm_request":{}"#, Value::Object(before.clone()));
            let event = read_event(agent, &make_input("BeforeModel", &members)).unwrap();
            let rewrite = Some(parse_json(&Value::Object(after.clone()).to_string()));
            let written = agent.write(&event, &Outcome { rewrite, ..Outcome::default() });
            let answer: Value = serde_json::from_str(&written.stdout).unwrap();
            let part = answer.pointer("/hookSpecificOutput/llm_request").cloned().unwrap_or_else(|| json!({}));
            let part = part.as_object().unwrap();
            // No unchanged members.
            prop_assert!(part.iter().all(|(name, value)| before.get(name) != Some(value)), "{}", written.stdout);
            let mut made = before.clone();
            made.extend(part.clone());
            let kept: Vec<_> = before.keys().filter(|name| !after.contains_key(*name)).collect();
            for name in &kept {
                made.remove(*name);
            }
            prop_assert_eq!(&made, &after);
            prop_assert_eq!(written.unexpressed.contains(&Part::Rewrite), !kept.is_empty());
        }
    }
}
