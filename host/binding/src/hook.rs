//! Hooks of a program, described with the keys of hookbox's configuration.

use hookbox::{
    CallbackHook, HookSpec, Origin, ShippedPlugins, Target, agents, config,
    hookfile::{Problem, Severity, Source},
    model::{Layer, TrustLevel},
};
use serde_json::{Map, Value, json};

use crate::{BindingError, ErrorCode};

/// Keys of a hook in the configuration that are supported here, too.
const KEYS: [&str; 9] =
    ["name", "on", "tool", "role", "priority", "timeout", "on-failure", "config", "limits"];

/// Parses a hook from an object. It is read like a hook of the configuration, so that users need only one format.
pub(crate) fn read(text: &str) -> Result<HookSpec, BindingError> {
    let words: Map<String, Value> = serde_json::from_str(text).map_err(|error| bad(&error.to_string()))?;
    // The configuration has keys for other kinds of handlers, which would silently do nothing here.
    if let Some(unknown) = words.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(bad(&format!("there is no `{unknown}`; there are {}", KEYS.join(", "))));
    }
    // TOML has no null, and other languages pass it for an absent value.
    let mut hook: Map<_, _> = words.into_iter().filter(|(_, value)| !value.is_null()).collect();
    if let Some(tool) = hook.get_mut("tool").filter(|tool| !tool.is_object()) {
        *tool = json!({ "name": tool });
    }
    // A placeholder that is never called: a file cannot name a function of the program.
    hook.insert("shell".to_owned(), json!({ "command": "true" }));
    let file = toml::to_string(&json!({ "hook": [hook] })).map_err(|error| bad(&error.to_string()))?;
    let events: Vec<_> =
        agents::all_dialects().iter().map(|dialect| (dialect.name(), dialect.events())).collect();
    let events: Vec<_> = events.iter().map(|(name, events)| (*name, events.as_slice())).collect();
    let loaded = config::load(&source(file), &events);
    let wrong = loaded.problems.iter().find(|problem| problem.severity == Severity::Error);
    match (wrong, loaded.hooks.into_iter().next()) {
        (None, Some(spec)) => Ok(HookSpec {
            target: Target::Callback,
            origin: Origin::new(Layer::Session, TrustLevel::Own),
            ..spec
        }),
        (Some(problem), _) => Err(bad(&words_of(problem))),
        (None, None) => Err(bad("it says nothing")),
    }
}

/// Converts it to a closure's place in the chain.
pub(crate) fn placed(spec: HookSpec) -> CallbackHook {
    CallbackHook::from(spec)
}

fn source(text: String) -> Source {
    Source {
        layer: Layer::Session,
        trust_level: TrustLevel::Own,
        file: None,
        root: None,
        plugins: ShippedPlugins::default(),
        text,
    }
}

fn words_of(problem: &Problem) -> String {
    match &problem.help {
        Some(help) => format!("{} ({help})", problem.message),
        None => problem.message.clone(),
    }
}

fn bad(why: &str) -> BindingError {
    BindingError::new(ErrorCode::Hook, format!("this is not a hook: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_described_in_the_words_of_the_configuration() {
        let hook =
            read(r#"{"name":"a","on":"tool.before","tool":"Bash","timeout":"50ms","config":null}"#).unwrap();
        assert_eq!(hook.name, "a");
        assert_eq!(hook.tool.unwrap().names, ["Bash"]);
        assert_eq!(hook.limits.timeout().as_millis(), 50);
        assert!(matches!(hook.target, Target::Callback));
    }

    #[test]
    fn problems_are_reported_as_in_the_configuration() {
        let problem = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(
            problem(r#"{"name":"a","on":"tool.befor"}"#),
            "bad-hook: this is not a hook: unknown event `tool.befor` (did you mean `tool.before`?)"
        );
        assert!(
            problem(r#"{"name":"a","on":"*","shell":{}}"#)
                .starts_with("bad-hook: this is not a hook: there is no `shell`")
        );
    }
}
