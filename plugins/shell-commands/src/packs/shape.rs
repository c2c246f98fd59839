//! The language in which a rule says which commands it is about.
//!
//! A shape is a row of words, as one would type them: `kubectl delete ns|namespace`.
//!
//! | in a shape | fits |
//! |---|---|
//! | `delete` | this operand, at this place; more may follow |
//! | `a\|b` | one of these |
//! | `!a\|b` | an operand that is none of these |
//! | `*` in a word | any text: `delete-*` |
//! | `*` | any operand |
//! | `**` | any operands, or none |
//! | `$` | the end: no operand follows |
//! | `--` | the two dashes behind which nothing is an option |
//! | `-f\|--force` | one of these options, wherever it stands, in any spelling that the program takes |
//! | `-rf` | all of these letters, in whatever order, together or apart |
//! | `--acl=public-*` | an option with such a value |
//! | `!--dry-run\|-n` | none of these options is given |

use super::words::Words;
use crate::arg::Arg;

/// A shape, read as far as it takes to compare it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<'a> {
    program: Option<&'a str>,
    arguments: &'a str,
}

impl<'a> Shape<'a> {
    /// The arguments of a program that is known.
    pub(crate) fn arguments(text: &'a str) -> Self {
        Self { program: None, arguments: text }
    }

    /// A whole command, program first. Nothing if there is none.
    pub(crate) fn command(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (program, arguments) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (!program.is_empty()).then_some(Self { program: Some(program), arguments })
    }

    /// Whether a program of this name is meant.
    pub(crate) fn is_of(self, name: &str, written: &str) -> bool {
        let is_meant = |wanted: &str| fits(&wanted.to_lowercase(), name) || wanted == written;
        self.program.is_none_or(|program| program.split('|').any(is_meant))
    }

    /// The operands that the command is about, if it is of this shape: those behind the words that say what it does.
    pub(crate) fn find(self, words: &Words) -> Option<&[Arg]> {
        let tokens = self.arguments.split_whitespace();
        let mut options = tokens.clone().filter(|token| is_option(token));
        if !options.all(|option| has_option(option, words)) {
            return None;
        }
        let operands: Vec<&str> = tokens.filter(|token| !is_option(token)).collect();
        is_begun_by(&operands, &words.operands, words).then_some(())?;
        let verbs =
            operands.iter().take_while(|token| !token.contains(['*', '$', '!']) && **token != "--").count();
        words.operands.get(verbs..)
    }
}

fn is_option(token: &str) -> bool {
    token.trim_start_matches('!').starts_with('-') && token.len() > 1 && token != "--"
}

fn has_option(token: &str, words: &Words) -> bool {
    match token.strip_prefix('!') {
        Some(unwanted) => !is_given(unwanted, words) || is_taken_back(unwanted, words),
        None => is_given(token, words),
    }
}

fn is_given(token: &str, words: &Words) -> bool {
    let (names, values) = match token.split_once('=') {
        Some((names, values)) => (names, Some(values)),
        None => (token, None),
    };
    names.split('|').any(|name| match words.letters_of(name) {
        Some(letters) if values.is_none() => letters.chars().all(|letter| words.has_letter(letter)),
        _ => words.values_of(name).any(|value| match (values, value) {
            (None, _) => true,
            (Some(wanted), Some(value)) => one_of(wanted, &value.plain()),
            (Some(_), None) => false,
        }),
    })
}

/// Values by which an option is not given after all.
const NO: &[&str] = &["false", "no", "none", "off", "0"];

/// Whether what makes a command harmless is undone in the same line: `--dry-run --no-dry-run`, `--dry-run=client --dry-run=none`. Of
/// several the last counts, and one that says no is enough.
fn is_taken_back(token: &str, words: &Words) -> bool {
    let (names, values) = token.split_once('=').unwrap_or((token, ""));
    let wants_no = values.split('|').any(|value| NO.contains(&value));
    !wants_no
        && names.split('|').any(|name| {
            let is_no = |value: Option<&Arg>| value.is_some_and(|value| NO.contains(&value.plain().as_str()));
            let negated = name.strip_prefix("--").map(|bare| format!("--no-{bare}"));
            words.values_of(name).any(is_no)
                || negated.is_some_and(|no| words.values_of(&no).next().is_some())
        })
}

/// Whether operands begin with those that are wanted.
fn is_begun_by(wanted: &[&str], operands: &[Arg], words: &Words) -> bool {
    let Some((first, more)) = wanted.split_first() else { return true };
    match *first {
        "$" => operands.is_empty(),
        "--" => words.has_dashes_before(operands.len()) && is_begun_by(more, operands, words),
        "**" => {
            (0..=operands.len()).any(|at| is_begun_by(more, operands.get(at..).unwrap_or_default(), words))
        }
        word => match operands.split_first() {
            Some((operand, others)) => is_meant(word, &operand.plain()) && is_begun_by(more, others, words),
            None => false,
        },
    }
}

/// Whether an operand is what a word of a shape wants.
fn is_meant(word: &str, operand: &str) -> bool {
    word.strip_prefix('!').map_or_else(|| one_of(word, operand), |unwanted| !one_of(unwanted, operand))
}

/// Whether a text is one of several patterns.
fn one_of(patterns: &str, text: &str) -> bool {
    patterns.split('|').any(|pattern| fits(pattern, text))
}

/// Whether a text fits a pattern in which a star is any text.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, behind)) = rest.split_once(piece) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}
