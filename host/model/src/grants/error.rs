//! Why a text is no grant.

use std::{error::Error, fmt};

/// Why a text is no rule for requests or range of addresses: what is wrong with it and what to write.
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
