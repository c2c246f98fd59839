//! A command's arguments, told apart as its program does.

use super::grammars::{Grammar, Style};
use crate::{arg::Arg, call::Call};

/// Operands and options of a command. The words that say what a program is to do (`delete ns`) are operands.
#[derive(Debug, Default)]
pub(crate) struct Words {
    pub(super) operands: Vec<Arg>,
    /// The number of operands in front of `--`.
    dashes: Option<usize>,
    /// Options as they are written in a shape, with their values.
    options: Vec<(String, Option<Arg>)>,
    style: Style,
}

impl Words {
    /// The arguments of this command.
    pub(crate) fn of(call: &Call) -> Self {
        let grammar = Grammar::of(call.name());
        let mut words = Self { style: grammar.style, ..Self::default() };
        let mut rest = call.args().iter();
        while let Some(arg) = rest.next() {
            let text = arg.as_str();
            if text == "--" {
                words.dashes = Some(words.operands.len());
                words.operands.extend(rest.by_ref().cloned());
            } else if is_option(text) {
                words.option(text, &mut rest, grammar);
            } else {
                words.operands.push(arg.clone());
            }
        }
        words
    }

    /// Whether `--` stands in front of so many of the last operands.
    pub(super) fn has_dashes_before(&self, last: usize) -> bool {
        self.dashes.is_some_and(|before| before + last == self.operands.len())
    }

    /// Whether the program only tells how it is used.
    pub(super) fn asks_for_help(&self) -> bool {
        self.options.iter().any(|(name, value)| name == "--help" && value.is_none())
    }

    fn option<'a>(&mut self, text: &str, rest: &mut impl Iterator<Item = &'a Arg>, grammar: &Grammar) {
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
        let value = if takes_value { rest.next().cloned() } else { glued };
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

    /// Whether this letter is given.
    pub(super) fn has_letter(&self, letter: char) -> bool {
        self.options
            .iter()
            .any(|(given, _)| given.strip_prefix('-').is_some_and(|given| given.chars().eq([letter])))
    }

    /// The values with which an option is given, which a shape writes like this: `-f`, `--force`.
    pub(super) fn values_of<'a>(&'a self, wanted: &'a str) -> impl Iterator<Item = Option<&'a Arg>> {
        let is_long = wanted.starts_with("--") || self.style == Style::SingleDash;
        let bare = wanted.trim_start_matches('-');
        self.options
            .iter()
            .filter(move |(given, _)| match given.strip_prefix("--") {
                Some(given) if is_long => {
                    given == bare
                        || (self.style == Style::Shortened && !given.is_empty() && bare.starts_with(given))
                }
                _ => given == wanted,
            })
            .map(|(_, value)| value.as_ref())
    }
}

/// A word that begins with a dash; one alone is a file.
fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-')
}
