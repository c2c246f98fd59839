//! Hooks that the user has switched off: `[hooks.state."<file>:<event>:<group>:<hook>"] enabled = false`.
//!
//! Codex reads this from config.toml alone, for hooks of every file, and so does hookbox: from the given files, and from the config.toml in
//! the folder of a hooks.json.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io::Read,
    path::Path,
};

use serde_json::Value;

use hookbox_core::hookfile::Source;

use super::{
    events::{EVENTS, to_snake_case},
    hook_file::is_toml,
};

/// Maximum size of config.toml, bytes. A larger file counts as one without switches.
const MAX_BYTES: u64 = 1 << 20;
/// Folder of the administrator's hooks, which only the administrator switches off.
const MANAGED: &str = "/etc/codex/";

/// State of each hook, by its key.
#[derive(Debug, Default)]
pub(super) struct CodexSwitches(HashMap<String, bool>);

impl CodexSwitches {
    /// Reads the states from these files; a later file overrides an earlier one.
    pub(super) fn from_sources(sources: &[Source]) -> Self {
        let mut switches = Self::default();
        for source in sources {
            let beside = source.file.as_deref().map(|file| file.with_file_name("config.toml"));
            let text = if is_toml(source) {
                Some(source.text.clone())
            } else {
                beside.and_then(|path| read_text(&path))
            };
            switches.record_states(&text.unwrap_or_default());
        }
        switches
    }

    /// Records the states of one file. Malformed entries are skipped individually, as in Codex.
    fn record_states(&mut self, config: &str) {
        let config: Value = toml::from_str(config).unwrap_or_default();
        let states = config.get("hooks").and_then(|hooks| hooks.get("state")).and_then(Value::as_object);
        for (key, state) in states.into_iter().flatten() {
            if let Some(enabled) = state.get("enabled").and_then(Value::as_bool) {
                self.0.insert(key.trim().to_owned(), enabled);
            }
        }
    }

    /// Returns the places in this file whose hooks are off: `hooks.PreToolUse[0].hooks[1]`.
    pub(super) fn find_disabled(&self, file: &str) -> HashSet<String> {
        // A user must not switch off the hooks of an administrator.
        let off = self.0.iter().filter(|(_, enabled)| !**enabled && !file.starts_with(MANAGED));
        off.filter_map(|(key, _)| convert_key(key.strip_prefix(file)?.strip_prefix(':')?)).collect()
    }
}

fn read_text(path: &Path) -> Option<String> {
    let mut text = String::new();
    // Opening something other than a file may block forever.
    let file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    // One byte more than the limit: otherwise a longer file would be cut, and read as a file of that size.
    let is_whole = file.take(MAX_BYTES + 1).read_to_string(&mut text).ok()? as u64 <= MAX_BYTES;
    is_whole.then_some(text)
}

/// Converts `pre_tool_use:0:1` to a place in the file.
fn convert_key(key: &str) -> Option<String> {
    let [event, group, hook] = key.split(':').collect::<Vec<_>>().try_into().ok()?;
    let row = EVENTS.iter().find(|row| to_snake_case(row.name) == event)?;
    let (group, hook): (usize, usize) = (group.parse().ok()?, hook.parse().ok()?);
    Some(format!("hooks.{}[{group}].hooks[{hook}]", row.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_the_place_of_its_hook() {
        let mut switches = CodexSwitches::default();
        switches.record_states(
            "[hooks.state.\"/h/hooks.json:pre_tool_use:0:1\"]\nenabled = false\n\
             [hooks.state.\"/h/hooks.json:stop:2:0\"]\nenabled = true\n\
             [hooks.state.\"/other.json:stop:0:0\"]\nenabled = false\n\
             [hooks.state.\"/h/hooks.json:stop:0\"]\nenabled = false\n\
             [hooks.state.\"/h/hooks.json:session_start:0:0\"]\nenabled = \"no\"\n",
        );
        assert_eq!(
            switches.find_disabled("/h/hooks.json"),
            ["hooks.PreToolUse[0].hooks[1]".to_owned()].into()
        );
    }

    #[test]
    fn the_later_value_counts() {
        let mut switches = CodexSwitches::default();
        let entry = |enabled| format!("[hooks.state.\"/f:stop:0:0\"]\nenabled = {enabled}");
        switches.record_states(&entry(false));
        switches.record_states(&entry(true));
        assert_eq!(switches.find_disabled("/f"), HashSet::new());
    }

    #[test]
    fn the_hooks_of_an_administrator_stay_on() {
        let mut switches = CodexSwitches::default();
        switches.record_states("[hooks.state.\"/etc/codex/hooks.json:stop:0:0\"]\nenabled = false");
        assert_eq!(switches.find_disabled("/etc/codex/hooks.json"), HashSet::new());
    }
}
