//! Result of reading hook files.

use std::collections::BTreeMap;

use super::{Problem, ProjectSwitches, Severity};
use crate::hook::{Confinement, HookSpec};

/// Result of reading one file, or all of them.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The hooks without an error, in the order of the file. Empty if the text is not TOML: the content after the syntax error is
    /// unknown.
    pub hooks: Vec<HookSpec>,
    /// Hooks with `enabled = false`; checked like the others, and in no chain.
    pub disabled: Vec<HookSpec>,
    /// Its settings for hooks of projects; empty if the file is untrusted.
    pub projects: ProjectSwitches,
    /// True if it turns off the log of outputs and decisions of hooks.
    pub log_off: bool,
    /// Number of project hooks that are left out until the user trusts them, or that run as untrusted because they changed after they
    /// were trusted.
    pub waiting: usize,
    /// Waiting hooks that were trusted before and have changed.
    pub changed: Vec<ChangedHook>,
    /// Confinement profiles for commands, by name.
    pub profiles: BTreeMap<String, Confinement>,
    /// Errors and warnings, in the order of the file.
    pub problems: Vec<Problem>,
}

/// A project hook that changed after the user trusted it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedHook {
    /// The hook's name.
    pub name: String,
    /// Time at which it was trusted, milliseconds since the Unix epoch.
    pub trusted: u64,
}

impl Loaded {
    /// Returns true if any of the problems is an error.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}
