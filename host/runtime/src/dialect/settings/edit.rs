//! Puts the entry in and takes it out.

use jsonc_parser::cst::{CstObject, CstRootNode};
use serde_json::Value;

use super::{
    AgentSettings, Entry, MAX_SETTINGS_BYTES, SettingsError,
    own::{self, OwnEntry},
    shape::{Shape, VERSION},
    tree::{self, Container},
};

/// A file that has nothing yet.
const EMPTY: &str = "{}\n";
const HOOKS: &str = "hooks";

/// What a file becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The whole file; the same text if there is nothing to do.
    pub text: String,
    /// The events whose entries were added or taken out, in the order of the file or of the request.
    pub events: Vec<String>,
}

/// Adds hookbox's entry for each of these events that has none yet. An empty text is a file that is not there.
pub fn install(text: &str, settings: &AgentSettings, entries: &[Entry<'_>]) -> Result<Edit, SettingsError> {
    let (mark, body) = checked(text)?;
    let there = own::entries(&root(body, settings)?, settings);
    let (mut body, mut events) = (body.to_owned(), Vec::new());
    for entry in entries {
        if !there.iter().any(|own| own.event == entry.event) {
            body = add(&body, settings, entry)?;
            events.push(entry.event.to_owned());
        }
    }
    if events.is_empty() {
        return Ok(Edit { text: text.to_owned(), events });
    }
    Ok(Edit { text: format!("{mark}{body}"), events })
}

/// Takes all of hookbox's entries out, and the lists and objects that they alone had filled.
pub fn uninstall(text: &str, settings: &AgentSettings) -> Result<Edit, SettingsError> {
    let (mark, body) = checked(text)?;
    let tree = tree::parse(body, settings.comments)?;
    let own = match tree.object_value() {
        Some(root) => own::entries(&root, settings),
        None => Vec::new(),
    };
    if own.is_empty() {
        return Ok(Edit { text: text.to_owned(), events: Vec::new() });
    }
    let mut events: Vec<String> = own.iter().map(|own| own.event.clone()).collect();
    events.dedup();
    own.into_iter().for_each(OwnEntry::take_out);
    Ok(Edit { text: format!("{mark}{tree}"), events })
}

/// The byte order mark, and the rest.
fn checked(text: &str) -> Result<(&str, &str), SettingsError> {
    if text.len() > MAX_SETTINGS_BYTES {
        return Err(SettingsError::TooLong);
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = text.get(..text.len() - body.len()).unwrap_or_default();
    Ok((mark, if body.trim().is_empty() { EMPTY } else { body }))
}

fn root(body: &str, settings: &AgentSettings) -> Result<CstObject, SettingsError> {
    object_of(&tree::parse(body, settings.comments)?)
}

fn object_of(tree: &CstRootNode) -> Result<CstObject, SettingsError> {
    let wanted = SettingsError::Kind { place: "the file".to_owned(), wanted: "a JSON object" };
    tree.object_value_or_create().ok_or(wanted)
}

/// The text with one more entry.
fn add(body: &str, settings: &AgentSettings, entry: &Entry<'_>) -> Result<String, SettingsError> {
    let tree = tree::parse(body, settings.comments)?;
    let root = object_of(&tree)?;
    if let Shape::Flat(_) = settings.shape
        && !has_version(&root)?
    {
        Container::Object(root).append("version", &VERSION.into());
        return add(&tree.to_string(), settings, entry);
    }
    let new = settings.shape.entry(&settings.command(), entry);
    match settings.shape {
        Shape::List(_) => add_below(root, &[HOOKS], new)?,
        Shape::Groups(_) | Shape::Flat(_) | Shape::Bare => add_below(root, &[HOOKS, entry.event], new)?,
    }
    Ok(tree.to_string())
}

/// Is there a version? Only one is known.
fn has_version(root: &CstObject) -> Result<bool, SettingsError> {
    let Some(version) = tree::member(root, "version")? else { return Ok(false) };
    let version = version.to_string();
    if version == VERSION.to_string() { Ok(true) } else { Err(SettingsError::Version(version)) }
}

/// Adds `new` to the list at the end of `path`, and makes what is missing on the way.
fn add_below(root: CstObject, path: &[&str], new: Value) -> Result<(), SettingsError> {
    let mut object = root;
    for (at, key) in path.iter().enumerate() {
        let rest = path.get(at + 1..).unwrap_or_default();
        let Some(value) = tree::member(&object, key)? else {
            Container::Object(object).append(key, &wrapped(rest, new));
            return Ok(());
        };
        let wrong =
            |wanted| SettingsError::Kind { place: path.get(..=at).unwrap_or_default().join("."), wanted };
        if rest.is_empty() {
            let list = value.as_array().ok_or_else(|| wrong("a list"))?;
            Container::Array(list).append("", &new);
            return Ok(());
        }
        object = value.as_object().ok_or_else(|| wrong("an object"))?;
    }
    Ok(())
}

/// The objects along `path` around a list with the one entry.
fn wrapped(path: &[&str], new: Value) -> Value {
    let list = Value::Array(vec![new]);
    path.iter().rev().fold(list, |inner, key| serde_json::json!({ *key: inner }))
}
