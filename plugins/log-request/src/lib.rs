//! Logs one line per model request: model, number of messages, id.

use hookbox_sdk::log::{self, excerpt};
use hookbox_sdk::{Answer, Event, Hook, export};
use serde::Deserialize;
use serde_json::Value;

/// The hook.
pub struct LogRequest;

/// Its settings.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    /// Tell of the last message too?
    #[serde(default)]
    verbose: bool,
}

/// Most characters of a name.
const NAME: usize = 100;
/// Most characters of the id; enough to find a request again.
const ID: usize = 8;
/// Most characters of a message.
const CONTENT: usize = 100;

impl Hook for LogRequest {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        if event.name == "model.request" {
            let payload: Value = event.payload_as()?;
            log_request(&payload, &event.id, settings.verbose);
        }
        Ok(Answer::none())
    }
}

export!(LogRequest);

fn log_request(payload: &Value, id: &str, verbose: bool) {
    let messages = payload.pointer("/request/messages").and_then(Value::as_array);
    let messages = messages.map(Vec::as_slice).unwrap_or_default();
    let model = name(payload.pointer("/request/model"));
    let id: String = excerpt(id, usize::MAX).chars().take(ID).collect();
    log::info(format!("[REQ] {model} | {} messages | id={id}", messages.len()));
    if let (true, Some(last)) = (verbose, messages.last()) {
        log_message(last);
    }
}

fn log_message(message: &Value) {
    let role = name(message.get("role"));
    let content = match message.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => excerpt(text, CONTENT),
        Some(parts) => excerpt(&parts.to_string(), CONTENT),
    };
    log::info(format!("  Last message ({role}): {content}"));
}

fn name(value: Option<&Value>) -> String {
    excerpt(value.and_then(Value::as_str).unwrap_or("unknown"), NAME)
}

#[cfg(test)]
mod tests {
    use hookbox_sdk::{Level, testing};

    use super::*;

    const REQUEST: &str = r#"{"request": {"model": "groq/llama3", "messages": [
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say\nhi."}]}}"#;

    /// Returns the log lines for a `model.request` with this payload.
    fn logged(payload: &str, settings: &str) -> Vec<String> {
        logged_of("model.request", payload, settings)
    }

    fn logged_of(name: &str, payload: &str, settings: &str) -> Vec<String> {
        testing::set_config(settings);
        let id = "0123456789".to_owned();
        let event = Event { name: name.into(), id, payload: payload.into(), ..Event::default() };
        assert_eq!(LogRequest::handle(event), Ok(Answer::none()));
        let (levels, lines): (Vec<_>, Vec<_>) = testing::take_log().into_iter().unzip();
        assert!(levels.iter().all(|level| *level == Level::Info));
        lines
    }

    #[test]
    fn a_request_is_one_line_with_its_model_its_messages_and_its_id() {
        assert_eq!(logged(REQUEST, "{}"), ["[REQ] groq/llama3 | 2 messages | id=01234567"]);
    }

    #[test]
    fn verbose_tells_of_the_last_message_on_one_line() {
        let lines = logged(REQUEST, r#"{"verbose": true}"#);
        assert_eq!(lines[1..], ["  Last message (user): Say hi."]);
    }

    #[test]
    fn content_in_parts_is_logged_as_json_and_missing_content_as_empty_text() {
        let parts = r#"{"request": {"messages": [{"role": "user", "content": [{"text": "hi"}]}]}}"#;
        assert_eq!(logged(parts, r#"{"verbose": true}"#)[1..], [r#"  Last message (user): [{"text":"hi"}]"#]);
        let call = r#"{"request": {"messages": [{"role": "assistant", "content": null}]}}"#;
        assert_eq!(logged(call, r#"{"verbose": true}"#)[1..], ["  Last message (assistant): "]);
    }

    #[test]
    fn a_request_without_model_and_messages_is_logged_as_unknown() {
        let expected = ["[REQ] unknown | 0 messages | id=01234567"];
        assert_eq!(logged(r#"{"request": {}}"#, r#"{"verbose": true}"#), expected);
        assert_eq!(logged(r#"{"request": {"messages": null}}"#, "{}"), expected);
        assert_eq!(logged("{}", "{}"), expected);
    }

    #[test]
    fn long_and_forged_texts_are_cut_and_stay_on_their_line() {
        let long = "x".repeat(200);
        let payload = format!(
            r#"{{"request": {{"model": "m\n[REQ] forged {long}", "messages": [{{"role": "{long}", "content": "{long}"}}]}}}}"#
        );
        let lines = logged(&payload, r#"{"verbose": true}"#);
        let cut = |text: &str| format!("{}...", &text[..100]);
        let model = cut(&format!("m [REQ] forged {long}"));
        assert_eq!(lines[0], format!("[REQ] {model} | 1 messages | id=01234567"));
        assert_eq!(lines[1], format!("  Last message ({}): {}", cut(&long), cut(&long)));
    }

    #[test]
    fn other_events_are_not_logged() {
        assert_eq!(logged_of("model.response", REQUEST, "{}"), Vec::<String>::new());
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        testing::set_config(r#"{"verbos": true}"#);
        let error = "settings: `verbos`: unknown field `verbos`, expected `verbose`";
        assert_eq!(LogRequest::handle(Event::default()), Err(error.into()));
    }
}
