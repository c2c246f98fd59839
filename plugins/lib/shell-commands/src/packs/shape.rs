//! The language of rules for selecting commands.
//!
//! A shape is a row of words, as one would type them: `kubectl delete ns|namespace`.
//!
//! | in a shape | fits |
//! |---|---|
//! | `delete` | this operand, at this place; more may follow |
//! | `a\|b` | one of these |
//! | `!a\|b` | an operand other than these |
//! | `*` in a word | any text: `delete-*`; `\*` is the character |
//! | `pub[lish]` | `pub`, `publish`, and what lies between: `publ` |
//! | `<here>` | an address of this machine: `localhost:5000/image`, `http://127.0.0.1` |
//! | `*` | any operand |
//! | `**` | any operands, or none |
//! | `$` | the end: no operand follows |
//! | `--` | the two dashes behind which nothing is an option |
//! | `-f\|--force` | one of these options, wherever it stands, in any spelling that the program takes |
//! | `-rf` | all of these letters, in any order, together or separate |
//! | `--acl=public-*` | an option with such a value; `0` is any spelling of it |
//! | `!--dry-run\|-n` | none of these options is given |

use super::words::Words;
use crate::{address::is_here, arg::Arg};

/// A shape, parsed no further than a comparison needs.
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

    /// Parses a whole command, program first; `None` if the text is empty.
    pub(crate) fn command(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (program, arguments) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        (!program.is_empty()).then_some(Self { program: Some(program), arguments })
    }

    /// Returns true if the shape is about a program of this name.
    pub(crate) fn is_of(self, name: &str, written: &str) -> bool {
        let is_meant = |wanted: &str| fits(&wanted.to_lowercase(), name) || wanted == written;
        self.program.is_none_or(|program| program.split('|').any(is_meant))
    }

    /// Returns the operands behind the shape, if the command matches it: the objects of the command.
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

impl Shape<'_> {
    /// Returns true if the shape covers the whole command: nothing that the shape does not name, and nothing that is
    /// only known when the command runs. After a shape that ends with `**`, anything may follow.
    pub(crate) fn covers(self, words: &Words) -> bool {
        if self.arguments.split_whitespace().next_back() == Some("**") {
            return self.find(words).is_some();
        }
        let (options, operands): (Vec<&str>, Vec<&str>) =
            self.arguments.split_whitespace().partition(|token| is_option(token));
        let has_all = options.iter().all(|option| has_option(option, words));
        let is_named = |name: &str| options.iter().any(|option| names(option, name, words));
        let whole: Vec<&str> = operands.into_iter().filter(|token| *token != "$").chain(["$"]).collect();
        has_all && words.names().all(is_named) && words.is_known() && begins(&whole, &words.operands, words)
    }
}

/// Returns true if a token of a shape is about the option of this name, as it was given.
fn names(token: &str, given: &str, words: &Words) -> bool {
    let names = token.trim_start_matches('!').split('=').next().unwrap_or_default();
    names.split('|').any(|name| match words.letters_of(name) {
        Some(letters) if !token.contains('=') => given
            .strip_prefix('-')
            .is_some_and(|given| letters.chars().any(|letter| given.chars().eq([letter]))),
        _ => words.is_called(given, name),
    })
}

fn is_option(token: &str) -> bool {
    token.trim_start_matches('!').starts_with('-') && token.len() > 1 && token != "--"
}

fn has_option(token: &str, words: &Words) -> bool {
    match token.strip_prefix('!') {
        Some(unwanted) => {
            !is_given(unwanted, words) || is_taken_back(unwanted, words) || leads_away(unwanted, words)
        }
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
            (Some(wanted), Some(value)) => is_value(wanted, &value.plain()),
            (Some(_), None) => false,
        }),
    })
}

/// Returns true if not all of several addresses are on this machine, although the token requires it.
fn leads_away(token: &str, words: &Words) -> bool {
    let Some(names) = token.strip_suffix("=<here>") else { return false };
    let mut values = names.split('|').flat_map(|name| words.values_of(name));
    values.any(|value| value.is_none_or(|value| !is_here(&value.plain())))
}

