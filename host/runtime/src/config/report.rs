//! Problems that are found while one file is read.

use std::ops::Range;

use super::{did_you_mean, quote_word, syntax::DamagedParts};
use crate::hookfile::{Lines, PlacedProblem, Problem, Severity, Source};

/// Most problems that are reported for one file; the rest is counted.
const MAX_PROBLEMS: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Report {
    found: Vec<PlacedProblem>,
    hidden: Vec<Range<usize>>,
    errors: usize,
    unreported: usize,
    unreported_errors: bool,
    /// Count of hooks that are left out until the user has trusted them.
    pub(super) waiting: usize,
}

impl Report {
    /// Returns the count of errors, unreported ones included.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    pub(super) fn add_error(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.add_problem(PlacedProblem::error(span, message));
    }

    pub(super) fn add_problem(&mut self, found: PlacedProblem) {
        let is_error = found.severity == Severity::Error;
        // Also beyond the maximum: an entry with an error is left out even if the error is not shown.
        self.errors += usize::from(is_error);
        if self.is_full() {
            self.unreported += 1;
            self.unreported_errors |= is_error;
        } else {
            self.found.push(found);
        }
    }

    /// Hides a part of the text in every message: it may be a secret.
    pub(super) fn hide_span(&mut self, span: Range<usize>) {
        self.hidden.push(span);
    }

    /// Reports a word that is not one of the allowed ones; `what` names their kind.
    pub(super) fn add_unknown(&mut self, span: Range<usize>, what: &str, word: &str, allowed: &[&str]) {
        let error = PlacedProblem::error(span, format!("unknown {what} {}", quote_word(word)));
        // The search for the nearest word takes time, and a file can have many wrong ones.
        let error = if self.is_full() { error } else { error.help(did_you_mean(word, allowed)) };
        self.add_problem(error);
    }

    /// Replaces the problems found in damaged parts of the text by the syntax errors: there, problems would be about
    /// the parser's recovery.
    pub(super) fn replace_damaged(&mut self, text: &str, syntax: Vec<PlacedProblem>) {
        if syntax.is_empty() {
            return;
        }
        let damage = DamagedParts::from_errors(text, syntax.iter().map(|found| found.span.start));
        let reported = syntax.iter().take(MAX_PROBLEMS);
        self.hidden.extend(reported.filter_map(|found| damage.find_secrets_near(found.span.start)));
        let kept = |found: &PlacedProblem| !damage.overlaps_range(&found.span);
        let others = std::mem::take(&mut self.found);
        syntax.into_iter().chain(others.into_iter().filter(kept)).for_each(|found| self.add_problem(found));
    }

    pub(super) fn into_problems(mut self, source: &Source, lines: &Lines<'_>) -> Vec<Problem> {
        self.found.sort_by_key(|found| found.span.start);
        let mut problems: Vec<_> =
            self.found.into_iter().map(|found| found.into_problem(source, lines, &self.hidden)).collect();
        if self.unreported > 0 {
            let severity = if self.unreported_errors { Severity::Error } else { Severity::Warning };
            let message = format!("{} more problems in this file are not shown", self.unreported);
            problems.push(source.make_problem(severity, message, None));
        }
        problems
    }

    /// Returns true if further problems are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() >= MAX_PROBLEMS
    }
}
