//! Settings files that an agent discards as a whole: an entry in such a file is a hook that never runs.

use std::borrow::Cow;

use jsonc_parser::cst::{CstNode, CstObject};
use serde_json::Value;

use super::{
    AgentSettings, MAX_SETTINGS_BYTES, SettingsError,
    edit::{HOOKS, split_mark},
    entry_layout::Shape,
    tree,
};
use crate::{
    Dialect,
    agent_hook_file::line::{Language, find_line},
    file_rules::{CheckedForm, FileFault},
    find_dialect, json_comments,
};

/// Returns why the agent loads no hook of a file with this text, or loads a part of it only because a name is there twice. `None` for a
/// text that meets the agent's known requirements, and for one that cannot be read at all.
pub fn explain_discard(text: &str, settings: &AgentSettings) -> Option<SettingsError> {
    if settings.is_file_of_its_own() || text.len() > MAX_SETTINGS_BYTES {
        return None;
    }
    let (mark, body) = split_mark(text).ok()?;
    // The mark is removed before the text is parsed, so it has to be checked here.
    if settings.rules.refuses_mark && !mark.is_empty() {
        return Some(make_error(settings, 0, &FileFault::byte_order_mark()));
    }
    let is_toml = matches!(settings.shape, Shape::Toml(_));
    let has_comments = settings.comments && !is_toml;
    let plain = if has_comments { json_comments::blank_comments(body) } else { Cow::Borrowed(body) };
    let (language, file) = if is_toml {
        (Language::Toml, toml::from_str::<Value>(body).ok()?)
    } else {
        // Parsers of JSON keep one of two equal names, mostly the last; an entry in the other one never runs.
        if let Some(twice) = find_repeated(body, settings) {
            return Some(SettingsError::Twice(twice));
        }
        (Language::Json, serde_json::from_str(&plain).ok()?)
    };
    let events = find_dialect(settings.agent).map(Dialect::events).unwrap_or_default();
    let knows_event = |name: &str| events.iter().any(|(event, _)| *event == name);
    let of = CheckedForm { shape: settings.shape, knows_event: &knows_event, skipped: &[] };
    let fault = settings.rules.find_fault(&file, of)?;
    let line = if fault.place.is_empty() { 0 } else { find_line(&plain, language, &fault.place) };
    Some(make_error(settings, line, &fault))
}

fn make_error(settings: &AgentSettings, line: usize, fault: &FileFault) -> SettingsError {
    SettingsError::Discarded { agent: settings.agent, line, fault: fault.to_string() }
}

/// Returns the first name that an object around hookbox's entries has twice.
fn find_repeated(body: &str, settings: &AgentSettings) -> Option<String> {
    let root = tree::parse(body, settings.comments).ok()?.object_value()?;
    if let Shape::TopLevel(_) = settings.shape {
        return find_repeated_within(&root.into(), "");
    }
    let hooks =
        root.properties().into_iter().filter(|member| member.decoded_name().as_deref() == Some(HOOKS));
    let mut hooks = hooks.filter_map(|member| member.value());
    match (hooks.next(), hooks.next()) {
        (Some(_), Some(_)) => Some(HOOKS.to_owned()),
        (Some(hooks), None) => find_repeated_within(&hooks, HOOKS),
        _ => None,
    }
}

fn find_repeated_within(value: &CstNode, place: &str) -> Option<String> {
    if let Some(list) = value.as_array() {
        let items = list.elements().into_iter().enumerate();
        return items
            .into_iter()
            .find_map(|(at, item)| find_repeated_within(&item, &format!("{place}[{at}]")));
    }
    within_object(&value.as_object()?, place)
}

fn within_object(object: &CstObject, place: &str) -> Option<String> {
    let mut seen = std::collections::HashSet::new();
    object.properties().into_iter().find_map(|member| {
        let name = member.decoded_name()?;
        let place = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
        if seen.insert(name) { find_repeated_within(&member.value()?, &place) } else { Some(place) }
    })
}
