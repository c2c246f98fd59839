//! Agents' settings files that hold hookbox's entries: an edit that keeps every entry is the agent's own business, and one that loses an
//! entry would switch hookbox off.

use std::{fs::File, io::Read as _, path::Path};

use hookbox::{
    dialect::settings::{self, AgentSettings, Installed, MAX_SETTINGS_BYTES, cline},
    model::{ToolCall, ToolClass},
};
use serde_json::{Map, Value};

/// Arguments of file tools that hold the whole new text.
const WHOLE: [&str; 4] = ["content", "contents", "file_text", "fileContent"];
/// Arguments that hold a text to look for, and the text that takes its place.
const REPLACED: [(&str, &str); 4] =
    [("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString"), ("old", "new")];
/// Arguments by which a tool replaces every place.
const EVERYWHERE: [&str; 2] = ["replace_all", "replaceAll"];
/// An argument that holds several replacements.
const EDITS: &str = "edits";

/// Returns true if the call leaves every entry of hookbox's in the file, as far as the call's arguments tell. A call whose arguments do not
/// tell the new text leaves none.
pub(super) fn are_kept_by(tool: &ToolCall, file: &Path) -> bool {
    let Some(before) = read(file) else { return false };
    let all = entries(&before, file);
    if all.is_empty() && !before.is_empty() {
        return true;
    }
    let Some(after) = (tool.class == ToolClass::FileWrite).then(|| edited(tool, &before)).flatten() else {
        return false;
    };
    let kept = entries(&after, file);
    !all.is_empty()
        && all.iter().all(|entry| kept.contains(entry))
        && switches(&after, file) == switches(&before, file)
}

/// Reads the file; `None` if that fails, or if the file is longer than any settings file.
fn read(file: &Path) -> Option<String> {
    let mut text = String::new();
    let most = MAX_SETTINGS_BYTES as u64;
    File::open(file).ok()?.take(most + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= most).then_some(text)
}

/// The settings of the agents that have a file of this name.
fn named(file: &Path) -> impl Iterator<Item = &'static AgentSettings> {
    settings::all().filter(move |settings| file.ends_with(settings.file))
}

/// Returns hookbox's entries in a file of this name.
fn entries(text: &str, file: &Path) -> Vec<Installed> {
    let event = file.file_name().unwrap_or_default().to_string_lossy();
    let of_agents = named(file).filter_map(|settings| settings::installed(text, settings).ok()).flatten();
    of_agents.chain(cline::installed(&event, text)).collect()
}

/// Returns the switches by which agents run no hook, where the file has them in that position.
fn switches(text: &str, file: &Path) -> Vec<Option<String>> {
    named(file).map(|settings| settings::switched_off(text, settings)).collect()
}

/// Returns the file's text after the call.
fn edited(tool: &ToolCall, before: &str) -> Option<String> {
    let Value::Object(arguments) = serde_json::from_str(tool.input.as_str()).ok()? else { return None };
    if let Some(whole) = WHOLE.iter().find_map(|name| arguments.get(*name)) {
        return whole.as_str().map(str::to_owned);
    }
    let Some(edits) = arguments.get(EDITS) else { return replaced(before, &arguments) };
    let edits = edits.as_array()?.iter();
    edits.map(Value::as_object).try_fold(before.to_owned(), |text, edit| replaced(&text, edit?))
}

fn replaced(text: &str, edit: &Map<String, Value>) -> Option<String> {
    let (old, new) = REPLACED.iter().find_map(|(old, new)| Some((edit.get(*old)?, edit.get(*new)?)))?;
    let (old, new) = (old.as_str()?, new.as_str()?);
    if old.is_empty() {
        return None;
    }
    let everywhere = EVERYWHERE.iter().any(|name| edit.get(*name).and_then(Value::as_bool) == Some(true));
    // A tool that finds the text more than once may replace the first, or refuse. Neither may lose an entry.
    Some(if everywhere { text.replace(old, new) } else { text.replacen(old, new, 1) })
}
