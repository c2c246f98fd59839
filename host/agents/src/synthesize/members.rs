//! The members of a synthetic event, in the agent's form.

use hookbox_model::EventName;
use serde_json::{Map, Value};

use super::{BuildError, EventForm, EventRequest, MissingPart, tool};
use crate::{
    Dialect, native,
    schema::Kind,
    self_test::find_self_test,
    table::{Reading, Tool},
};

pub(super) fn build_event(
    dialect: &dyn Dialect,
    (name, canonical): (&str, &EventName),
    wanted: &EventRequest,
) -> Result<Map<String, Value>, BuildError> {
    let agent = dialect.name();
    let Some(form) = dialect.event_form(name, canonical) else {
        return build_from_self_test(agent, name, wanted).ok_or(BuildError::UnsupportedEvent);
    };
    let EventForm { words, reading, .. } = &form;
    let mut top = build_header(agent, name, &form, wanted);
    let (mut own, mut needs) = tool::build_members(agent, canonical, &form, wanted);
    if let Some(prompt) = &wanted.prompt {
        own.insert(find_agent_name(reading, "prompt").to_owned(), prompt.as_str().into());
    }
    for (member, value) in &wanted.members {
        let is_of_top = reading.within.is_some() && top.contains_key(member);
        put_value(if is_of_top { &mut top } else { &mut own }, member, value.clone());
    }
    for (member, kind) in reading.required {
        if own.contains_key(*member) {
            continue;
        }
        let ours =
            reading.renamed.iter().find(|(theirs, _)| theirs == member).map_or(*member, |(_, ours)| *ours);
        if native::requires_member(canonical, ours) {
            needs.push(if ours == "prompt" {
                MissingPart::Prompt
            } else {
                MissingPart::Member((*member).to_owned(), kind.expected())
            });
        } else {
            own.insert((*member).to_owned(), choose_value(member, *kind));
        }
    }
    if !needs.is_empty() {
        return Err(BuildError::MissingParts(needs));
    }
    match reading.within {
        Some(within) => drop(top.insert(within.to_owned(), own.into())),
        None => top.extend(own),
    }
    let infers = |top: &Map<String, Value>| {
        let text = Value::Object(top.clone()).to_string();
        hookbox_model::RawObject::parse(&text).ok().and_then(|members| (words.infer)(&members)) == Some(name)
    };
    // In camel case Copilot does not name the event, and a hook should receive what the agent sends.
    if form.is_first_of_two && infers(&top) {
        top.shift_remove(words.event);
    }
    Ok(top)
}

/// Builds an event from the agent's sample for a command that is about to run, whatever else that event contains.
fn build_from_self_test(agent: &str, name: &str, wanted: &EventRequest) -> Option<Map<String, Value>> {
    let self_test = find_self_test(agent).filter(|self_test| self_test.event == name)?;
    let input = self_test.build_event(agent, wanted.command.as_deref()?, &wanted.cwd).ok()?;
    serde_json::from_str(input.event().source.as_str()).ok()
}

/// Returns the members that every event of the agent has, as shown by a recorded event if there is one.
fn build_header(agent: &str, name: &str, form: &EventForm, wanted: &EventRequest) -> Map<String, Value> {
    let EventForm { words, reading, .. } = form;
    let recorded =
        find_self_test(agent).and_then(|self_test| self_test.read_sample(&wanted.cwd)).unwrap_or_default();
    let mut top: Map<String, Value> =
        recorded.into_iter().filter(|(key, value)| tool::is_sibling(key) && !value.is_object()).collect();
    for key in [words.session.0, words.session.1].iter().chain(words.outputs) {
        top.shift_remove(*key);
    }
    if let Tool::View(_, keys) = reading.tool {
        for key in keys {
            top.shift_remove(*key);
        }
    }
    top.insert(words.event.to_owned(), name.into());
    top.insert(form.choose_spelling(words.session).to_owned(), wanted.session.as_str().into());
    top.insert(words.folder.to_owned(), wanted.cwd.as_str().into());
    if let Some(time) = top.get_mut("timestamp") {
        *time = format_time(time, wanted.time);
    }
    top
}

/// Returns the time in the form of a recorded event.
fn format_time(recorded: &Value, time: u64) -> Value {
    match recorded {
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => time.to_string().into(),
        Value::String(_) => {
            let since = std::time::UNIX_EPOCH + std::time::Duration::from_millis(time);
            humantime::format_rfc3339_millis(since).to_string().into()
        }
        _ => time.into(),
    }
}

/// Returns the agent's name for a member of the payload.
fn find_agent_name(reading: &Reading, ours: &'static str) -> &'static str {
    reading.renamed.iter().find(|(_, renamed)| *renamed == ours).map_or(ours, |(theirs, _)| *theirs)
}

/// Puts a value where a path with dots leads.
pub(super) fn put_value(object: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        object.insert(path.to_owned(), value);
        return;
    };
    let inner = object.entry(first).or_insert_with(|| Map::new().into());
    if !inner.is_object() {
        *inner = Map::new().into();
    }
    if let Some(inner) = inner.as_object_mut() {
        put_value(inner, rest, value);
    }
}

/// Returns a usual value for a member that the agent's own form requires.
fn choose_value(member: &str, kind: Kind) -> Value {
    let word = match member {
        "source" => "startup",
        "reason" => "other",
        "trigger" => "manual",
        "agent_type" => "general-purpose",
        "notification_type" => "ToolPermission",
        "event" => "change",
        "action" => "accept",
        _ => "sample",
    };
    match kind {
        Kind::Text | Kind::Name | Kind::Any => word.into(),
        Kind::Object => Map::new().into(),
        Kind::List => Vec::<Value>::new().into(),
        Kind::Flag => false.into(),
        Kind::Number => 0.into(),
    }
}
