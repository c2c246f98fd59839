//! What can go wrong between here and a registry.

use std::fmt;

/// Why something was not had, or not brought there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    text: String,
}

/// What a caller can decide on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// It was written wrongly.
    Usage,
    /// There is no such name, version or file.
    NotFound,
    /// Who asked may not.
    Unauthorized,
    /// It is not what its digest, its size or its form says.
    Damaged,
    /// It leads where nothing of ours goes.
    Refused,
    /// It is more than is taken.
    TooLarge,
    /// It was not there in time.
    Late,
    /// The version is there with other content.
    Taken,
    /// Nobody answered, or not as a registry does.
    Unreachable,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    pub(crate) fn damaged(text: impl Into<String>) -> Self {
        Self::new(ErrorKind::Damaged, text)
    }

    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self::new(ErrorKind::Refused, text)
    }

    /// Which kind it is.
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
