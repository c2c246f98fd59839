//! Origin of a hook.

use std::path::PathBuf;

use hookbox_model::{Layer, TrustLevel};

/// Place in which a hook was configured, and its trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// Its trust level.
    pub trust_level: TrustLevel,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// The line in the file, from 1; 0 without a file.
    pub line: usize,
    /// Number of the hook within its file, from 1; 0 without a file.
    pub number: usize,
    /// Place in another system's own file; `None` if the hook is in hookbox's configuration.
    pub written: Option<Box<WrittenAt>>,
}

impl Origin {
    /// Creates an origin without a file.
    pub fn new(layer: Layer, trust_level: TrustLevel) -> Self {
        Self { layer, trust_level, file: None, line: 0, number: 0, written: None }
    }
}

/// Place of a hook in another system's own file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrittenAt {
    /// The path within the file: `hooks.PreToolUse[0].hooks[1]`.
    pub place: String,
    /// That system's name for the event.
    pub event: &'static str,
    /// Key for removing duplicates: of the hooks with one key that match an event, in any file, only the first is called. `None` if each
    /// is called.
    pub key: Option<String>,
    /// Its description in the file, for people.
    pub description: Option<String>,
    /// Keys of its entry that hookbox ignores and its own system uses, for example a text to show while the hook runs.
    pub idle: Vec<String>,
    /// Why its entry cannot be read, so that every call of it fails.
    pub unreadable: Option<String>,
}
