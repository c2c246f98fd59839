//! Confinement of shell commands by the embedding program, since the library knows no program and no user's profiles.

use std::fmt::Debug;

use hookbox_model::{Event, ProfileName};

/// Starts commands confined.
pub trait Confiner: Debug + Send + Sync {
    /// Returns the words that start the command after them confined by `profile`, in the event's project: `hookbox confine --profile …
    /// --`.
    ///
    /// # Errors
    ///
    /// There is no such profile, or the machine cannot enforce it. No part of a profile may be left out.
    fn words(&self, profile: &ProfileName, event: &Event) -> Result<Vec<String>, ConfineError>;
}

/// Why a command cannot be confined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfineError {
    /// The reason, as a part of a sentence.
    pub why: String,
    /// True if the user can fix it, in the configuration or by moving the program. Then the user is notified.
    pub is_repairable: bool,
}

impl ConfineError {
    /// Creates a reason that cannot be fixed here.
    pub fn from_reason(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_repairable: false }
    }

    /// Creates a reason that the user can fix.
    pub fn new_repairable(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_repairable: true }
    }
}
