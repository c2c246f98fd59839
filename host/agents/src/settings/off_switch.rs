//! Agents' switches that disable all their hooks, hookbox's entries included.

use serde_json::Value;

use crate::{agent_list, json_comments::blank_comments};

/// One switch.
#[derive(Debug)]
pub struct OffSwitch {
    /// Place in a file (`table.key`); of several spellings the first that a file has counts.
    pub(super) keys: &'static [&'static str],
    /// Value that disables all hooks.
    off: bool,
    /// True if the default disables all hooks.
    usual: bool,
    /// The files that may have the switch, in the settings folders of the user and of a project; the last that has it counts.
    pub files: &'static [&'static str],
    /// Files of an administrator, which count more than all others.
    pub managed: &'static [&'static str],
}

/// Value of a switch in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwitchValue {
    /// Place in the file.
    pub key: &'static str,
    /// True if the value disables all hooks.
    pub is_off: bool,
}

/// Returns the switches of this agent.
pub fn off_switches(agent: &str) -> &'static [OffSwitch] {
    agent_list::find_facts(agent).map_or(&[], |facts| facts.off)
}

impl OffSwitch {
    /// Creates a switch that disables all hooks with this value.
    pub(crate) const fn new(
        (keys, off): (&'static [&'static str], bool),
        files: &'static [&'static str],
        managed: &'static [&'static str],
    ) -> Self {
        Self { keys, off, usual: false, files, managed }
    }

    /// Declares that hooks are also disabled while the switch is absent.
    pub(crate) const fn off_by_default(mut self) -> Self {
        self.usual = true;
        self
    }

    /// Returns the value in the file of this name; `None` if the file is unreadable or lacks the switch.
    pub fn read_value(&self, file: &str, text: &str) -> Option<SwitchValue> {
        self.find_value(&parse_file(file, text)?)
    }

    /// Returns the value in this file; `None` if the file lacks the switch.
    pub(super) fn find_value(&self, file: &Value) -> Option<SwitchValue> {
        self.keys.iter().find_map(|key| {
            // A value of another type is not a switch for the agent.
            let value = find_place(file, key)?.as_bool()?;
            Some(SwitchValue { key, is_off: value == self.off })
        })
    }

    /// Returns true if hooks are disabled while the switch is absent.
    pub fn is_off_by_default(&self) -> bool {
        self.usual
    }

    /// Returns the setting that enables hooks, as a member of a JSON object.
    pub fn remedy(&self) -> String {
        let key = self.keys.first().copied().unwrap_or_default();
        match key.split_once('.') {
            Some((table, key)) => format!("\"{table}\": {{\"{key}\": {}}}", !self.off),
            None => format!("\"{key}\": {}", !self.off),
        }
    }

    /// Returns the value that disables all hooks.
    pub fn value(&self) -> bool {
        self.off
    }
}

/// Parses the file of this name; `None` if it is unreadable.
pub(super) fn parse_file(file: &str, text: &str) -> Option<Value> {
    // Agents skip a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    if is_toml(file) { toml::from_str(text).ok() } else { serde_json::from_str(&blank_comments(text)).ok() }
}

/// Returns the value at a place (`table.key`).
pub(super) fn find_place<'v>(file: &'v Value, place: &str) -> Option<&'v Value> {
    place.split('.').try_fold(file, |table, name| table.get(name))
}

fn is_toml(file: &str) -> bool {
    file.rsplit('.').next() == Some("toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value in the switch's first file, for each switch of the agent.
    fn read_values(agent: &str, text: &str) -> Vec<Option<(&'static str, bool)>> {
        let read_switch = |switch: &OffSwitch| {
            let file = switch.files.first().or(switch.managed.first()).unwrap();
            switch.read_value(file, text).map(|value| (value.key, value.is_off))
        };
        off_switches(agent).iter().map(read_switch).collect()
    }

    #[test]
    fn a_switch_is_read_where_and_as_the_agent_writes_it() {
        let all_hooks = Some(("disableAllHooks", true));
        assert_eq!(read_values("claude-code", r#"{"disableAllHooks":true}"#), [all_hooks, None]);
        assert_eq!(
            read_values("claude-code", r#"{"disableAllHooks":false}"#),
            [Some(("disableAllHooks", false)), None]
        );
        assert_eq!(read_values("claude-code", r#"{"disableAllHooks":"yes"}"#), [None, None]);
        assert_eq!(read_values("claude-code", "{"), [None, None]);
        assert_eq!(read_values("qwen-code", "// off\n{\"disableAllHooks\":true}"), [all_hooks]);
        assert_eq!(read_values("droid", r#"{"hooksDisabled":true}"#), [Some(("hooksDisabled", true))]);
        assert_eq!(read_values("codex", "[features]\nhooks = false"), [Some(("features.hooks", true))]);
        assert_eq!(
            read_values("codex", "features.codex_hooks = true"),
            [Some(("features.codex_hooks", false))]
        );
        assert_eq!(
            read_values("gemini-cli", r#"{"hooksConfig":{"enabled":false}}"#),
            [Some(("hooksConfig.enabled", true))]
        );
        assert_eq!(
            read_values("gemini-cli", r#"{"hooks":{"enabled":false}}"#),
            [Some(("hooks.enabled", true))]
        );
        assert_eq!(
            read_values("llxprt", r#"{"tools":{"enableHooks":false}}"#),
            [None, Some(("tools.enableHooks", true))]
        );
        assert_eq!(read_values("cursor", "{}"), []);
    }

    #[test]
    fn only_llxprt_needs_a_setting_that_enables_hooks() {
        for facts in agent_list::AGENTS {
            let wanted: Vec<_> =
                facts.off.iter().filter(|switch| switch.is_off_by_default()).map(OffSwitch::remedy).collect();
            let expected: &[_] =
                if facts.name() == "llxprt" { &[r#""hooksConfig": {"enabled": true}"#] } else { &[] };
            assert_eq!(wanted, expected, "{}", facts.name());
        }
    }
}
