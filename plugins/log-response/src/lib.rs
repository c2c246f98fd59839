//! Logs one line per model response: model and tokens.

use hookbox_sdk::log::{self, excerpt};
use hookbox_sdk::{Answer, Event, Hook, export};
use serde::Deserialize;
use serde_json::Value;

/// The hook.
pub struct LogResponse;

/// Its settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// Tell of the tokens too?
    #[serde(default = "yes")]
    include_tokens: bool,
}

fn yes() -> bool {
    true
}

/// Most characters of the model's name.
const NAME: usize = 100;

/// JSON pointers to the name of the model.
const MODEL: [&str; 2] = ["/request/model", "/response/model"];
/// JSON pointers into the response where agents and proxies put the total number of tokens.
const TOKENS: [&str; 2] = ["/usage/total_tokens", "/usageMetadata/totalTokenCount"];

impl Hook for LogResponse {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        if event.name == "model.response" {
            let payload: Value = event.payload_as()?;
            log::info(line(&payload, settings.include_tokens));
        }
        Ok(Answer::none())
    }
}

export!(LogResponse);

fn line(payload: &Value, tokens: bool) -> String {
    let model = MODEL.into_iter().find_map(|place| payload.pointer(place)?.as_str());
    let model = excerpt(model.unwrap_or("unknown"), NAME);
    let has_members = |response: &&Value| response.as_object().is_some_and(|members| !members.is_empty());
    match payload.get("response").filter(has_members) {
        Some(response) if tokens => format!("[RESP] {model} | tokens: {}", total(response)),
        _ => format!("[RESP] {model}"),
    }
}

fn total(response: &Value) -> String {
    let count = TOKENS.into_iter().find_map(|place| response.pointer(place)?.as_u64());
    count.map_or_else(|| "?".to_owned(), |count| count.to_string())
}

#[cfg(test)]
mod tests {
    use hookbox_sdk::{Level, testing};

    use super::*;

    const RESPONSE: &str =
        r#"{"request": {"model": "groq/llama3"}, "response": {"usage": {"total_tokens": 7}}}"#;

    fn logged(name: &str, payload: &str, settings: &str) -> Vec<(Level, String)> {
        testing::set_config(settings);
        let event = Event { name: name.into(), payload: payload.into(), ..Event::default() };
        assert_eq!(LogResponse::handle(event), Ok(Answer::none()));
        testing::take_log()
    }

    /// The one line that is logged.
    fn read_log_line(payload: &str, settings: &str) -> String {
        let log = logged("model.response", payload, settings);
        assert_eq!(log.len(), 1);
        let (level, line) = log.into_iter().next().unwrap_or((Level::Error, String::new()));
        assert_eq!(level, Level::Info);
        line
    }

    #[test]
    fn a_response_is_one_line_with_its_model_and_its_tokens() {
        assert_eq!(read_log_line(RESPONSE, "{}"), "[RESP] groq/llama3 | tokens: 7");
    }

    #[test]
    fn tokens_are_left_out_on_request() {
        assert_eq!(read_log_line(RESPONSE, r#"{"include_tokens": false}"#), "[RESP] groq/llama3");
    }

    #[test]
    fn missing_token_counts_are_logged_as_a_question_mark() {
        let without = r#"{"request": {"model": "m"}, "response": {"text": "hi"}}"#;
        assert_eq!(read_log_line(without, "{}"), "[RESP] m | tokens: ?");
        let text = r#"{"request": {"model": "m"}, "response": {"usage": {"total_tokens": "9\n"}}}"#;
        assert_eq!(read_log_line(text, "{}"), "[RESP] m | tokens: ?");
    }

    #[test]
    fn no_response_has_no_tokens() {
        assert_eq!(read_log_line(r#"{"request": {"model": "m"}, "response": {}}"#, "{}"), "[RESP] m");
        assert_eq!(read_log_line("{}", "{}"), "[RESP] unknown");
    }

    #[test]
    fn other_spellings_of_model_and_tokens_are_known() {
        let gemini = r#"{"response": {"model": "g", "usageMetadata": {"totalTokenCount": 12}}}"#;
        assert_eq!(read_log_line(gemini, "{}"), "[RESP] g | tokens: 12");
    }

    #[test]
    fn a_long_or_forged_name_is_cut_and_stays_on_its_line() {
        let payload = format!(r#"{{"request": {{"model": "m\n{}"}}}}"#, "x".repeat(200));
        assert_eq!(read_log_line(&payload, "{}"), format!("[RESP] m {}...", "x".repeat(98)));
    }

    #[test]
    fn other_events_are_not_logged() {
        assert_eq!(logged("model.request", RESPONSE, "{}"), []);
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        testing::set_config(r#"{"tokens": true}"#);
        let error = "settings: `tokens`: unknown field `tokens`, expected `include_tokens`";
        assert_eq!(LogResponse::handle(Event::default()), Err(error.into()));
    }
}
