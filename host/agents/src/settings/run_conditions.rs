//! Conditions that keep an agent from running any hook, or those of a project: switches in its settings, and folders that the user has not
//! trusted. Pure functions of text; an unreadable file counts as empty.

use std::path::Path;

use serde_json::{Map, Value};

use super::{AgentSettings, OffSwitch, off_switches};
use crate::json_comments;

/// Returns the text to write into the agent's settings file so that it runs hooks at all; `None` if nothing there prevents it.
pub fn switched_off(text: &str, settings: &AgentSettings) -> Option<String> {
    let is_off = |switch: &&OffSwitch| match switch.read_value(settings.file, text) {
        Some(value) => value.is_off,
        None => switch.is_off_by_default(),
    };
    let mut here = off_switches(settings.agent).iter().filter(|switch| switch.files.contains(&settings.file));
    here.find(is_off).map(OffSwitch::remedy)
}

/// File with the list of trusted folders, in the settings folder of agents that have such a list.
pub const TRUSTED_FOLDERS: &str = "trustedFolders.json";

/// Returns true if the agent ignores the hooks of a project in this folder, because the folder is not trusted. `list` is the content of the
/// agent's list of trusted folders. False if the agent does not require such trust, or if the requirement is not switched on.
pub fn is_untrusted(settings: &AgentSettings, (text, list): (&str, &str), folder: &Path) -> bool {
    let is_on = |file: Map<String, Value>| find_value(&file, "security.folderTrust.enabled")?.as_bool();
    // Without this setting the agent runs the hooks of every folder.
    if !settings.trusts_folders || parse_object(text).and_then(is_on) != Some(true) {
        return false;
    }
    let list = parse_object(list).unwrap_or_default();
    let trusts = |(path, word): (&String, &Value)| match word.as_str() {
        Some("TRUST_FOLDER") => folder.starts_with(path),
        // The word trusts the folder that contains the listed one.
        Some("TRUST_PARENT") => Path::new(path).parent().is_some_and(|parent| folder.starts_with(parent)),
        _ => false,
    };
    !list.iter().any(trusts)
}

fn parse_object(text: &str) -> Option<Map<String, Value>> {
    let text = json_comments::blank_comments(text.trim_start_matches('\u{feff}'));
    let text = text.trim();
    if text.is_empty() {
        return Some(Map::new());
    }
    serde_json::from_str(text).ok()
}

fn find_value<'v>(file: &'v Map<String, Value>, place: &str) -> Option<&'v Value> {
    let mut keys = place.split('.');
    let first = file.get(keys.next()?)?;
    keys.try_fold(first, |value, key| value.get(key))
}

#[cfg(test)]
mod tests {
    use super::{super::find_settings, *};

    #[test]
    fn hooks_disabled_in_the_settings_are_reported_with_the_line_to_write() {
        for (agent, text, wanted) in [
            ("claude-code", "{}", None),
            ("claude-code", r#"{"disableAllHooks": true}"#, Some(r#""disableAllHooks": false"#)),
            ("claude-code", r#"{"disableAllHooks": false}"#, None),
            ("qwen-code", r#"{"disableAllHooks": true}"#, Some(r#""disableAllHooks": false"#)),
            ("gemini-cli", "", None),
            ("gemini-cli", "{} // none", None),
            (
                "gemini-cli",
                r#"{"hooksConfig": {"enabled": false}}"#,
                Some(r#""hooksConfig": {"enabled": true}"#),
            ),
            ("llxprt", "{}", Some(r#""hooksConfig": {"enabled": true}"#)),
            ("llxprt", r#"{"hooksConfig": {"enabled": true}}"#, None),
            ("llxprt", r#"{"hooks": {"enabled": true}}"#, None),
            (
                "llxprt",
                r#"{"hooksConfig": {"enabled": true}, "tools": {"enableHooks": false}}"#,
                Some(r#""tools": {"enableHooks": true}"#),
            ),
            ("cursor", "{", None),
        ] {
            assert_eq!(
                switched_off(text, find_settings(agent).unwrap()).as_deref(),
                wanted,
                "{agent}: {text}"
            );
        }
    }

    #[test]
    fn a_folder_is_untrusted_if_trust_is_asked_for_and_not_given() {
        let on = r#"{"security": {"folderTrust": {"enabled": true}}}"#;
        let gemini = find_settings("gemini-cli").unwrap();
        let untrusted = |text, list| is_untrusted(gemini, (text, list), Path::new("/code/here"));
        assert!(untrusted(on, "") && untrusted(on, r#"{"/code/here": "DO_NOT_TRUST"}"#));
        assert!(!untrusted("{}", "") && !untrusted(on, r#"{"/code/here": "TRUST_FOLDER"}"#));
        assert!(!untrusted(on, r#"{"/code": "TRUST_FOLDER"}"#));
        assert!(!untrusted(on, r#"{"/code/there": "TRUST_PARENT"}"#));
        assert!(!is_untrusted(find_settings("cursor").unwrap(), (on, ""), Path::new("/")));
    }
}
