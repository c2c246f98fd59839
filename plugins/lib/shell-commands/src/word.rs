//! Bash's rules for reading one word: quotes, substitutions, expansions.
//!
//! The parser says where words begin and end; this module reads them again by the quoting rules of the
//! shell. Where the two readings differ, the word is refused: a difference is where commands hide.

mod ansi;
mod atom;
mod brace;
mod case;
mod cursor;
mod parameter;
mod scan;

pub(crate) use ansi::{decode, decode_all};
pub(crate) use atom::{Atom, Reading, documents, here_tag, join_lines, read};
pub(crate) use brace::expand_braces;
pub(crate) use case::close_patterns;
pub(crate) use parameter::{Anchor, Operator, Parameter, ParameterName};

/// Reason why a piece of shell text was not understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Doubt {
    /// The text can be read in more than one way, or in none.
    Unreadable(&'static str),
    /// The text is larger or deeper than the limits.
    TooComplex(&'static str),
}
