//! Options of a program that take the next word as their value: otherwise `-n shop` could hide the deleted object.

use super::GRAMMARS;
use crate::arg::Arg;

/// A program's style of options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Style {
    /// `-rf`, `--force`, whole.
    #[default]
    Whole,
    /// The same, and long ones may be shortened: `--for`.
    Shortened,
    /// Long ones may be shortened, and behind one that takes no value may stand `true` or `false`: `--dry-run false`.
    Answered,
    /// Long ones have one dash, or two: `-auto-approve`.
    SingleDash,
}

impl Style {
    pub(super) fn is_shortened(self) -> bool {
        matches!(self, Self::Shortened | Self::Answered)
    }
}

/// The options with a value of one program.
#[derive(Debug)]
pub(super) struct Grammar {
    /// The program's names, in lower case.
    pub(super) names: &'static [&'static str],
    pub(super) style: Style,
    /// For each row of subcommands the letters and long names that take a value behind it. Without a subcommand: wherever they
    /// stand, unless a longer row says which do there.
    pub(super) rows: &'static [(&'static str, &'static str, &'static [&'static str])],
    /// True if the options without a subcommand are valid behind each subcommand, too.
    pub(super) is_global: bool,
}

/// Grammar of a program that is not described: no option takes a value.
const UNKNOWN: Grammar = Grammar { names: &[], style: Style::Whole, rows: &[], is_global: true };

impl Grammar {
    pub(super) fn of(name: &str) -> &'static Self {
        GRAMMARS.iter().copied().flatten().find(|grammar| grammar.names.contains(&name)).unwrap_or(&UNKNOWN)
    }

    /// Returns true if the program's options are described.
    pub(super) fn is_described(&self) -> bool {
        !self.names.is_empty()
    }

    /// Returns true if an option behind these operands takes a value. A single letter is a short option, unless all
    /// are long.
    pub(super) fn takes_value(&self, name: &str, operands: &[Arg]) -> bool {
        let is_letter = self.style != Style::SingleDash && name.chars().count() == 1;
        let has = |row: &(&str, &str, &[&str])| {
            if is_letter { row.1.contains(name) } else { row.2.iter().any(|long| self.means(name, long)) }
        };
        let stands = |row: &&(&str, &str, &[&str])| {
            let mut at = operands.iter();
            row.0.split_whitespace().all(|word| at.next().is_some_and(|arg| arg.as_str() == word))
        };
        let longest = self.rows.iter().filter(stands).max_by_key(|row| row.0.len());
        let root =
            self.rows.iter().find(|row| row.0.is_empty()).filter(|_| self.is_global || operands.is_empty());
        longest.is_some_and(|row| (!row.0.is_empty() || self.is_global || operands.is_empty()) && has(row))
            || root.is_some_and(has)
    }

    fn means(&self, given: &str, long: &str) -> bool {
        given == long || (self.style.is_shortened() && given.len() > 1 && long.starts_with(given))
    }
}
