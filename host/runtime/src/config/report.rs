//! The problems of one file while it is being read.

use std::ops::Range;

use super::{suggest, syntax::Damage};
use crate::hookfile::{Found, Lines, Problem, Severity, Source};

/// Most problems that are told of one file; the rest is counted.
const MAX_PROBLEMS: usize = 100;

/// All that was found so far.
#[derive(Debug, Default)]
pub(super) struct Report {
    found: Vec<Found>,
    hidden: Vec<Range<usize>>,
    errors: usize,
    untold: usize,
    untold_errors: bool,
    /// Hooks that are left out until a person has trusted them.
    pub(super) waiting: usize,
}

impl Report {
    /// How many errors there are, those that will not be told included.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    pub(super) fn error(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.add(Found::error(span, message));
    }

    pub(super) fn add(&mut self, found: Found) {
        let is_error = found.severity == Severity::Error;
        self.errors += usize::from(is_error);
        if self.is_full() {
            self.untold += 1;
            self.untold_errors |= is_error;
        } else {
            self.found.push(found);
        }
    }

    /// Keeps a part of the text out of every message: it may be a secret.
    pub(super) fn hide(&mut self, span: Range<usize>) {
        self.hidden.push(span);
    }

    /// A word that is none of those that are allowed; `what` is what it should be one of.
    pub(super) fn unknown(&mut self, span: Range<usize>, what: &str, word: &str, allowed: &[&str]) {
        let error = Found::error(span, format!("unknown {what} {}", suggest::quoted(word)));
        // Looking for the nearest word takes time, and a file can hold a great many wrong ones.
        let error = if self.is_full() { error } else { error.help(suggest::help(word, allowed)) };
        self.add(error);
    }

    /// Puts the syntax errors in the place of all that was found in the parts of the text that they damage: there, it
    /// would be about what the parser made up.
    pub(super) fn replace_damaged(&mut self, text: &str, syntax: Vec<Found>) {
        if syntax.is_empty() {
            return;
        }
        let damage = Damage::of(text, syntax.iter().map(|found| found.span.start));
        let told = syntax.iter().take(MAX_PROBLEMS);
        self.hidden.extend(told.filter_map(|found| damage.secrets_beside(found.span.start)));
        let kept = |found: &Found| !damage.touches(&found.span);
        let others = std::mem::take(&mut self.found);
        syntax.into_iter().chain(others.into_iter().filter(kept)).for_each(|found| self.add(found));
    }

    /// The problems in the order of the text.
    pub(super) fn into_problems(mut self, source: &Source, lines: &Lines<'_>) -> Vec<Problem> {
        self.found.sort_by_key(|found| found.span.start);
        let mut problems: Vec<_> =
            self.found.into_iter().map(|found| found.at(source, lines, &self.hidden)).collect();
        if self.untold > 0 {
            let severity = if self.untold_errors { Severity::Error } else { Severity::Warning };
            let message = format!("{} more problems in this file are not shown", self.untold);
            problems.push(source.problem(severity, message, None));
        }
        problems
    }

    /// Are there so many problems that a further one is only counted?
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= MAX_PROBLEMS
    }
}
