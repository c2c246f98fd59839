//! Takes fields out of model requests that strict providers refuse.

mod raw;
mod request;
mod settings;

use hookbox_sdk::{Answer, Event, Hook, Rewrite, export};
use serde::Deserialize;
use serde_json::value::RawValue;

use settings::Settings;

/// The hook.
pub struct StripProviderFields;

/// What the hook reads of a payload.
#[derive(Deserialize)]
struct Payload<'a> {
    /// Who runs the model, if the caller says so.
    provider: Option<String>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
}

/// What the hook reads of a request besides what it takes out.
#[derive(Deserialize)]
struct Request {
    model: Option<String>,
}

impl Hook for StripProviderFields {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        if event.name != "model.request" {
            return Ok(Answer::none());
        }
        let payload: Payload<'_> = read(&event.payload, "payload")?;
        let Some(request) = payload.request.map(RawValue::get) else { return Ok(Answer::none()) };
        if !settings.is_strict(&provider(payload.provider, request)?) {
            return Ok(Answer::none());
        }
        let rewrite = request::stripped(request).map(Rewrite::Replace);
        Ok(Answer { rewrite, ..Answer::none() })
    }
}

export!(StripProviderFields);

fn read<'a, T: Deserialize<'a>>(text: &'a str, what: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{what}: {error}"))
}

/// Who the request goes to, in lower case: what the caller says, else what stands before the first `/` of the model's
/// name; empty if neither is there.
fn provider(said: Option<String>, request: &str) -> Result<String, String> {
    if let Some(provider) = said {
        return Ok(provider.to_lowercase());
    }
    let Request { model } = read(request, "payload: `request`")?;
    let model = model.unwrap_or_default();
    Ok(model.split_once('/').map(|(provider, _)| provider.to_lowercase()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use hookbox_sdk::testing;

    use super::*;

    const MARKED: &str = r#"{"messages":[{"content":[{"text":"hi","cache_control":{}}]}],"model":"MODEL"}"#;
    const STRIPPED: &str = r#"{"messages":[{"content":[{"text":"hi"}]}],"model":"MODEL"}"#;

    fn answer(payload: String, settings: &str) -> Result<Answer, String> {
        testing::set_config(settings);
        StripProviderFields::handle(Event { name: "model.request".into(), payload, ..Event::default() })
    }

    /// Is a request to `model` stripped, by a caller that says no provider?
    fn strips(model: &str, settings: &str) -> bool {
        let said = answer(format!(r#"{{"request":{}}}"#, MARKED.replace("MODEL", model)), settings);
        let stripped = Rewrite::Replace(STRIPPED.replace("MODEL", model));
        match said {
            Ok(Answer { rewrite: Some(rewrite), .. }) if rewrite == stripped => true,
            other => {
                assert_eq!(other, Ok(Answer::none()));
                false
            }
        }
    }

    #[test]
    fn requests_to_the_four_strict_providers_are_stripped() {
        for model in ["groq/llama3", "cerebras/m", "together/a/b", "anyscale/m", "Groq/llama3"] {
            assert!(strips(model, "{}"), "{model}");
        }
    }

    #[test]
    fn requests_to_others_stay_as_they_are() {
        for model in ["anthropic/claude", "groq", "groqx/m", "", "x/groq/m"] {
            assert!(!strips(model, "{}"), "{model}");
        }
    }

    #[test]
    fn the_strict_providers_can_be_named() {
        let settings = r#"{"providers": ["together_ai"]}"#;
        assert!(strips("together_ai/m", settings));
        assert!(!strips("groq/m", settings));
        assert!(!strips("groq/m", r#"{"providers": []}"#));
    }

    #[test]
    fn what_the_caller_says_about_the_provider_counts_more_than_the_name_of_the_model() {
        let said = |provider: &str, model: &str| {
            let request = MARKED.replace("MODEL", model);
            let payload = format!(r#"{{"provider":{provider},"request":{request}}}"#);
            answer(payload, "{}").map(|answer| answer.rewrite.is_some())
        };
        assert_eq!(said(r#""groq""#, "llama3"), Ok(true));
        assert_eq!(said(r#""anthropic""#, "groq/llama3"), Ok(false));
        assert_eq!(said("null", "groq/llama3"), Ok(true));
    }

    #[test]
    fn a_request_with_nothing_to_take_out_is_not_rewritten() {
        let request = r#"{"model":"groq/m","messages":[{"role":"user","content":"hi"}],"tools":null}"#;
        assert_eq!(answer(format!(r#"{{"request":{request}}}"#), "{}"), Ok(Answer::none()));
    }

    #[test]
    fn other_events_are_not_its_business() {
        testing::set_config("{}");
        let event = Event { name: "model.response".into(), ..Event::default() };
        assert_eq!(StripProviderFields::handle(event), Ok(Answer::none()));
    }

    #[test]
    fn an_unknown_key_is_an_error_on_every_event() {
        testing::set_config(r#"{"provider": []}"#);
        let error = "settings: `provider`: unknown field `provider`, expected `providers`";
        assert_eq!(StripProviderFields::handle(Event::default()), Err(error.into()));
    }

    #[test]
    fn a_request_that_is_no_object_is_an_error() {
        let error = answer(r#"{"request":3}"#.to_owned(), "{}");
        assert!(error.is_err_and(|error| error.starts_with("payload: `request`: invalid type: integer")));
    }
}
