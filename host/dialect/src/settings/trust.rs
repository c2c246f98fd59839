//! Agents that run an entry only once a person has trusted it.

use std::path::Path;

use crate::facts;

/// How an agent keeps what a person has trusted.
#[derive(Debug)]
pub struct Trust {
    /// The file beside the settings that says it, for the user's settings.
    pub file: &'static str,
    /// What a person does.
    pub how: &'static str,
    pub(crate) untrusted: Untrusted,
}

/// The entries of the settings in the first text that the second one does not trust; the settings are the file at any of
/// these paths.
pub(crate) type Untrusted = fn(&str, &str, &[&Path]) -> Vec<String>;

/// What this agent wants; `None` if it runs what its settings say.
pub fn trust(agent: &str) -> Option<&'static Trust> {
    facts::named(agent)?.trust
}

impl Trust {
    /// The events of hookbox's entries in `settings` that `list` does not trust; the settings are the file at `paths`, which
    /// are ways to name one file.
    pub fn untrusted(&self, settings: &str, list: &str, paths: &[&Path]) -> Vec<String> {
        (self.untrusted)(settings, list, paths)
    }
}
