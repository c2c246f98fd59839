//! Switches of the agents' own by which none of their hooks runs, hookbox's entries neither.

use serde_json::Value;

use crate::{facts, json_comments::blanked};

/// One switch.
#[derive(Debug)]
pub struct OffSwitch {
    /// Where it stands in a file (`table.key`); of several spellings the first that a file has counts.
    keys: &'static [&'static str],
    /// What it says where no hook runs.
    off: bool,
    /// Does no hook run until it is said otherwise?
    usual: bool,
    /// The files that may have it, from the folder of the settings, of the user and of a project; of those that do the last counts.
    pub files: &'static [&'static str],
    /// Files of an administrator, which count more than all others.
    pub managed: &'static [&'static str],
}

/// What a file says of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switched {
    /// Where it stands in the file.
    pub key: &'static str,
    /// Does no hook run by it?
    pub is_off: bool,
}

/// The switches of this agent.
pub fn off_switches(agent: &str) -> &'static [OffSwitch] {
    facts::named(agent).map_or(&[], |facts| facts.off)
}

impl OffSwitch {
    /// One that says this where no hook runs.
    pub(crate) const fn new(
        (keys, off): (&'static [&'static str], bool),
        files: &'static [&'static str],
        managed: &'static [&'static str],
    ) -> Self {
        Self { keys, off, usual: false, files, managed }
    }

    /// The same, and no hook runs either while nobody says anything.
    pub(crate) const fn off_if_unsaid(mut self) -> Self {
        self.usual = true;
        self
    }

    /// What the file of this name says; `None` if it says nothing, or cannot be read.
    pub fn said(&self, file: &str, text: &str) -> Option<Switched> {
        let file: Value = if is_toml(file) {
            toml::from_str(text).ok()?
        } else {
            serde_json::from_str(&blanked(text)).ok()?
        };
        self.keys.iter().find_map(|key| {
            let said = key.split('.').try_fold(&file, |table, name| table.get(name))?.as_bool()?;
            Some(Switched { key, is_off: said == self.off })
        })
    }

    /// Does no hook run while nobody says anything?
    pub fn is_off_unsaid(&self) -> bool {
        self.usual
    }

    /// What is to be written so that hooks run, as a member of an object in JSON.
    pub fn remedy(&self) -> String {
        let key = self.keys.first().copied().unwrap_or_default();
        match key.split_once('.') {
            Some((table, key)) => format!("\"{table}\": {{\"{key}\": {}}}", !self.off),
            None => format!("\"{key}\": {}", !self.off),
        }
    }

    /// What it says where no hook runs.
    pub fn value(&self) -> bool {
        self.off
    }
}

fn is_toml(file: &str) -> bool {
    file.rsplit('.').next() == Some("toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the first file of the switch says, by each switch of the agent.
    fn said(agent: &str, text: &str) -> Vec<Option<(&'static str, bool)>> {
        let said = |switch: &OffSwitch| {
            let file = switch.files.first().or(switch.managed.first()).unwrap();
            switch.said(file, text).map(|said| (said.key, said.is_off))
        };
        off_switches(agent).iter().map(said).collect()
    }

    #[test]
    fn a_switch_is_read_where_and_as_the_agent_writes_it() {
        let all_hooks = Some(("disableAllHooks", true));
        assert_eq!(said("claude-code", r#"{"disableAllHooks":true}"#), [all_hooks, None]);
        assert_eq!(
            said("claude-code", r#"{"disableAllHooks":false}"#),
            [Some(("disableAllHooks", false)), None]
        );
        assert_eq!(said("claude-code", r#"{"disableAllHooks":"yes"}"#), [None, None]);
        assert_eq!(said("claude-code", "{"), [None, None]);
        assert_eq!(said("qwen-code", "// off\n{\"disableAllHooks\":true}"), [all_hooks]);
        assert_eq!(said("droid", r#"{"hooksDisabled":true}"#), [Some(("hooksDisabled", true))]);
        assert_eq!(said("codex", "[features]\nhooks = false"), [Some(("features.hooks", true))]);
        assert_eq!(said("codex", "features.codex_hooks = true"), [Some(("features.codex_hooks", false))]);
        assert_eq!(
            said("gemini-cli", r#"{"hooksConfig":{"enabled":false}}"#),
            [Some(("hooksConfig.enabled", true))]
        );
        assert_eq!(said("gemini-cli", r#"{"hooks":{"enabled":false}}"#), [Some(("hooks.enabled", true))]);
        assert_eq!(
            said("llxprt", r#"{"tools":{"enableHooks":false}}"#),
            [None, Some(("tools.enableHooks", true))]
        );
        assert_eq!(said("cursor", "{}"), []);
    }

    #[test]
    fn only_llxprt_wants_to_be_told_that_hooks_run() {
        for facts in facts::AGENTS {
            let wanted: Vec<_> =
                facts.off.iter().filter(|switch| switch.is_off_unsaid()).map(OffSwitch::remedy).collect();
            let expected: &[_] =
                if facts.name() == "llxprt" { &[r#""hooksConfig": {"enabled": true}"#] } else { &[] };
            assert_eq!(wanted, expected, "{}", facts.name());
        }
    }
}
