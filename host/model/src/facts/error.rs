//! Errors of facts as JSON.

use std::fmt;

/// Error: JSON that is not facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactsError {
    /// The text does not have the form of facts.
    Json(String),
    /// A list is longer than it may be.
    TooMany {
        /// The list.
        list: &'static str,
        /// The number of its items.
        count: usize,
        /// The most items.
        most: usize,
    },
    /// All texts together are longer than they may be.
    TooLarge {
        /// Their size.
        bytes: usize,
    },
}

impl fmt::Display for FactsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => write!(f, "the text is not facts: {error}"),
            Self::TooMany { list, count, most } => {
                write!(f, "the facts have {count} `{list}`, the most is {most}")
            }
            Self::TooLarge { bytes } => {
                let most = super::MAX_FACTS_BYTES;
                write!(f, "the facts have {bytes} bytes of text, the most is {most}")
            }
        }
    }
}

impl std::error::Error for FactsError {}
