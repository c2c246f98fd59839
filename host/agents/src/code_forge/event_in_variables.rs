//! Reads an event that Code-Forge passes to a hook: in environment variables, with empty standard input
//! (docs/reference/agents/code-forge.md). The counterpart of `variables`.

use hookbox_model::Json;

use crate::object::Object;

/// The members of `data` that each family of events has. Another `FORGE_…` variable may be the user's own, such as a key.
const DATA: [(&str, &[&str]); 5] = [
    ("tool", &["tool_args", "tool_result", "error"]),
    ("llm", &["llm_model", "llm_tokens", "message_count"]),
    ("session", &["message_role", "message_content"]),
    ("permission", &["perm_level", "perm_rule"]),
    ("user", &["user_input"]),
];

/// Variables whose values are JSON. A truncated value is not JSON any more, and stays text.
const JSON: [&str; 4] = ["tool_args", "tool_result", "llm_tokens", "message_count"];

/// Returns the event in the variables of `get`, as Code-Forge's JSON; `None` if they contain no event.
pub(super) fn build_event(get: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let name = get("FORGE_EVENT")?;
    let mut event = Object::new();
    event.text("type", &name);
    if let Some(seconds) = get("FORGE_TIMESTAMP").and_then(|seconds| Json::parse(&seconds).ok()) {
        event.json("timestamp", &seconds);
    }
    event.text_if("session_id", get("FORGE_SESSION_ID").as_deref());
    event.text_if("tool_name", get("FORGE_TOOL_NAME").as_deref());
    // A relative one is where this process is anyway.
    let folder = get("FORGE_WORKING_DIR").filter(|folder| folder.starts_with('/'));
    event.text_if("working_dir", folder.as_deref());
    event.raw("data", &build_data(&name, get));
    Some(event.finish())
}

fn build_data(event: &str, get: &dyn Fn(&str) -> Option<String>) -> String {
    let mut data = Object::new();
    for key in find_keys(event) {
        // The names are looked up one by one: the environment may hold `FORGE_` variables of the user, such
        // as an API key.
        let Some(value) = get(&format!("FORGE_{}", key.to_ascii_uppercase())) else { continue };
        match Json::parse(&value).ok().filter(|_| JSON.contains(key)) {
            Some(json) => data.json(key, &json),
            None => data.text(key, &value),
        };
    }
    data.finish()
}

fn find_keys(event: &str) -> &'static [&'static str] {
    let family = event.split(':').next().unwrap_or_default();
    DATA.iter().find(|(name, _)| *name == family).map_or(&[], |(_, keys)| keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event_of(variables: &[(&str, &str)]) -> Option<String> {
        let value = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned());
        build_event(&value)
    }

    #[test]
    fn the_variables_of_a_tool_event_are_its_json_again() {
        assert_eq!(
            event_of(&[
                ("FORGE_EVENT", "tool:post_execute"),
                ("FORGE_TIMESTAMP", "1700000000.5"),
                ("FORGE_SESSION_ID", "sess_1"),
                ("FORGE_TOOL_NAME", "bash"),
                ("FORGE_WORKING_DIR", "/w"),
                ("FORGE_TOOL_ARGS", r#"{"command": "ls"}"#),
                ("FORGE_TOOL_RESULT", r#"{"success": true}"#),
            ])
            .unwrap(),
            r#"{"type":"tool:post_execute","timestamp":1700000000.5,"session_id":"sess_1","tool_name":"bash","working_dir":"/w","data":{"tool_args":{"command": "ls"},"tool_result":{"success": true}}}"#
        );
    }

    #[test]
    fn what_was_text_stays_text_and_a_number_is_one() {
        let of = |event, key, value| {
            let parsed = event_of(&[("FORGE_EVENT", event), (key, value)]).unwrap();
            parsed.split_once(r#""data":"#).unwrap().1.to_owned()
        };
        assert_eq!(
            of("user:prompt_submit", "FORGE_USER_INPUT", "{\"a\":1}"),
            r#"{"user_input":"{\"a\":1}"}}"#
        );
        assert_eq!(of("llm:post_response", "FORGE_LLM_TOKENS", "1500"), r#"{"llm_tokens":1500}}"#);
        assert_eq!(of("tool:error", "FORGE_ERROR", "no"), r#"{"error":"no"}}"#);
        assert_eq!(
            of("tool:pre_execute", "FORGE_TOOL_ARGS", "{\"a\":\"b...[truncated]"),
            r#"{"tool_args":"{\"a\":\"b...[truncated]"}}"#
        );
    }

    #[test]
    fn variables_of_the_persons_own_are_not_the_events() {
        assert_eq!(event_of(&[("FORGE_API_KEY", "k")]), None);
        assert_eq!(
            event_of(&[
                ("FORGE_EVENT", "session:start"),
                ("FORGE_TIMESTAMP", "now"),
                ("FORGE_WORKING_DIR", "."),
                ("FORGE_API_KEY", "k"),
                ("FORGE_TOOL_ARGS", "{}"),
            ])
            .unwrap(),
            r#"{"type":"session:start","data":{}}"#
        );
    }
}
