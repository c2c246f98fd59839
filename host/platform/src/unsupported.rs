//! Error of a missing platform feature.

use std::{error::Error, fmt, io};

/// A feature that this platform lacks, or that is not implemented for it yet. The caller must not continue as if it were there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The missing action, as "keep a process from the network".
    pub what: &'static str,
    /// The feature that the action would need.
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
