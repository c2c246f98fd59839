//! A problem before it has its line and column.

use std::ops::Range;

use super::{Lines, Problem, Severity, Source};

/// A problem by its place in the text.
#[derive(Debug)]
pub struct Found {
    /// Which bytes of the text it is about.
    pub span: Range<usize>,
    /// How bad it is.
    pub severity: Severity,
    message: String,
    help: Option<String>,
}

impl Found {
    /// One that keeps what it is about from being used.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, severity: Severity::Error, message: message.into(), help: None }
    }

    /// One that changes nothing.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, severity: Severity::Warning, message: message.into(), help: None }
    }

    /// With what to do now.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The problem with its line and column. What is `hidden` is not shown.
    pub fn at(self, source: &Source, lines: &Lines<'_>, hidden: &[Range<usize>]) -> Problem {
        let place = lines.place(&self.span);
        Problem {
            line: place.line,
            column: place.column,
            length: place.length,
            excerpt: Some(lines.excerpt(&place, hidden)),
            ..source.problem(self.severity, self.message, self.help)
        }
    }
}
