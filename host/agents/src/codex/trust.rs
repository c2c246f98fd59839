//! Trusted hooks: `[hooks.state]` of Codex's `config.toml` has, for the place of each hook, the hash of the hook at the time when the user
//! trusted it. Codex skips other hooks.

use std::path::Path;

use serde_json::{Map, Value, json};

use hookbox_core::digest::hash_parts;

use super::{NAME, events::to_snake_case};
use crate::settings;

/// Default timeout of a hook, seconds.
const TIMEOUT: u64 = 600;
/// Default and maximum at the end of a session.
const SESSION_END_TIMEOUT: (u64, u64) = (1, 3);
/// Default limit of context that a hook may add, tokens.
const CONTEXT_LIMIT: u64 = 2500;
/// Events whose hooks have no matcher, and events whose hooks add context.
const UNMATCHED: [&str; 2] = ["UserPromptSubmit", "Stop"];
const WITH_CONTEXT: [&str; 5] =
    ["PreToolUse", "PostToolUse", "SessionStart", "UserPromptSubmit", "SubagentStart"];

/// Returns the events of hookbox's entries in `hooks.json` that `config.toml` does not trust; `paths` name the first. Returns `None` for a
/// file without such an entry, or one that cannot be read: there is nothing to trust.
pub(crate) fn find_untrusted(hooks: &str, config: &str, paths: &[&Path]) -> Option<Vec<String>> {
    let state = read_state(config);
    let Ok(Value::Object(file)) = serde_json::from_str(hooks) else { return None };
    let Some(Value::Object(events)) = file.get("hooks") else { return None };
    let (mut untrusted, mut has_entries) = (Vec::new(), false);
    for (event, groups) in events {
        for (place, group, handler) in list_handlers(groups) {
            let key = |path: &&Path| format!("{}:{}:{place}", path.display(), to_snake_case(event));
            let trusted =
                paths.iter().any(|path| is_trusted(state.get(&key(path)), &hash_hook(event, group, handler)));
            has_entries |= is_own_handler(handler);
            if is_own_handler(handler) && !trusted && !untrusted.contains(event) {
                untrusted.push(event.clone());
            }
        }
    }
    has_entries.then_some(untrusted)
}

fn read_state(config: &str) -> toml::Table {
    let table = config.parse::<toml::Table>().unwrap_or_default();
    let hooks = table.get("hooks").and_then(toml::Value::as_table);
    hooks.and_then(|hooks| hooks.get("state")?.as_table().cloned()).unwrap_or_default()
}

fn is_trusted(state: Option<&toml::Value>, hash: &str) -> bool {
    state.is_some_and(|state| {
        state.get("trusted_hash").and_then(toml::Value::as_str) == Some(hash)
            && state.get("enabled").and_then(toml::Value::as_bool) != Some(false)
    })
}

/// Returns the handlers, each with its place, `GROUP:HANDLER`, and its group.
fn list_handlers(groups: &Value) -> impl Iterator<Item = (String, &Value, &Value)> {
    let groups = groups.as_array().into_iter().flatten().enumerate();
    groups.flat_map(|(at, group)| {
        let handlers = group.get("hooks").and_then(Value::as_array).into_iter().flatten().enumerate();
        handlers.map(move |(number, handler)| (format!("{at}:{number}"), group, handler))
    })
}

fn is_own_handler(handler: &Value) -> bool {
    let command = handler.get("command").and_then(Value::as_str);
    command.is_some_and(|command| settings::runs_hookbox(command, NAME, None))
}

/// Hashes the hook as the only one of its group, with every default written out; keys in alphabetical order, without blanks.
fn hash_hook(event: &str, group: &Value, handler: &Value) -> String {
    let mut identity = Map::from_iter([("event_name".to_owned(), to_snake_case(event).into())]);
    identity.insert("hooks".to_owned(), json!([normalize_handler(event, handler)]));
    if let Some(matcher) = group.get("matcher").filter(|it| it.is_string() && !UNMATCHED.contains(&event)) {
        identity.insert("matcher".to_owned(), matcher.clone());
    }
    format!("sha256:{}", hash_parts(&[Value::Object(identity).to_string().as_bytes()]))
}

fn normalize_handler(event: &str, handler: &Value) -> Value {
    let number = |key: &str| handler.get(key).and_then(Value::as_u64);
    let timeout = match event {
        "SessionEnd" => number("timeout").unwrap_or(SESSION_END_TIMEOUT.0).clamp(1, SESSION_END_TIMEOUT.1),
        _ => number("timeout").unwrap_or(TIMEOUT).max(1),
    };
    let context = number("additionalContextLimit");
    // Codex omits a limit that equals its default, and one at an event without context, before it hashes the
    // entry.
    let context = context.filter(|limit| *limit != CONTEXT_LIMIT && WITH_CONTEXT.contains(&event));
    let is_async = handler.get("async").and_then(Value::as_bool).unwrap_or_default();
    let members = [
        ("additionalContextLimit", context.map(Value::from)),
        ("async", Some(is_async.into())),
        ("command", handler.get("command").cloned()),
        ("statusMessage", handler.get("statusMessage").filter(|message| message.is_string()).cloned()),
        ("timeout", Some(timeout.into())),
        ("type", Some("command".into())),
    ];
    Value::Object(members.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect())
}
