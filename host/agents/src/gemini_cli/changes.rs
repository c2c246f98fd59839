//! Reduces a rewritten part to the members that differ from what the agent sent.
//!
//! The agent rebuilds its request from the answer, whose format lacks much of it: messages that came back unchanged would keep only their
//! text, without calls, results and images.

use hookbox_model::Json;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Changes {
    Nothing,
    Part(Json),
    /// The changed part; further changes cannot be expressed to the agent.
    PartAndMore(Json),
}

/// Returns the value of the answer's member of this name, if the agent sent `before` and hooks changed it to `after`.
pub(super) fn find_changes(member: &str, before: Option<&Json>, after: &Json) -> Changes {
    match before {
        Some(before) if is_same(before.as_str(), after.as_str()) => Changes::Nothing,
        Some(before) if member == "llm_request" => compare_members(before, after),
        _ if member == "llm_response" && !has_parts(after) => Changes::PartAndMore(after.clone()),
        _ => Changes::Part(after.clone()),
    }
}

/// Returns the changed members of a request; the agent keeps the others. It keeps removed members, too.
fn compare_members(before: &Json, after: &Json) -> Changes {
    let (before, after) = (before.members().unwrap_or_default(), after.members().unwrap_or_default());
    let is_new = |key: &str, value: &str| before.get(key).is_none_or(|old| !is_same(old.get(), value));
    let changed: Vec<_> = after
        .iter()
        .map(|(key, value)| (key, value.get()))
        .filter(|(key, value)| is_new(key, value))
        .collect();
    let taken_out = before.iter().any(|(key, _)| after.get(key).is_none());
    match (changed.is_empty(), taken_out) {
        (true, false) => Changes::Nothing,
        (_, false) => Changes::Part(Json::from_members(changed)),
        (_, true) => Changes::PartAndMore(Json::from_members(changed)),
    }
}

/// Returns true if the response's first candidate has content; the agent ignores an empty one and uses the model's response.
fn has_parts(response: &Json) -> bool {
    let parts = response.to_value().pointer("/candidates/0/content/parts").cloned();
    parts.and_then(|parts| parts.as_array().map(|parts| !parts.is_empty())).unwrap_or_default()
}

/// Returns true if both texts are the same JSON value, however it is spelt.
fn is_same(one: &str, other: &str) -> bool {
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    // Hooks in other languages write the same value with other blanks, escapes or number formats.
    one == other || value(one).is_some_and(|one| Some(one) == value(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_json(text: &str) -> Json {
        Json::parse(text).unwrap()
    }

    fn compare_requests(before: &str, after: &str) -> Changes {
        find_changes("llm_request", Some(&parse_json(before)), &parse_json(after))
    }

    #[test]
    fn of_a_request_only_the_members_that_changed_are_written() {
        let before = r#"{"model": "a", "messages": [{"role": "user", "content": "x"}], "config": {"temperature": 1.0}}"#;
        let same = r#"{"config":{"temperature":1.0},"messages":[{"content":"x","role":"user"}],"model":"a"}"#;
        assert_eq!(compare_requests(before, same), Changes::Nothing);
        let model = r#"{"model": "b", "messages": [{"role": "user", "content": "x"}], "config": {"temperature": 1.0}}"#;
        assert_eq!(compare_requests(before, model), Changes::Part(parse_json(r#"{"model":"b"}"#)));
        let less = r#"{"model": "b", "messages": [{"role": "user", "content": "x"}]}"#;
        assert_eq!(compare_requests(before, less), Changes::PartAndMore(parse_json(r#"{"model":"b"}"#)));
        let more = r#"{"model": "a", "messages": [], "config": {"temperature": 1.0}, "toolConfig": {}}"#;
        assert_eq!(
            compare_requests(before, more),
            Changes::Part(parse_json(r#"{"messages":[],"toolConfig":{}}"#))
        );
    }

    #[test]
    fn other_parts_are_written_as_a_whole_or_not_at_all() {
        let (before, after) = (parse_json(r#"{"a": 1, "b": 2}"#), parse_json(r#"{"a":1,"b":3}"#));
        assert_eq!(find_changes("tool_input", Some(&before), &after), Changes::Part(after.clone()));
        assert_eq!(
            find_changes("tool_input", Some(&before), &parse_json(r#"{"b":2,"a":1}"#)),
            Changes::Nothing
        );
        assert_eq!(find_changes("tool_input", None, &after), Changes::Part(after));
    }

    #[test]
    fn a_response_without_a_part_is_one_that_the_agent_passes_over() {
        let make_response =
            |parts: &str| parse_json(&format!(r#"{{"candidates":[{{"content":{{"parts":{parts}}}}}]}}"#));
        assert_eq!(
            find_changes("llm_response", None, &make_response(r#"[""]"#)),
            Changes::Part(make_response(r#"[""]"#))
        );
        assert_eq!(
            find_changes("llm_response", None, &make_response("[]")),
            Changes::PartAndMore(make_response("[]"))
        );
        assert_eq!(
            find_changes("llm_response", None, &parse_json("{}")),
            Changes::PartAndMore(parse_json("{}"))
        );
    }
}
