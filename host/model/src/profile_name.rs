//! Names of confinement profiles.

use std::fmt;

use serde::{Deserialize, Serialize, de};

/// The name of a profile: 1 to 64 letters, digits, `.`, `_` and `-`, none of which `-` is the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ProfileName(String);

/// Longest name, in bytes.
const MAX_BYTES: usize = 64;

impl ProfileName {
    /// Rule for names, for messages.
    pub const RULE: &str = "1 to 64 letters, digits, `.`, `_` and `-`, not beginning with `-`";

    /// Creates a name; `None` if it is not valid.
    pub fn new(name: impl Into<String>) -> Option<Self> {
        let name = name.into();
        let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        let is_name = (1..=MAX_BYTES).contains(&name.len()) && name.bytes().all(allowed);
        // On a command line it would be an option.
        (is_name && !name.starts_with('-')).then_some(Self(name))
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ProfileName {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::new(name).ok_or_else(|| de::Error::custom(format!("a profile's name is {}", Self::RULE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_name_is_not_an_option_and_needs_no_quotes() {
        for (name, is_one) in [
            ("project", true),
            ("No.2_tests-a", true),
            ("", false),
            ("-x", false),
            ("a b", false),
            ("a/b", false),
            ("ü", false),
            ("a\n", false),
        ] {
            assert_eq!(ProfileName::new(name).is_some(), is_one, "{name:?}");
        }
        assert!(ProfileName::new("x".repeat(64)).is_some() && ProfileName::new("x".repeat(65)).is_none());
    }
}
