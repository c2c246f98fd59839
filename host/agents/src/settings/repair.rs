//! Repairs the commands of existing entries: those of an older hookbox name a bare word, which a variable redirects, and a program may have
//! moved.

use jsonc_parser::cst::{CstObject, CstObjectProp};
use serde_json::Value;

use super::{
    AgentSettings, OwnCommand, SettingsError,
    command::EntryCommand,
    edit::object_of,
    entry_layout::{ARGUMENTS, COMMAND, VARIABLES},
    own_entries,
    tree::{self, Container},
};

/// Returns the text with every entry repaired, and the events of the repaired entries.
pub(super) fn repair_entries(
    body: String,
    settings: &AgentSettings,
    command: &OwnCommand,
) -> Result<(String, Vec<String>), SettingsError> {
    let (mut body, mut repaired) = (body, Vec::new());
    // A change may put a new node in an entry's place, so each pass makes at most one in each entry.
    loop {
        let (next, changed) = repair_once(&body, settings, command)?;
        if changed.is_empty() {
            return Ok((body, repaired));
        }
        repaired.extend(changed.into_iter().filter(|event| !repaired.contains(event)).collect::<Vec<_>>());
        body = next;
    }
}

/// Returns the text with the first problem of each entry repaired.
fn repair_once(
    body: &str,
    settings: &AgentSettings,
    command: &OwnCommand,
) -> Result<(String, Vec<String>), SettingsError> {
    let tree = tree::parse(body, settings.comments)?;
    let mut changed: Vec<String> = Vec::new();
    for entry in own_entries::find_entries(&object_of(&tree)?, settings) {
        let Some(handler) = entry.handler.as_object() else { continue };
        let Some(found) = own_entries::find_command(&handler, settings) else { continue };
        let launch = (&settings.launch, settings.line_frame(&entry.event));
        let written = command.build_entry_command(settings.agent, launch, &found.kept)?;
        let there = own_entries::read_arguments(&handler, settings);
        let repaired = set_command(&handler, there.as_deref(), &written)
            || clear_variable(&handler, settings.launch.cleared())
            || set_failure_member(&handler, settings.failure_member(&entry.event));
        if repaired && changed.last() != Some(&entry.event) {
            changed.push(entry.event);
        }
    }
    Ok((tree.to_string(), changed))
}

/// Sets the command of the entry, which has these arguments; returns true if it was another one.
fn set_command(handler: &CstObject, arguments: Option<&[String]>, written: &EntryCommand) -> bool {
    let same = tree::read_text(handler, COMMAND).as_ref() == Some(&written.command);
    if same && arguments == written.arguments.as_deref() {
        return false;
    }
    set_member(handler, COMMAND, &Value::from(written.command.clone()));
    match &written.arguments {
        Some(arguments) => set_member(handler, ARGUMENTS, &Value::from(arguments.clone())),
        None if arguments.is_some() => handler.get(ARGUMENTS).into_iter().for_each(CstObjectProp::remove),
        None => {}
    }
    true
}

/// Sets the first variable that is not empty to the empty text. Returns true if there was one.
fn clear_variable(handler: &CstObject, names: &[&str]) -> bool {
    let Some(variables) = handler.object_value(VARIABLES) else {
        let all = names.iter().map(|name| ((*name).to_owned(), Value::from(""))).collect();
        if !names.is_empty() {
            set_member(handler, VARIABLES, &Value::Object(all));
        }
        return !names.is_empty();
    };
    let wrong = names.iter().find(|name| tree::read_text(&variables, name).as_deref() != Some(""));
    if let Some(name) = wrong {
        set_member(&variables, name, &Value::from(""));
    }
    wrong.is_some()
}

/// Sets the member that makes a failed hookbox a refusal. Returns true if the entry lacked it or had another value.
fn set_failure_member(handler: &CstObject, member: Option<(&str, Value)>) -> bool {
    let Some((name, value)) = member else { return false };
    let is_open = !tree::has_member(handler, name, &value);
    if is_open {
        set_member(handler, name, &value);
    }
    is_open
}

fn set_member(object: &CstObject, key: &str, value: &Value) {
    match object.get(key) {
        Some(member) => member.set_value(tree::convert_value(value)),
        None => Container::Object(object.clone()).append_member(key, value),
    }
}
