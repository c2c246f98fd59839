//! What names a file's content, or several things together.

use std::fmt::Write;

use sha2::{Digest, Sha256};

/// SHA-256 over the parts, each with its length, in hexadecimal.
pub(crate) fn hex(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    if let [one] = parts {
        hash.update(one);
    } else {
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
