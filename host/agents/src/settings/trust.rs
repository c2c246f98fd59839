//! Agents that run an entry only once the user has trusted it.

use std::path::Path;

use crate::agent_list;

/// Storage of the user's trust in one agent.
#[derive(Debug)]
pub struct Trust {
    /// File in the settings folder that stores the trust, for the user's settings.
    pub file: &'static str,
    /// Action for the user.
    pub how: &'static str,
    pub(crate) untrusted: Untrusted,
}

/// The entries of the settings in the first text that the second one does not trust; the settings are the file at any of
/// these paths.
pub(crate) type Untrusted = fn(&str, &str, &[&Path]) -> Option<Vec<String>>;

/// Returns the trust that this agent requires; `None` if it runs its settings as they are.
pub fn find_trust(agent: &str) -> Option<&'static Trust> {
    agent_list::find_facts(agent)?.trust
}

impl Trust {
    /// Returns the events of hookbox's entries in `settings` that `list` does not trust; `paths` are different names of the settings'
    /// file. Returns `None` if the settings have no entry of hookbox's.
    pub fn find_untrusted(&self, settings: &str, list: &str, paths: &[&Path]) -> Option<Vec<String>> {
        (self.untrusted)(settings, list, paths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_entry_is_hookboxs_there_is_nothing_to_trust() {
        let codex = find_trust("codex").unwrap();
        let entry = |command: &str| {
            format!(
                r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]}}}}"#
            )
        };
        let own = entry("/opt/hookbox run --agent codex");
        for text in ["", "{}", r#"{"hooks": {}}"#, &entry("mine"), &format!("\u{feff}{own}")] {
            assert_eq!(codex.find_untrusted(text, "", &[]), None, "{text}");
        }
        assert_eq!(codex.find_untrusted(&own, "", &[]).unwrap(), ["Stop"]);
    }
}
