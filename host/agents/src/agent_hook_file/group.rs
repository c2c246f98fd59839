//! Groups of hooks: a matcher and a list.

use serde_json::{Map, Value};

use super::reader::Reader;

/// A group of the shape that Claude Code gave to others: `hooks.<Event>[n]` with a matcher and a list of hooks.
pub(crate) struct Group<'v> {
    pub(crate) event: &'v str,
    pub(crate) place: String,
    pub(crate) members: &'v Map<String, Value>,
    pub(crate) matcher: Option<&'v str>,
    pub(crate) sequential: bool,
    pub(crate) hooks: Vec<(String, &'v Map<String, Value>)>,
}

/// Returns the groups of a file. Parts of another shape are reported and left out, each on its own.
pub(crate) fn read_groups<'v>(file: &'v Value, reader: &mut Reader<'_>, skipped: &[&str]) -> Vec<Group<'v>> {
    let Some(hooks) = file.get("hooks") else { return Vec::new() };
    let Some(events) = hooks.as_object() else {
        reader.report_error("`hooks` is not an object");
        return Vec::new();
    };
    let mut groups = Vec::new();
    for (event, list) in events.iter().filter(|(event, _)| !skipped.contains(&event.as_str())) {
        let Some(list) = list.as_array() else {
            reader.report_warning(&format!("`hooks.{event}` is not an array; it is left out"));
            continue;
        };
        for (at, group) in list.iter().enumerate() {
            groups.extend(self::read_group(event, &format!("hooks.{event}[{at}]"), group, reader));
        }
    }
    groups
}

fn read_group<'v>(
    event: &'v str,
    place: &str,
    group: &'v Value,
    reader: &mut Reader<'_>,
) -> Option<Group<'v>> {
    let members = group.as_object();
    let list = members.and_then(|members| members.get("hooks")).and_then(Value::as_array);
    let (Some(members), Some(list)) = (members, list) else {
        reader.report_warning(&format!("`{place}` has no array `hooks`; it is left out"));
        return None;
    };
    let mut hooks = Vec::new();
    for (at, hook) in list.iter().enumerate() {
        let place = format!("{place}.hooks[{at}]");
        match hook.as_object() {
            Some(hook) => hooks.push((place, hook)),
            None => reader.report_warning(&format!("`{place}` is not an object; it is left out")),
        }
    }
    let matcher = group.get("matcher").and_then(Value::as_str);
    // Its hooks run: a guard that runs too often is safe.
    if group.get("matcher").is_some_and(|matcher| !matcher.is_string() && !matcher.is_null()) {
        reader.report_warning(&format!(
            "`{place}.matcher` is not a text; its hooks are called for every event"
        ));
    }
    let sequential = group.get("sequential") == Some(&Value::Bool(true));
    Some(Group { event, place: place.to_owned(), members, matcher, sequential, hooks })
}
