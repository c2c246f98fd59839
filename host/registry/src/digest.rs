//! Digests of content: `sha256:` and 64 digits in lower case.

use std::fmt;

use hookbox_core::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

const ALGORITHM: &str = "sha256:";

/// The SHA-256 of some content. It has one algorithm and one spelling: equal digests are equal texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(Sha256Digest);

impl Digest {
    /// Returns the digest of this content.
    pub fn of_content(content: &[u8]) -> Self {
        Self(Sha256Digest::of_content(content))
    }

    /// Parses a digest; `None` for any other spelling.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(ALGORITHM)?;
        let digest = Sha256Digest::parse(digits)?;
        // Two spellings of one digest would be two names of one file, and a comparison of texts would miss
        // one.
        (digest.as_str() == digits).then_some(Self(digest))
    }

    /// Returns the digits only.
    pub fn digits(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{ALGORITHM}{}", self.digits())
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a digest is `sha256:` and 64 digits in lower case")
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_one_algorithm_and_one_spelling() {
        let text = Digest::of_content(b"").to_string();
        assert_eq!(text, "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(Digest::parse(&text), Some(Digest::of_content(b"")));
        let digits = Digest::of_content(b"").digits().to_owned();
        for other in [
            digits.clone(),
            text.to_uppercase(),
            format!("sha256:{}", digits.to_uppercase()),
            format!("sha512:{digits}{digits}"),
            format!("sha256:sha256:{digits}"),
            format!("{text} "),
            text[..70].to_owned(),
        ] {
            assert_eq!(Digest::parse(&other), None, "{other}");
        }
    }
}
