//! Puts the entry in and takes it out.

use jsonc_parser::cst::{CstObject, CstRootNode};
use serde_json::Value;

use super::{
    AgentSettings, Entry, MAX_SETTINGS_BYTES, OwnCommand, SettingsError,
    command::ForeignOptions,
    discarded_hooks::explain_discard,
    entry_layout::{Shape, VERSION},
    own_entries, plugin, repair, toml,
    tree::{self, Container},
};

/// Initial content of a new file.
const EMPTY: &str = "{}\n";
pub(super) const HOOKS: &str = "hooks";

/// Treatment of `hooks` once it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HooksMember {
    /// Removes the member.
    Removed,
    /// Keeps the empty member.
    Kept,
}

/// Returns true if the file has an empty `hooks`.
pub fn has_empty_hooks(text: &str, settings: &AgentSettings) -> bool {
    if settings.toml().is_some() {
        return toml::has_empty_list(text);
    }
    let member =
        split_mark(text).and_then(|(_, body)| tree::find_member(&parse_root(body, settings)?, HOOKS));
    let Ok(Some(member)) = member else { return false };
    let object = member.as_object().is_some_and(|object| object.properties().is_empty());
    object || member.as_array().is_some_and(|array| array.elements().is_empty())
}

/// Returns true if a file of [`AgentSettings::instead_of`] holds hooks, which the agent would no longer honour. An unreadable file counts
/// if it mentions `hooks`.
pub fn holds_hooks(text: &str) -> bool {
    let empty = |hooks: &serde_json::Value| hooks.as_object().is_some_and(serde_json::Map::is_empty);
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(settings) => settings.get(HOOKS).is_some_and(|hooks| !empty(hooks)),
        // In doubt the file counts: a new file would silently disable the hooks in this one.
        Err(_) => text.contains(HOOKS),
    }
}

/// New text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The whole file; the same text if there is nothing to change.
    pub text: String,
    /// The events whose entries were added, changed or taken out, in the order of the file or of the request.
    pub events: Vec<String>,
}

