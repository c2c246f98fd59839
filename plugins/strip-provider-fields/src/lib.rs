//! Takes fields out of model requests that strict providers refuse.

mod raw;
mod request;
mod settings;

use hookbox_sdk::{Answer, Event, Hook, Rewrite, export};
use serde::Deserialize;
use serde_json::value::RawValue;

use raw::elements;
use settings::Settings;

/// The hook.
pub struct StripProviderFields;

/// Fields of a payload that the hook reads.
#[derive(Deserialize)]
struct Payload<'a> {
    /// Provider of the model, if the caller states it.
    provider: Option<String>,
    #[serde(borrow)]
    request: Option<&'a RawValue>,
    /// Deployments that the request may go to. The selected one holds the request, with the model behind its alias.
    #[serde(borrow)]
    deployments: Option<&'a RawValue>,
}

/// Fields of a request that the hook reads besides those that it removes.
#[derive(Deserialize)]
struct Request {
    model: Option<String>,
    custom_llm_provider: Option<String>,
}

impl Hook for StripProviderFields {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        let payload: Payload<'_> = match event.name.as_str() {
            "model.request" | "model.route" => read(&event.payload, "payload")?,
            _ => return Ok(Answer::none()),
        };
        let rewrite = match event.name.as_str() {
            "model.request" => in_request(&payload, &settings)?,
            _ => payload.deployments.and_then(|list| in_deployments(list.get(), &settings)),
        };
        Ok(Answer { rewrite: rewrite.map(Rewrite::Replace), ..Answer::none() })
    }
}

/// The request without the fields, if it goes to a strict provider and has them.
fn in_request(payload: &Payload<'_>, settings: &Settings) -> Result<Option<String>, String> {
    let Some(request) = payload.request.map(RawValue::get) else { return Ok(None) };
    let strict = settings.is_strict(&provider(payload.provider.clone(), request)?);
    Ok(if strict { request::stripped(request) } else { None })
}

/// Strips each deployment of a list; an element that is not a request is unchanged.
fn in_deployments(list: &str, settings: &Settings) -> Option<String> {
    elements(list, |deployment| {
        let provider = provider(None, deployment.get()).ok()?;
        settings.is_strict(&provider).then(|| request::stripped(deployment.get())).flatten()
    })
}

export!(StripProviderFields);

fn read<'a, T: Deserialize<'a>>(text: &'a str, what: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{what}: {error}"))
}

/// Returns the provider of the request, in lower case: the caller's value, else the text before the first `/` of the
/// model's name, else the provider determined by `LiteLLM`; empty without any.
fn provider(stated: Option<String>, request: &str) -> Result<String, String> {
    if let Some(provider) = stated {
        return Ok(provider.to_lowercase());
    }
    let Request { model, custom_llm_provider } = read(request, "payload: `request`")?;
    let model = model.unwrap_or_default();
    let named = model.split_once('/').map(|(provider, _)| provider);
    Ok(named
        .map(str::to_lowercase)
        .or(custom_llm_provider.map(|name| name.to_lowercase()))
        .unwrap_or_default())
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

    /// Returns true if a request to `model` is stripped for a caller that states no provider.
    fn strips(model: &str, settings: &str) -> bool {
        let result = answer(format!(r#"{{"request":{}}}"#, MARKED.replace("MODEL", model)), settings);
        let stripped = Rewrite::Replace(STRIPPED.replace("MODEL", model));
        match result {
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
    fn behind_an_alias_the_deployment_that_was_chosen_is_stripped() {
        let routed = |deployment: &str| {
            let payload = format!(r#"{{"deployments":[{deployment}]}}"#);
            testing::set_config("{}");
            let event = Event { name: "model.route".into(), payload, ..Event::default() };
            StripProviderFields::handle(event).unwrap().rewrite
        };
        let groq = MARKED.replace("MODEL", "groq/llama3");
        let stripped = Rewrite::Replace(format!("[{}]", STRIPPED.replace("MODEL", "groq/llama3")));
        assert_eq!(routed(&groq), Some(stripped));
        let known = MARKED.replace("\"model\"", "\"custom_llm_provider\":\"groq\",\"model\"");
        assert!(routed(&known.replace("MODEL", "llama3")).is_some());
        assert_eq!(routed(&MARKED.replace("MODEL", "anthropic/claude")), None);
        // As deployments are told before one is chosen.
        assert_eq!(routed(r#"{"litellm_params":{"model":"groq/llama3"}}"#), None);
        assert_eq!(routed("7"), None);
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
    fn the_callers_provider_counts_more_than_the_name_of_the_model() {
        let provider_for = |provider: &str, model: &str| {
            let request = MARKED.replace("MODEL", model);
            let payload = format!(r#"{{"provider":{provider},"request":{request}}}"#);
            answer(payload, "{}").map(|answer| answer.rewrite.is_some())
        };
        assert_eq!(provider_for(r#""groq""#, "llama3"), Ok(true));
        assert_eq!(provider_for(r#""anthropic""#, "groq/llama3"), Ok(false));
        assert_eq!(provider_for("null", "groq/llama3"), Ok(true));
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
    fn a_request_that_is_not_an_object_is_an_error() {
        let error = answer(r#"{"request":3}"#.to_owned(), "{}");
        assert!(error.is_err_and(|error| error.starts_with("payload: `request`: invalid type: integer")));
    }
}
