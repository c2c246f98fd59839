//! Changes of a settings file that keep its agent from running hooks. Pure functions of text.

use serde_json::{Map, Value};

use super::{
    AgentSettings, OffSwitch, find_trust,
    off_switch::{find_place, off_switches, parse_file},
    runs_hookbox,
};
use crate::agent_list;

/// Name of the program, in the letters of a text.
const PROGRAM: &str = "hookbox";

/// A change of a settings file.
#[derive(Clone, Copy, Debug)]
pub struct SettingsChange<'a> {
    /// The text before, empty for a missing file; `None` if it is unknown.
    pub before: Option<&'a str>,
    /// The text after; `None` if it is unknown.
    pub after: Option<&'a str>,
    /// The arguments of the call that makes the change. If the text after is unknown or unreadable, the names in them count.
    pub arguments: &'a str,
}

impl SettingsChange<'_> {
    /// Returns true if the arguments have the letters and digits of this name, with any other characters between them: quotes within a name do
    /// not hide it.
    pub fn has_name(&self, name: &str) -> bool {
        keep_letters(self.arguments).contains(&keep_letters(name))
    }

    /// Returns true if the arguments name each part of a place that the file lacks. An unreadable file may have all of them but the last.
    fn may_set(&self, place: &str, before: Option<&Value>) -> bool {
        let mut table = before;
        let is_there = |name: &&str| {
            table = table.and_then(|table| table.get(*name));
            table.is_some()
        };
        let parts = place.split('.').skip_while(is_there);
        let parts: Vec<&str> =
            if before.is_some() { parts.collect() } else { place.rsplit('.').take(1).collect() };
        parts.into_iter().all(|part| self.has_name(part))
    }
}

/// Returns the files, in the settings folders of the user and of a project, that can keep the agent from running hooks by their content.
pub fn list_switch_files(settings: &AgentSettings) -> Vec<&'static str> {
    let switches = off_switches(settings.agent).iter().flat_map(|switch| switch.files).copied();
    let lists = disabled_lists(settings).first().map(|_| settings.file);
    let trust = find_trust(settings.agent).map(|trust| trust.file);
    let mut files: Vec<_> = switches.chain(lists).chain(trust).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Returns the place in this file that keeps the agent from running hookbox's entries after the change, or may do so, and did not before.
pub fn find_turned_off(
    settings: &AgentSettings,
    file: &str,
    change: &SettingsChange<'_>,
) -> Option<&'static str> {
    let [before, after] = [change.before, change.after].map(|text| parse_settings(file, text?));
    match &after {
        Some(after) => find_in_result((settings, file), before.as_ref(), after),
        None => find_in_names((settings, file), before.as_ref(), change),
    }
}

/// Compares the file before and after the change.
fn find_in_result(
    (settings, file): (&AgentSettings, &str),
    before: Option<&Value>,
    after: &Value,
) -> Option<&'static str> {
    let is_own_new = |place: &&str| {
        let known = before.map(|before| list_own(before, place, settings)).unwrap_or_default();
        list_own(after, place, settings).iter().any(|own| !known.contains(own))
    };
    let switched = switches_in(settings, file).find_map(|switch| find_off(switch, before, after));
    switched.or_else(|| lists_in(settings, file).find(is_own_new))
}

/// Compares the file before the change with the names in the call.
fn find_in_names(
    (settings, file): (&AgentSettings, &str),
    before: Option<&Value>,
    change: &SettingsChange<'_>,
) -> Option<&'static str> {
    let is_on = |switch: &&OffSwitch| !before.is_some_and(|before| is_off_in(switch, before));
    let mut keys = switches_in(settings, file).filter(is_on).flat_map(|switch| switch.keys).copied();
    let switched = keys.find(|key| change.may_set(key, before));
    let is_listed = |place: &&str| change.may_set(place, before) && change.has_name(PROGRAM);
    switched.or_else(|| lists_in(settings, file).find(is_listed))
}

/// Returns the switches that a file of this name may have.
fn switches_in(settings: &AgentSettings, file: &str) -> impl Iterator<Item = &'static OffSwitch> {
    off_switches(settings.agent).iter().filter(move |switch| switch.files.contains(&file))
}

/// Returns the places of lists of disabled hooks in a file of this name.
fn lists_in(settings: &AgentSettings, file: &str) -> impl Iterator<Item = &'static str> {
    let is_in = file == settings.file;
    disabled_lists(settings).iter().copied().filter(move |_| is_in)
}

fn disabled_lists(settings: &AgentSettings) -> &'static [&'static str] {
    agent_list::find_facts(settings.agent).map_or(&[], |facts| facts.disabled)
}

/// Parses the text; an empty one is a file without settings.
fn parse_settings(file: &str, text: &str) -> Option<Value> {
    if text.trim().is_empty() { Some(Value::Object(Map::new())) } else { parse_file(file, text) }
}

fn is_off_in(switch: &OffSwitch, file: &Value) -> bool {
    switch.find_value(file).map_or(switch.is_off_by_default(), |value| value.is_off)
}

/// Returns the switch's key if it is off after a change, and was not before.
fn find_off(switch: &OffSwitch, before: Option<&Value>, after: &Value) -> Option<&'static str> {
    let is_new = is_off_in(switch, after) && !before.is_some_and(|before| is_off_in(switch, before));
    let written = switch.find_value(after).map(|value| value.key);
    is_new.then(|| written.or(switch.keys.first().copied())).flatten()
}

