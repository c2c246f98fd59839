//! Who signed a plugin, as a row of the lock file has it.

use std::fmt;

use serde::Deserialize;

use super::{is_plain, quoted};

/// Most keys beside the first.
const MAX_KEYS: usize = 16;

/// Who signed a plugin.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signer {
    /// The name that `allowed_signers` had for the key; none if nobody vouched for it.
    pub principal: Option<String>,
    /// The key's fingerprint, `SHA256:…`.
    pub key: String,
    /// Those of the keys that signed it, too.
    #[serde(default)]
    pub also: Vec<String>,
}

impl Signer {
    /// Every key.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.key).chain(&self.also).map(String::as_str)
    }
}

impl fmt::Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.principal {
            Some(principal) => write!(f, "{principal} ({})", self.key),
            None => write!(f, "{}, for which nobody vouches", self.key),
        }
    }
}

impl Signer {
    /// Is it what hookbox writes?
    pub(super) fn is_plain(&self) -> bool {
        self.also.len() <= MAX_KEYS
            && self.keys().all(|key| key.starts_with("SHA256:"))
            && self.keys().chain(self.principal.as_deref()).all(is_plain)
    }

    /// As a row has it.
    pub(super) fn line(&self) -> String {
        let Self { principal, key, also } = self;
        let principal = principal.as_deref().map(|principal| format!("principal = {}, ", quoted(principal)));
        let also: Vec<_> = also.iter().map(|key| quoted(key)).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also = [{}]", also.join(", ")) };
        format!("{{ {}key = {}{also} }}", principal.unwrap_or_default(), quoted(key))
    }
}
