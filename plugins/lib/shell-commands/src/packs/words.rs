//! A command's arguments, split into options and operands as its program does.

use std::slice::Iter;

use super::grammars::{Grammar, Style};
use crate::{
    arg::{Arg, UNKNOWN},
    call::Call,
};

/// Maximum number of words that are considered as a possible value of an option.
const MAX_DOUBTFUL: usize = 8;

/// Operands and options of a command. Subcommands and their objects (`delete ns`) are operands.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(super) operands: Vec<Arg>,
    /// The number of operands in front of `--`.
    dashes: Option<usize>,
    /// Options as they are written in a shape, with their values.
    options: Vec<(String, Option<Arg>)>,
    style: Style,
    /// Places of operands right behind an undescribed option: each may be the option's value.
    doubtful: Vec<usize>,
}

impl Words {
    /// The arguments of this command.
    pub(crate) fn of(call: &Call) -> Self {
        Self::up_to(usize::MAX, call).0
    }

    /// The arguments of this command up to so many operands, and what is behind them.
    pub(super) fn up_to(most: usize, call: &Call) -> (Self, &[Arg]) {
        let grammar = Grammar::of(call.name());
        let mut words = Self { style: grammar.style, ..Self::default() };
        let mut rest = call.args().iter();
        let mut behind_option = false;
        while words.operands.len() < most {
            let Some(arg) = rest.next() else { break };
            let text = arg.as_str();
            if text == "--" {
                words.dashes = Some(words.operands.len());
                words.operands.extend(rest.by_ref().take(most - words.operands.len()).cloned());
            } else if is_option(text) {
                words.option(text, &mut rest, grammar);
            } else {
                if behind_option && !grammar.is_described() && words.doubtful.len() < MAX_DOUBTFUL {
                    words.doubtful.push(words.operands.len());
                }
                words.operands.push(arg.clone());
            }
            behind_option = is_option(text) && !text.contains('=');
        }
        (words, rest.as_slice())
    }

    /// Returns the arguments with every word that is not an option as an operand.
    pub(crate) fn into_written(mut self) -> Self {
        self.doubtful.clear();
        self
    }

    /// Returns true if the first of the last `last` operands may be an option's value.
    pub(super) fn may_be_value(&self, last: usize) -> bool {
        self.operands.len().checked_sub(last).is_some_and(|at| self.doubtful.contains(&at))
    }

    /// Returns true if every word is known before the command runs.
    pub(super) fn is_known(&self) -> bool {
        let values = self.options.iter().filter_map(|(_, value)| value.as_ref());
        let is_known = |arg: &Arg| !arg.as_str().contains(UNKNOWN);
        self.operands.iter().chain(values).all(is_known)
            && self.options.iter().all(|(name, _)| !name.contains(UNKNOWN))
    }

    /// Returns the names of the given options.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.options.iter().map(|(name, _)| name.as_str())
    }

    /// Returns true if `--` is in front of the last `last` operands.
    pub(super) fn has_dashes_before(&self, last: usize) -> bool {
        self.dashes.is_some_and(|before| before + last == self.operands.len())
    }

    /// Returns true if the program only prints its usage.
    pub(super) fn asks_for_help(&self) -> bool {
        self.options.iter().any(|(name, value)| name == "--help" && value.is_none())
    }

    fn option(&mut self, text: &str, rest: &mut Iter<'_, Arg>, grammar: &Grammar) {
        let is_long = text.starts_with("--") || self.style == Style::SingleDash;
        if !is_long {
            return self.cluster(text.get(1..).unwrap_or_default(), rest, grammar);
        }
        let (name, glued) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Arg::new(value))),
            None => (text, None),
        };
        let name = name.trim_start_matches('-');
        let takes_value = glued.is_none() && grammar.takes_value(name, &self.operands);
        let is_answered =
            glued.is_none() && self.style == Style::Answered && answers(rest.as_slice().first());
        let value = if takes_value || is_answered { rest.next().cloned() } else { glued };
        self.options.push((format!("--{name}"), value));
    }

    /// `-rf`, `-ofile`, `-o file`: letters up to one that takes a value.
    fn cluster<'a>(&mut self, letters: &str, rest: &mut impl Iterator<Item = &'a Arg>, grammar: &Grammar) {
        let mut chars = letters.chars();
        while let Some(letter) = chars.next() {
            let name = format!("-{letter}");
            if grammar.takes_value(letter.encode_utf8(&mut [0; 4]), &self.operands) {
                let glued = chars.as_str();
                let glued = glued.strip_prefix('=').unwrap_or(glued);
                let value = if glued.is_empty() { rest.next().cloned() } else { Some(Arg::new(glued)) };
                return self.options.push((name, value));
            }
            if let Some(value) = chars.as_str().strip_prefix('=') {
                return self.options.push((name, Some(Arg::new(value))));
            }
            self.options.push((name, None));
        }
    }

    /// The letters that an option such as `-rf` puts together, if this program writes options so.
    pub(super) fn letters_of<'a>(&self, wanted: &'a str) -> Option<&'a str> {
        let letters = wanted.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
        (self.style != Style::SingleDash && letters.chars().count() > 1).then_some(letters)
    }

    /// Returns true if this letter is given.
    pub(super) fn has_letter(&self, letter: char) -> bool {
        self.options
            .iter()
            .any(|(given, _)| given.strip_prefix('-').is_some_and(|given| given.chars().eq([letter])))
    }

    /// The values with which an option is given, which a shape writes like this: `-f`, `--force`.
    pub(super) fn values_of<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = Option<&'a Arg>> {
        self.options
            .iter()
            .filter(|(given, _)| self.is_called(given, wanted))
            .map(|(_, value)| value.as_ref())
    }

    /// Returns true if a given option is the one that a shape writes like this.
    pub(super) fn is_called(&self, given: &str, wanted: &str) -> bool {
        let is_long = wanted.starts_with("--") || self.style == Style::SingleDash;
        let bare = wanted.trim_start_matches('-');
        match given.strip_prefix("--") {
            Some(given) if is_long => {
                given == bare || (self.style.is_shortened() && !given.is_empty() && bare.starts_with(given))
            }
            _ => given == wanted,
        }
    }
}

/// Returns true if a word is the value of a boolean option.
fn answers(word: Option<&Arg>) -> bool {
    word.is_some_and(|word| matches!(word.as_str(), "true" | "false" | "null"))
}

/// A word that begins with a dash; one alone is a file.
fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}