/// Returns the commands in a list that run hookbox.
fn list_own<'v>(file: &'v Value, place: &str, settings: &AgentSettings) -> Vec<&'v str> {
    let listed = find_place(file, place).and_then(Value::as_array).into_iter().flatten();
    listed.filter_map(Value::as_str).filter(|command| runs_hookbox(command, settings.agent, None)).collect()
}

fn keep_letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::find_settings, *};

    /// Returns the place that turns hooks off, for a change with a known result.
    fn find_off_after(agent: &str, file: &str, texts: (&str, &str)) -> Option<&'static str> {
        let change = SettingsChange { before: Some(texts.0), after: Some(texts.1), arguments: "" };
        find_turned_off(find_settings(agent).unwrap(), file, &change)
    }

    /// Returns the place that may turn hooks off, for a change with an unknown result.
    fn find_off_by(
        agent: &str,
        file: &str,
        (before, arguments): (Option<&str>, &str),
    ) -> Option<&'static str> {
        let change = SettingsChange { before, after: None, arguments };
        find_turned_off(find_settings(agent).unwrap(), file, &change)
    }

    const OWN: &str = r#"{"hooksConfig":{"disabled":["/opt/hookbox run --agent gemini-cli"]}}"#;

    #[test]
    fn a_known_result_turns_hooks_off_if_the_switch_is_newly_off() {
        for (agent, file, before, after, found) in [
            ("claude-code", "settings.json", "", r#"{"disableAllHooks":true}"#, Some("disableAllHooks")),
            (
                "claude-code",
                "settings.json",
                "{}",
                "\u{feff}{\"disableAllHooks\":true}",
                Some("disableAllHooks"),
            ),
            ("claude-code", "settings.json", "{}", r#"{"disableAllHooks":false}"#, None),
            (
                "claude-code",
                "settings.json",
                r#"{"disableAllHooks":true}"#,
                r#"{"disableAllHooks":true,"a":1}"#,
                None,
            ),
            ("claude-code", "settings.json", r#"{"disableAllHooks":true}"#, "{}", None),
            ("claude-code", "other.json", "{}", r#"{"disableAllHooks":true}"#, None),
            (
                "codex",
                "config.toml",
                "model = 'a'",
                "[features]\ncodex_hooks = false",
                Some("features.codex_hooks"),
            ),
            ("codex", "config.toml", "", "[features]\nhooks = true", None),
            ("gemini-cli", "settings.json", "{}", r#"{"hooks":{"enabled":false}}"#, Some("hooks.enabled")),
            ("gemini-cli", "settings.json", "{}", OWN, Some("hooksConfig.disabled")),
            ("gemini-cli", "settings.json", OWN, OWN, None),
            ("gemini-cli", "settings.json", "", r#"{"hooksConfig":{"disabled":["mine"]}}"#, None),
            (
                "llxprt",
                "settings.json",
                r#"{"hooksConfig":{"enabled":true}}"#,
                "{}",
                Some("hooksConfig.enabled"),
            ),
            ("llxprt", "settings.json", "", "{}", None),
        ] {
            assert_eq!(find_off_after(agent, file, (before, after)), found, "{agent}: {before} -> {after}");
        }
    }

    #[test]
    fn an_unknown_result_may_turn_hooks_off_if_each_part_that_the_file_lacks_is_named() {
        let table = Some("[features]\nsearch = true");
        for (agent, file, before, arguments, found) in [
            ("claude-code", "settings.json", Some(""), "disable\"\"AllHooks", Some("disableAllHooks")),
            ("claude-code", "settings.json", Some(""), "model", None),
            (
                "claude-code",
                "settings.json",
                Some(r#"{"disableAllHooks":false}"#),
                "s/f/t/",
                Some("disableAllHooks"),
            ),
            ("claude-code", "settings.json", Some(r#"{"disableAllHooks":true}"#), "disableAllHooks", None),
            ("claude-code", "settings.json", None, "disableAllHooks", Some("disableAllHooks")),
            ("codex", "config.toml", Some(""), "+hooks = false", None),
            ("codex", "config.toml", table, "+hooks = false", Some("features.hooks")),
            ("codex", "config.toml", None, "+hooks = false", Some("features.hooks")),
            ("gemini-cli", "settings.json", Some("{}"), "telemetry.enabled", None),
            ("gemini-cli", "settings.json", Some("{}"), "hooksConfig.enabled", Some("hooksConfig.enabled")),
            ("gemini-cli", "settings.json", Some("{}"), "hooksConfig.disabled mine", None),
            (
                "gemini-cli",
                "settings.json",
                Some("{}"),
                "hooksConfig.disabled /hookbox",
                Some("hooksConfig.disabled"),
            ),
        ] {
            assert_eq!(find_off_by(agent, file, (before, arguments)), found, "{agent}: {arguments}");
        }
    }

    #[test]
    fn text_that_cannot_be_read_counts_by_its_names() {
        let change = |arguments| SettingsChange { before: Some("{}"), after: Some("{,}"), arguments };
        let settings = find_settings("claude-code").unwrap();
        assert_eq!(
            find_turned_off(settings, "settings.json", &change("disableAllHooks")),
            Some("disableAllHooks")
        );
        assert_eq!(find_turned_off(settings, "settings.json", &change("model")), None);
    }
}
