//! Regular expressions in JavaScript's syntax, without flags: the matchers of agents that run on JavaScript.
//!
//! An expression is compiled to a list of steps, and a search visits each step at each position of the subject at most once. So a search
//! costs at most steps × positions for any expression: nested quantifiers do not make it longer. Back references, which depend on the path
//! to a position, are not supported; they are refused. Other engines of this syntax backtrack without a bound, and those with a bound have
//! another syntax.

mod compile;
mod escape;
mod parse;
mod search;
mod units;

use std::fmt;

use self::compile::Step;

/// Longest expression, UTF-16 units.
const MAX_UNITS: usize = 1024;
/// Deepest nesting of groups.
const MAX_DEPTH: usize = 50;
/// Maximum number of steps of an expression, after its counted repetitions are written out.
const MAX_STEPS: usize = 4096;
/// Maximum number of steps of one search, over all positions. A search that exceeds it counts as a match.
// A matcher may be a project's and the subject an agent's text, so neither may decide how long an event
// waits.
const MAX_WORK: usize = 500_000;

/// A regular expression that can be searched for.
#[derive(Clone, Debug)]
pub(crate) struct JavaScriptRegex {
    written: String,
    steps: Vec<Step>,
    /// True if the pattern has the same meaning in hookbox's own configuration.
    portable: bool,
}

/// Reason why a text is not run as an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RegexError {
    /// JavaScript does not take it either.
    Invalid(&'static str),
    /// Valid in JavaScript, or possibly valid, but not supported by this engine.
    Unsupported(&'static str),
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) | Self::Unsupported(why) => f.write_str(why),
        }
    }
}

impl JavaScriptRegex {
    pub(crate) fn new(written: &str) -> Result<Self, RegexError> {
        let parse::Parsed { node, portable } = parse::parse(written)?;
        let steps = compile::compile_steps(&node)?;
        Ok(Self { written: written.to_owned(), steps, portable })
    }

    /// Returns true if the pattern matches anywhere in `subject`. A search that would take too long counts as a match: the hook runs.
    pub(crate) fn is_match(&self, subject: &str) -> bool {
        // A guard must not be skipped because its search was expensive.
        search::find_match(&self.steps, subject).0
    }

    /// Returns the unanchored pattern in the syntax of hookbox's own configuration; `None` if it cannot be expressed.
    pub(crate) fn portable(&self) -> Option<&str> {
        self.portable.then_some(self.written.as_str())
    }
}

#[cfg(test)]
mod tests;
