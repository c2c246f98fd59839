//! Denies, or asks about, tool calls whose arguments hold a given text.

use hookbox_sdk::{Answer, Event, Hook, export};
use serde::Deserialize;
use serde_json::Value;

/// The hook.
pub struct FindText;

/// Its settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    ask: Vec<String>,
}

impl Hook for FindText {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        let Some(tool) = &event.tool else { return Ok(Answer::none()) };
        let input: Value = tool.input_as()?;
        Ok(match (first(&input, &settings.deny), first(&input, &settings.ask)) {
            (Some(text), _) => Answer::deny("text-found", describe_match(text)),
            (None, Some(text)) => Answer::ask("text-found", describe_match(text)),
            (None, None) => Answer::none(),
        })
    }
}

export!(FindText);

fn describe_match(text: &str) -> String {
    format!("the arguments hold `{text}`")
}

/// The first of `texts` that any string of `value` holds. Keys are not looked at.
fn first<'a>(value: &Value, texts: &'a [String]) -> Option<&'a str> {
    texts.iter().map(String::as_str).find(|text| holds(value, text))
}

fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string.contains(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(members) => members.values().any(|member| holds(member, text)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use hookbox_sdk::{ToolCall, testing};

    use super::*;

    fn answer(input: &str, settings: &str) -> Result<Answer, String> {
        testing::set_config(settings);
        let tool = ToolCall { input: input.into(), ..ToolCall::default() };
        FindText::handle(Event { tool: Some(tool), ..Event::default() })
    }

    #[test]
    fn a_text_is_found_in_any_string_however_deep() {
        let settings = r#"{"deny": ["BEGIN PRIVATE KEY"]}"#;
        let denied = Answer::deny("text-found", "the arguments hold `BEGIN PRIVATE KEY`");
        assert_eq!(answer(r#"{"a": [1, {"b": "-- BEGIN PRIVATE KEY --"}]}"#, settings), Ok(denied));
        assert_eq!(answer(r#"{"BEGIN PRIVATE KEY": "no value"}"#, settings), Ok(Answer::none()));
    }

    #[test]
    fn a_text_to_deny_counts_more_than_one_to_ask_about() {
        let settings = r#"{"ask": ["prod"], "deny": ["drop table"]}"#;
        let asked = Answer::ask("text-found", "the arguments hold `prod`");
        let denied = Answer::deny("text-found", "the arguments hold `drop table`");
        assert_eq!(answer(r#"{"q": "select on prod"}"#, settings), Ok(asked));
        assert_eq!(answer(r#"{"q": "drop table on prod"}"#, settings), Ok(denied));
    }

    #[test]
    fn an_event_without_a_tool_is_not_its_business() {
        testing::set_config("{}");
        assert_eq!(FindText::handle(Event::default()), Ok(Answer::none()));
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        assert!(answer("{}", r#"{"denny": []}"#).is_err());
    }
}
