//! Digests of files, and of several values together.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// The SHA-256 of a file: 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sha256Digest(String);

impl Sha256Digest {
    /// Number of digits.
    pub const DIGITS: usize = 64;

    /// Returns the digest of a file with this content.
    pub fn of_content(content: &[u8]) -> Self {
        Self(hash_parts(&[content]))
    }

    /// Parses the digits, in either case; `None` unless the text is 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.len() == Self::DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        // Digests are compared as text, and tools print them in either case.
        digits.then(|| Self(text.to_ascii_lowercase()))
    }

    /// Returns the digits, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the SHA-256 over the parts, each with its length, in hexadecimal.
pub fn hash_parts(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    if let [one] = parts {
        // A single part has the digest that other programs compute for a file with this content.
        hash.update(one);
    } else {
        for part in parts {
            // Without the lengths, parts that are divided differently would have one digest.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_64_digits_in_either_case() {
        let empty = Sha256Digest::of_content(b"");
        assert_eq!(empty.as_str(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(Sha256Digest::parse(&empty.as_str().to_uppercase()), Some(empty.clone()));
        for other in ["", "e3b0", &format!("{}0", empty.as_str()), &"g".repeat(64), &"é".repeat(32)] {
            assert_eq!(Sha256Digest::parse(other), None, "{other}");
        }
    }
}
