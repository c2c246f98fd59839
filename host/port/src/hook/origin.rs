//! Where a hook comes from.

use std::path::PathBuf;

use hookbox_model::{Layer, Tier};

/// Where a hook was configured, and how far that is trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// How far it is trusted.
    pub tier: Tier,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The line in the file, from 1; 0 without a file.
    pub line: usize,
    /// Which hook of the file it is, from 1; 0 without a file.
    pub number: usize,
    /// Where another system's own file has it; `None` if it is one of hookbox's configuration.
    pub written: Option<Box<WrittenAt>>,
}

impl Origin {
    /// Of no file.
    pub fn new(layer: Layer, tier: Tier) -> Self {
        Self { layer, tier, file: None, line: 0, number: 0, written: None }
    }
}

/// Where another system's own file has a hook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrittenAt {
    /// The place: `hooks.PreToolUse[0].hooks[1]`.
    pub place: String,
    /// That system's name for the event.
    pub event: &'static str,
    /// What tells it from others: of several with the same that an event matches, whatever file they are in, the first is
    /// called. `None` if each is.
    pub key: Option<String>,
    /// What its file says of it, for people.
    pub description: Option<String>,
    /// Keys of its entry that only its own system does something with: what it shows while the hook runs, and the like.
    pub idle: Vec<String>,
    /// Why its entry cannot be read, so that every call of it fails.
    pub unreadable: Option<String>,
}
