//! Errors of access to registries and layouts.

use std::fmt;

/// Reason why something was not pulled or not pushed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    text: String,
}

/// Kind of an error, for the caller's decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Malformed input.
    Usage,
    /// No such name, version or file.
    NotFound,
    /// Forbidden: the credentials lack permission.
    Unauthorized,
    /// Content that differs from its digest, its size or its format.
    Damaged,
    /// A target that hookbox does not contact.
    Refused,
    /// Content larger than its limit.
    TooLarge,
    /// No response in time.
    Late,
    /// The version exists with other content.
    Taken,
    /// No server answered, or the response is not a registry's.
    Unreachable,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    pub(crate) fn for_damage(text: impl Into<String>) -> Self {
        Self::new(ErrorKind::Damaged, text)
    }

    pub(crate) fn for_refusal(text: impl Into<String>) -> Self {
        Self::new(ErrorKind::Refused, text)
    }

    /// Returns the kind.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
