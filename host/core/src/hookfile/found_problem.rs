//! A problem before it has its line and column.

use std::ops::Range;

use super::{Lines, Problem, Severity, Source};

/// A problem with a byte range as its place.
#[derive(Debug)]
pub struct PlacedProblem {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Its severity.
    pub severity: Severity,
    message: String,
    help: Option<String>,
}

impl PlacedProblem {
    /// Creates an error, whose item is not used.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, severity: Severity::Error, message: message.into(), help: None }
    }

    /// Creates a warning, which has no effect.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, severity: Severity::Warning, message: message.into(), help: None }
    }

    /// Adds the next step.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Converts it to a problem with line and column. The ranges in `hidden` are not shown.
    pub fn into_problem(self, source: &Source, lines: &Lines<'_>, hidden: &[Range<usize>]) -> Problem {
        let place = lines.find_place(&self.span);
        Problem {
            line: place.line,
            column: place.column,
            length: place.length,
            excerpt: Some(lines.cut_excerpt(&place, hidden)),
            ..source.make_problem(self.severity, self.message, self.help)
        }
    }
}
