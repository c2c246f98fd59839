//! Errors of reading records.

use std::fmt;

use super::{MAX_RECORD_BYTES, RECORD_VERSION};
use crate::{JsonError, text::short_text};

/// Reason and position of a rejected record (line and column count from 1; 0 if unknown).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordError {
    /// The kind of error.
    pub kind: RecordErrorKind,
    /// Line in the text.
    pub line: usize,
    /// Column in the line, in bytes.
    pub column: usize,
}

/// Kinds of errors in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordErrorKind {
    /// It is longer than [`MAX_RECORD_BYTES`]; it has this many bytes.
    TooLong(usize),
    /// The record is not a JSON object.
    Json(JsonError),
    /// The record has a version that this reader does not know; as written in it.
    UnknownVersion(String),
    /// The record holds a value of the first type instead of the requested second type.
    OtherValue(String, &'static str),
    /// An object has a member that this version does not have.
    UnknownMember(String),
    /// An object has this member twice.
    DuplicateMember(String),
    /// An object lacks this member.
    MissingMember(String),
    /// A value is not valid in its place; the reason, in words.
    Value(String),
}

impl RecordErrorKind {
    /// Parses the messages of serde, which has no structured errors.
    fn from_words(words: &str) -> Self {
        let member = |start| Some(short_text(words.strip_prefix(start)?.split_once('`')?.0));
        None.or_else(|| member("unknown field `").map(Self::UnknownMember))
            .or_else(|| member("duplicate field `").map(Self::DuplicateMember))
            .or_else(|| member("missing field `").map(Self::MissingMember))
            .unwrap_or_else(|| Self::Value(short_text(words)))
    }
}

/// An error of the record as a whole.
impl From<RecordErrorKind> for RecordError {
    fn from(kind: RecordErrorKind) -> Self {
        Self { kind, line: 0, column: 0 }
    }
}

impl From<serde_json::Error> for RecordError {
    fn from(error: serde_json::Error) -> Self {
        let words = error.to_string();
        let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
        Self { kind: RecordErrorKind::from_words(words), line: error.line(), column: error.column() }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use RecordErrorKind::{
            DuplicateMember, Json, MissingMember, OtherValue, TooLong, UnknownMember, UnknownVersion, Value,
        };
        match &self.kind {
            TooLong(bytes) => {
                write!(f, "the record is {bytes} bytes long, and the most is {MAX_RECORD_BYTES}")?;
            }
            Json(error) => write!(f, "the record is not a JSON object: {error}")?,
            UnknownVersion(version) => write!(
                f,
                "the record is of version {version}, and this hookbox reads version {RECORD_VERSION}; read it with the one that wrote it"
            )?,
            OtherValue(found, wanted) => {
                write!(f, "the record holds `{found}`, and `{wanted}` was asked for")?;
            }
            UnknownMember(member) => {
                write!(f, "the record has a member {member:?} that version {RECORD_VERSION} does not have")?;
            }
            DuplicateMember(member) => write!(f, "the record has the member {member:?} twice")?,
            MissingMember(member) => write!(f, "the record lacks the member {member:?}")?,
            Value(problem) => write!(f, "the record holds a value that it cannot hold: {problem}")?,
        }
        match self {
            Self { line: 0, .. } => Ok(()),
            Self { line, column, .. } => write!(f, ", at line {line} column {column}"),
        }
    }
}

impl std::error::Error for RecordError {}
