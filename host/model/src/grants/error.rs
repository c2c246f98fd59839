//! Errors of grants.

use std::{error::Error, fmt};

/// Reason why a text is not a rule for requests or not a range of addresses, and the text to write instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrantError(pub(super) &'static str);

impl GrantError {
    /// The reason, in words.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for GrantError {}
