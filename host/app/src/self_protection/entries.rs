//! Agents' settings files that hold hookbox's entries: an edit that leaves the hooks as they are is the agent's own business, and any other
//! could switch hookbox off, by a matcher, a timeout or a second key as well as by removing an entry.

use std::{
    fs::File,
    io::{self, ErrorKind, Read as _},
    path::Path,
};

use hookbox::{
    agents::settings::{self, AgentSettings, MAX_SETTINGS_BYTES, cline},
    model::{Json, ToolCall, ToolClass},
};
use serde_json::{Map, Value};

/// Arguments of file tools that name the file or explain the call.
const IDLE: [&str; 7] =
    ["file_path", "path", "filePath", "absolute_path", "description", "instruction", "explanation"];
/// Arguments that hold the whole new text.
const WHOLE: [&str; 4] = ["content", "contents", "file_text", "fileContent"];
/// Arguments that hold a text to look for, and the text that takes its place.
const REPLACED: [(&str, &str); 4] =
    [("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString"), ("old", "new")];
/// Arguments that make a tool replace every place.
const EVERYWHERE: [&str; 2] = ["replace_all", "replaceAll"];
/// An argument that holds several replacements.
const EDITS: &str = "edits";
/// The member of a settings file that holds the hooks. A file without this member holds only hooks.
const HOOKS: &str = "hooks";

/// Returns true if the call leaves the hooks of a file with hookbox's entries as they are, and the settings that stop the agent
/// from running hooks. A call whose arguments do not determine the new text, or whose new text cannot be read for certain,
/// returns false. A file without entries has none to lose.
pub(super) fn are_kept_by(tool: &ToolCall, file: &Path) -> bool {
    let before = match read_settings(file) {
        Ok(before) => before,
        Err(error) => return error.kind() == ErrorKind::NotFound,
    };
    if !has_entries(&before) {
        return true;
    }
    let after = (tool.class == ToolClass::FileWrite).then(|| apply_edits(tool, &before)).flatten();
    let Some(after) = after else { return false };
    let (hooks, kept) = (parse_hooks(&before), parse_hooks(&after));
    hooks.is_some()
        && hooks == kept
        && read_switches(&before) == read_switches(&after)
        && settings::all_settings().all(|settings| is_loaded_as_before(settings, &before, &after))
}

/// Returns false if the agent loads the text before and would discard the text after, for a member next to the hooks or a byte order mark.
fn is_loaded_as_before(settings: &AgentSettings, before: &str, after: &str) -> bool {
    let has_entries = settings::find_installed(before, settings).is_ok_and(|entries| !entries.is_empty());
    !has_entries || settings::explain_discard(after, settings).is_none()
}

/// Reads the file; an error for one that is longer than any settings file.
pub(super) fn read_settings(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    let most = MAX_SETTINGS_BYTES as u64;
    // One byte more than the maximum reveals a file that is too long.
    File::open(file)?.take(most + 1).read_to_string(&mut text)?;
    if text.len() as u64 > most { Err(ErrorKind::FileTooLarge.into()) } else { Ok(text) }
}

/// Returns true if any agent would run hookbox by this text. The file's name does not identify the agent: the file may be a
/// link's target.
fn has_entries(text: &str) -> bool {
    let of_agent = |settings| settings::find_entries(text, settings).is_ok_and(|entries| !entries.is_empty());
    settings::all_settings().any(of_agent) || cline::is_own(text)
}

/// Returns the hooks of a settings file; `None` for text that agents may read in different ways, as one with a key twice.
fn parse_hooks(text: &str) -> Option<Value> {
    let json = Json::parse_object(text).ok().map(|json| json.to_value());
    let mut file = json.or_else(|| toml::from_str(text).ok())?;
    Some(file.get_mut(HOOKS).map(Value::take).unwrap_or(file))
}

/// Returns the values of each agent's switches in this text.
fn read_switches(text: &str) -> Vec<Option<String>> {
    settings::all_settings().map(|settings| settings::switched_off(text, settings)).collect()
}

/// Returns the file's text after the call; `None` if the arguments do not determine it.
pub(super) fn apply_edits(tool: &ToolCall, before: &str) -> Option<String> {
    let Value::Object(mut arguments) = serde_json::from_str(tool.input.as_str()).ok()? else { return None };
    arguments.retain(|name, _| !IDLE.contains(&name.as_str()));
    if let Some(edits) = arguments.remove(EDITS).filter(|_| arguments.is_empty()) {
        let edits = edits.as_array()?.iter().map(Value::as_object);
        return edits.into_iter().try_fold(before.to_owned(), |text, edit| replace_text(&text, edit?));
    }
    let mut members = arguments.iter();
    match (members.next(), members.next()) {
        (Some((name, whole)), None) if WHOLE.contains(&name.as_str()) => whole.as_str().map(str::to_owned),
        _ => replace_text(before, &arguments),
    }
}

/// Returns the text after one replacement; `None` if the old text is missing or, where one place is meant, occurs several
/// times, since tools handle that differently.
fn replace_text(text: &str, edit: &Map<String, Value>) -> Option<String> {
    let (old_name, new_name) = REPLACED.iter().find(|(old, _)| edit.contains_key(*old))?;
    let (old, new) = (edit.get(*old_name)?.as_str()?, edit.get(*new_name)?.as_str()?);
    let mut others = edit.iter().filter(|(name, _)| name != old_name && name != new_name);
    let everywhere = others.next();
    // An argument that is not known here may change what the tool writes.
    if old.is_empty() || others.next().is_some() {
        return None;
    }
    let is_everywhere = match everywhere {
        None => false,
        Some((name, value)) if EVERYWHERE.contains(&name.as_str()) => value.as_bool()?,
        Some(_) => return None,
    };
    let is_clear = match text.matches(old).count() {
        0 => false,
        1 => true,
        _ => is_everywhere,
    };
    is_clear.then(|| text.replace(old, new))
}
