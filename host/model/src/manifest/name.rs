//! A plugin's name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest name, bytes.
const MAX_BYTES: usize = 128;

/// `[a-z0-9-]+`, parts joined by `/`: no other character, so that no name looks like another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct PluginName(String);

impl PluginName {
    /// Parses a name; `None` if it is not valid.
    pub fn parse(text: &str) -> Option<Self> {
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        };
        (text.len() <= MAX_BYTES && text.split('/').all(is_part)).then(|| Self(text.to_owned()))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PluginName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("this is not a plugin name")
    }
}

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
