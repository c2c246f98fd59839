//! What reading came to.

use std::collections::BTreeMap;

use super::{Problem, ProjectSwitches, Severity};
use crate::hook::{Confinement, HookSpec};

/// What one file, or all of them, came to.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The hooks without an error, in the order of the file. None if the text is no TOML: what follows the place where
    /// reading broke cannot be told.
    pub hooks: Vec<HookSpec>,
    /// Those that say `enabled = false`; checked like the others, and in no chain.
    pub disabled: Vec<HookSpec>,
    /// What it says about hooks that projects bring; nothing, if nobody has reviewed it.
    pub projects: ProjectSwitches,
    /// Does it say that nothing is kept of what hooks say and decide?
    pub log_off: bool,
    /// Hooks of a project that are left out until a person has trusted them, or that are heard as a stranger's since they are no
    /// more what was trusted.
    pub waiting: usize,
    /// Those of them that were trusted once.
    pub changed: Vec<ChangedHook>,
    /// What a command may be kept from, by the names of profiles.
    pub profiles: BTreeMap<String, Confinement>,
    /// Errors and warnings, in the order of the file.
    pub problems: Vec<Problem>,
}

/// A hook of a project that is no more what a person trusted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedHook {
    /// The hook's name.
    pub name: String,
    /// When it was trusted, milliseconds since the Unix epoch.
    pub trusted: u64,
}

impl Loaded {
    /// Is any of the problems an error?
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }
}
