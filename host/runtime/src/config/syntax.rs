//! TOML: its tree with places, and its errors.

use std::ops::Range;

use toml::de::DeTable;

use super::quote_word;
use crate::hookfile::PlacedProblem;

/// Parses the text: returns the readable part of the tree, and the syntax errors. The parser bounds its depth.
pub(super) fn parse(text: &str) -> (DeTable<'_>, Vec<PlacedProblem>) {
    let (root, mut errors) = DeTable::parse_recoverable(text);
    errors.sort_by_key(error_start);
    // One mistake often causes several errors at one place; the first is enough.
    errors.dedup_by_key(|error| error_start(error));
    (root.into_inner(), errors.iter().map(|error| describe_error(text, error)).collect())
}

fn error_start(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

fn describe_error(text: &str, error: &toml::de::Error) -> PlacedProblem {
    let span = error.span().unwrap_or_default();
    match error.message() {
        "duplicate key" => {
            let key = text.get(span.clone()).unwrap_or_default();
            PlacedProblem::error(span, format!("{} is already set", quote_word(key)))
                .help("each key can be set once, and all hooks are written `[[hook]]`")
        }
        message if message.starts_with("recursion limit") || message.contains("max recursion") => {
            PlacedProblem::error(span, "nested too deep")
        }
        message => {
            PlacedProblem::error(span, format!("this is not TOML: {}", hookbox_model::bounded_text(message)))
        }
    }
}

/// Parts of the text that have an error: each from one `[[…]]` to the next.
pub(super) struct DamagedParts<'a> {
    text: &'a str,
    /// In order, without overlap.
    parts: Vec<Range<usize>>,
}

impl<'a> DamagedParts<'a> {
    /// Finds the parts with one of the `errors`, which are in order.
    pub(super) fn from_errors(text: &'a str, errors: impl Iterator<Item = usize>) -> Self {
        let headers = text.split_inclusive('\n').scan(0, |at, line| {
            let start = *at;
            *at += line.len();
            Some(line.trim_start().starts_with("[[").then_some(start))
        });
        let starts: Vec<usize> = std::iter::once(0).chain(headers.flatten()).collect();
        let part = |error: usize| {
            let next = starts.partition_point(|start| *start <= error);
            let start = next.checked_sub(1).and_then(|at| starts.get(at)).copied();
            // One more than the length: an error at the very end of the text belongs to the last part.
            start.unwrap_or(0)..starts.get(next).copied().unwrap_or(text.len() + 1)
        };
        let mut parts: Vec<_> = errors.map(part).collect();
        parts.dedup();
        Self { text, parts }
    }

    pub(super) fn overlaps_range(&self, range: &Range<usize>) -> bool {
        let end = range.end.max(range.start + 1);
        self.part_after(range.start).is_some_and(|part| part.start < end)
    }

    /// Returns the values on the line of an error, if they are a webhook's: which of them is secret cannot be
    /// determined there.
    pub(super) fn find_secrets_near(&self, error: usize) -> Option<Range<usize>> {
        let part = self.part_after(error)?;
        if !self.text.get(part.start..part.end.min(self.text.len()))?.contains("webhook") {
            return None;
        }
        let start = self.text.get(..error)?.rfind('\n').map_or(0, |at| at + 1);
        let line = self.text.get(start..)?.lines().next()?;
        line.find('=').map(|at| start + at + 1..start + line.len())
    }

    /// Returns the first part that ends after a place.
    fn part_after(&self, place: usize) -> Option<&Range<usize>> {
        self.parts.get(self.parts.partition_point(|part| part.end <= place))
    }
}