/// Adds hookbox's entry for each of these events that has none yet, and makes every existing entry run `command`. An empty text stands for
/// a missing file.
pub fn install_entries(
    text: &str,
    settings: &AgentSettings,
    command: &OwnCommand,
    entries: &[Entry<'_>],
) -> Result<Edit, SettingsError> {
    if settings.is_file_of_its_own() {
        return plugin::install_plugin(text, settings, command, entries);
    }
    check_length(text)?;
    // An entry in a discarded file never runs, and an installation would report success.
    if let Some(error) = explain_discard(text, settings) {
        return Err(error);
    }
    if let Some(hooks) = settings.toml() {
        return hooks.install_entries(text, command, entries);
    }
    let (mark, body) = split_mark(text)?;
    let root = parse_root(body, settings)?;
    let there = own_entries::find_entries(&root, settings);
    let (mut body, mut events) = repair::repair_entries(body.to_owned(), settings, command)?;
    for entry in entries {
        if !there.iter().any(|own| own.event == entry.event) {
            body = add_entry(&body, settings, command, entry)?;
            events.push(entry.event.to_owned());
        }
    }
    if events.is_empty() {
        return Ok(Edit { text: text.to_owned(), events });
    }
    Ok(Edit { text: format!("{mark}{body}"), events })
}

/// Takes all of hookbox's entries out, and the lists and objects that they alone had filled; `hooks` itself stays if it was
/// there before them.
pub fn uninstall_entries(
    text: &str,
    settings: &AgentSettings,
    hooks: HooksMember,
) -> Result<Edit, SettingsError> {
    if settings.is_file_of_its_own() {
        return Ok(plugin::uninstall_plugin(text));
    }
    if let Some(toml) = settings.toml() {
        return toml.uninstall_entries(text, hooks);
    }
    let (mark, body) = split_mark(text)?;
    let tree = tree::parse(body, settings.comments)?;
    let own = match tree.object_value() {
        Some(root) => own_entries::find_entries(&root, settings),
        None => Vec::new(),
    };
    if own.is_empty() {
        return Ok(Edit { text: text.to_owned(), events: Vec::new() });
    }
    let mut events: Vec<String> = own.iter().map(|own| own.event.clone()).collect();
    // The entries are in the order of the file, where those of one event are neighbours in most layouts.
    events.dedup();
    for entry in own {
        entry.take_out(hooks);
    }
    Ok(Edit { text: format!("{mark}{tree}"), events })
}

/// Returns an error for a text that is longer than any settings file.
pub(super) fn check_length(text: &str) -> Result<(), SettingsError> {
    if text.len() > MAX_SETTINGS_BYTES { Err(SettingsError::TooLong) } else { Ok(()) }
}

/// Splits off the byte order mark.
pub(super) fn split_mark(text: &str) -> Result<(&str, &str), SettingsError> {
    check_length(text)?;
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.get(..text.len() - body.len()).unwrap_or_default();
    Ok((mark, if body.trim().is_empty() { EMPTY } else { body }))
}

fn parse_root(body: &str, settings: &AgentSettings) -> Result<CstObject, SettingsError> {
    object_of(&tree::parse(body, settings.comments)?)
}

pub(super) fn object_of(tree: &CstRootNode) -> Result<CstObject, SettingsError> {
    let wanted = SettingsError::Kind { place: "the file".to_owned(), wanted: "a JSON object" };
    tree.object_value_or_create().ok_or(wanted)
}

/// Returns the text with one more entry.
fn add_entry(
    body: &str,
    settings: &AgentSettings,
    command: &OwnCommand,
    entry: &Entry<'_>,
) -> Result<String, SettingsError> {
    let tree = tree::parse(body, settings.comments)?;
    let root = object_of(&tree)?;
    if let Shape::Flat(_) = settings.shape
        && !has_version(&root)?
    {
        Container::Object(root).append_member("version", &VERSION.into());
        return add_entry(&tree.to_string(), settings, command, entry);
    }
    let launch = (&settings.launch, settings.line_frame(entry.event));
    let written = command.build_entry_command(settings.agent, launch, &ForeignOptions::default())?;
    let new = settings.build_entry(&written, entry);
    match settings.shape {
        Shape::List(_) => add_below(root, &[HOOKS], new)?,
        Shape::Groups(_) | Shape::Flat(_) | Shape::Bare => add_below(root, &[HOOKS, entry.event], new)?,
        Shape::TopLevel(_) => add_below(root, &[entry.event], new)?,
        Shape::Toml(_) | Shape::Plugin => {}
    }
    Ok(tree.to_string())
}

/// Returns true if the file has a version. Only one version is known.
fn has_version(root: &CstObject) -> Result<bool, SettingsError> {
    let Some(version) = tree::find_member(root, "version")? else { return Ok(false) };
    let version = version.to_string();
    if version == VERSION.to_string() { Ok(true) } else { Err(SettingsError::Version(version)) }
}

/// Adds `new` to the list at the end of `path`, and creates missing parts of the path.
fn add_below(root: CstObject, path: &[&str], new: Value) -> Result<(), SettingsError> {
    let mut object = root;
    for (at, key) in path.iter().enumerate() {
        let rest = path.get(at + 1..).unwrap_or_default();
        let Some(value) = tree::find_member(&object, key)? else {
            Container::Object(object).append_member(key, &wrap_entry(rest, new));
            return Ok(());
        };
        let wrong =
            |wanted| SettingsError::Kind { place: path.get(..=at).unwrap_or_default().join("."), wanted };
        if rest.is_empty() {
            let list = value.as_array().ok_or_else(|| wrong("a list"))?;
            Container::Array(list).append_member("", &new);
            return Ok(());
        }
        object = value.as_object().ok_or_else(|| wrong("an object"))?;
    }
    Ok(())
}

/// Returns the objects along `path` around a list with the one entry.
fn wrap_entry(path: &[&str], new: Value) -> Value {
    let list = Value::Array(vec![new]);
    path.iter().rev().fold(list, |inner, key| serde_json::json!({ *key: inner }))
}