/// Values that switch an option off.
const NO: &[&str] = &["false", "no", "none", "off", "0"];

/// Returns true if the option that makes a command harmless is reversed in the same line: `--dry-run --no-dry-run`,
/// `--dry-run=client --dry-run=none`. The last of several counts, and a single negative one is enough.
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

/// Returns true if an option's value is one of the wanted values.
fn is_value(wanted: &str, value: &str) -> bool {
    one_of(wanted, value) || (is_zero(value) && one_of(wanted, "0"))
}

/// `web=00` with the zero that a shape would write.
fn with_plain_zero(text: &str) -> Option<String> {
    let (name, number) = text.rsplit_once('=')?;
    is_zero(number).then(|| format!("{name}=0"))
}

/// Returns true if a text is a number that is zero, as programs read it: `00`, `+0`, `0x0`.
fn is_zero(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    let digits = ["0x", "0X", "0o", "0O", "0b", "0B"]
        .iter()
        .find_map(|base| digits.strip_prefix(base))
        .unwrap_or(digits);
    digits.contains('0') && digits.chars().all(|digit| matches!(digit, '0' | '_'))
}

/// Returns true if operands begin with the wanted ones. A word behind an undescribed option may be its value and not
/// an operand.
fn is_begun_by(wanted: &[&str], operands: &[Arg], words: &Words) -> bool {
    let is_begun = begins(wanted, operands, words);
    let may_be_value = || !operands.is_empty() && words.may_be_value(operands.len());
    is_begun || (may_be_value() && is_begun_by(wanted, operands.get(1..).unwrap_or_default(), words))
}

fn begins(wanted: &[&str], operands: &[Arg], words: &Words) -> bool {
    let Some((first, more)) = wanted.split_first() else { return true };
    match *first {
        "$" => operands.is_empty(),
        "--" => words.has_dashes_before(operands.len()) && is_begun_by(more, operands, words),
        "**" => {
            (0..=operands.len()).any(|at| is_begun_by(more, operands.get(at..).unwrap_or_default(), words))
        }
        word => match operands.split_first() {
            Some((operand, others)) => is_meant(word, operand) && is_begun_by(more, others, words),
            None => false,
        },
    }
}

/// Returns true if an operand matches a word of a shape.
fn is_meant(word: &str, operand: &Arg) -> bool {
    let text = operand.plain();
    let text = with_plain_zero(&text).unwrap_or(text);
    // A star that the shell replaces by names is not the character.
    let is_one_of = |patterns: &str| {
        patterns
            .split('|')
            .any(|pattern| fits(pattern, if pattern.contains("\\*") { operand.as_str() } else { &text }))
    };
    word.strip_prefix('!').map_or_else(|| is_one_of(word), |unwanted| !is_one_of(unwanted))
}

/// Returns true if a text matches one of several patterns.
fn one_of(patterns: &str, text: &str) -> bool {
    patterns.split('|').any(|pattern| fits(pattern, text))
}

/// Returns true if a text fits a pattern in which a star is any text.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    if pattern == "<here>" {
        return is_here(text);
    }
    if let Some((begin, rest)) = shortened(pattern) {
        return text.strip_prefix(begin).is_some_and(|more| rest.starts_with(more));
    }
    if pattern.contains("\\*") {
        // A mark that no text has stands for the character on both sides.
        return fits(&pattern.replace("\\*", "\0"), &text.replace('*', "\0"));
    }
    let mut pieces = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, behind)) = rest.split_once(piece) else { return false };
        rest = behind;
    }
    rest.ends_with(last)
}

/// The part of `pub[lish]` that must be there, and the part that may be cut off.
fn shortened(pattern: &str) -> Option<(&str, &str)> {
    pattern.strip_suffix(']')?.split_once('[').filter(|(begin, _)| !begin.is_empty())
}
