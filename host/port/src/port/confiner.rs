//! Who has a shell command run confined: the embedding program, since the library knows no program and no user's profiles.

use std::fmt::Debug;

use hookbox_model::{Event, ProfileName};

/// Starts commands confined.
pub trait Confiner: Debug + Send + Sync {
    /// The words that start what follows them confined by `profile`, in the event's project: `hookbox confine --profile … --`.
    ///
    /// # Errors
    ///
    /// It cannot be done here: there is no such profile, or the machine cannot hold what it says. Nothing may be left out of a
    /// profile.
    fn words(&self, profile: &ProfileName, event: &Event) -> Result<Vec<String>, Unconfined>;
}

/// Why a command cannot be confined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfined {
    /// Why, as a part of a sentence.
    pub why: String,
    /// Can a person mend it, by the configuration or by another place for the program? Then the person is told.
    pub is_mendable: bool,
}

impl Unconfined {
    /// It is so, and nobody can do anything about it here.
    pub fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_mendable: false }
    }

    /// A person can mend it.
    pub fn until_mended(why: impl Into<String>) -> Self {
        Self { why: why.into(), is_mendable: true }
    }
}
