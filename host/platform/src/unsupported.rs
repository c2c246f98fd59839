//! The answer where something is missing.

use std::{error::Error, fmt, io};

/// Something that this platform does not have, or that nobody has written for it yet. Whoever asked for it must not go on as
/// if it were there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it cannot do, as "keep a process from the network".
    pub what: &'static str,
    /// What that would need.
    pub needs: &'static str,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this platform cannot {}: that needs {}", self.what, self.needs)
    }
}

impl Error for Unsupported {}

/// An error of the kind [`io::ErrorKind::Unsupported`].
impl From<Unsupported> for io::Error {
    fn from(unsupported: Unsupported) -> Self {
        Self::new(io::ErrorKind::Unsupported, unsupported)
    }
}
