//! `env`: its options, its variables, and the string that it splits into words by its own rules.

use std::collections::VecDeque;

use super::{Inner, Wrapped, joined, take_variables};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

const GRAMMAR: Grammar<'static> =
    Grammar { short: "uCPa", long: &["unset", "chdir", "argv0"], anywhere: false };

pub(super) fn unwrap(call: &Call) -> Option<Wrapped> {
    let (args, is_split) = without_strings(call.args());
    let options = Options::parse(&args, GRAMMAR);
    let operands = options.operands.strip_prefix(&[Arg::new("-")]).unwrap_or(&options.operands);
    let (variables, words) = take_variables(operands);
    let mut wrapped = Wrapped::words(if is_split { "env -S" } else { "env" }, words)?;
    if is_split && words.iter().any(|word| word.text.contains("${")) {
        // A shell expands the variables as `env` would.
        let quoted: Vec<Arg> = words.iter().map(quoted).collect();
        wrapped.inner = vec![Inner::Script { text: joined(&quoted), zero: None, positional: None }];
    }
    // Without what was set before, the first of all is unset.
    let clears = options.has_letter("i")
        || options.has_long("--ignore-environment")
        || operands.len() < options.operands.len();
    let unset = options.given.iter().filter(|(name, _)| name == "u" || name == "--unset");
    let unset = unset.filter_map(|(_, value)| Some((value.as_ref()?.literal()?.to_owned(), Arg::default())));
    wrapped.variables =
        clears.then(|| ("HOME".to_owned(), Arg::default())).into_iter().chain(unset).collect();
    wrapped.variables.extend(variables);
    wrapped.folder = options.value(&["C", "--chdir"]).cloned();
    Some(wrapped)
}

/// The arguments with the words of each string to split in its place, and whether there was one. The words may be
/// options again.
fn without_strings(args: &[Arg]) -> (Vec<Arg>, bool) {
    let mut rest: VecDeque<Arg> = args.iter().cloned().collect();
    let mut done = Vec::new();
    let mut is_split = false;
    while let Some(arg) = rest.pop_front() {
        match Front::of(arg.as_str()) {
            Front::Command => {
                done.push(arg);
                break;
            }
            Front::Option { takes_next } => {
                done.push(arg);
                done.extend(takes_next.then(|| rest.pop_front()).flatten());
            }
            Front::String { before, glued } => {
                done.extend(before.map(Arg::new));
                let string = glued.map(|text| Arg { text, ..arg.clone() }).or_else(|| rest.pop_front());
                is_split = true;
                for word in string.iter().flat_map(split).rev() {
                    rest.push_front(word);
                }
            }
        }
    }
    done.extend(rest);
    (done, is_split)
}

/// Kind of the first of `env`'s arguments.
enum Front {
    /// No option: a variable or the command.
    Command,
    /// An option, perhaps with its value in the next word.
    Option { takes_next: bool },
    /// A string to split, in the same word or the next one, and the letters in front of it.
    String { before: Option<String>, glued: Option<String> },
}

impl Front {
    fn of(text: &str) -> Self {
        match text.strip_prefix("--") {
            Some("") => Self::Command,
            Some(long) => Self::of_long(long),
            None => text.strip_prefix('-').map_or(Self::Command, Self::of_letters),
        }
    }

    fn of_long(long: &str) -> Self {
        let (name, glued) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        if "split-string".starts_with(name) {
            return Self::String { before: None, glued: glued.map(str::to_owned) };
        }
        let takes_value = GRAMMAR.long.iter().any(|long| long.starts_with(name));
        Self::Option { takes_next: takes_value && glued.is_none() }
    }

    fn of_letters(letters: &str) -> Self {
        let is_last = |c: char| c == 'S' || GRAMMAR.short.contains(c);
        let Some((before, behind)) = letters.find(is_last).and_then(|at| letters.split_at_checked(at)) else {
            return if letters.is_empty() { Self::Command } else { Self::Option { takes_next: false } };
        };
        match behind.strip_prefix('S') {
            Some(text) => Self::String {
                before: (!before.is_empty()).then(|| format!("-{before}")),
                glued: (!text.is_empty()).then(|| text.to_owned()),
            },
            None => Self::Option { takes_next: behind.len() == 1 },
        }
    }
}

/// The words of a string: blanks separate, quotes keep together, a backslash escapes.
fn split(string: &Arg) -> Vec<Arg> {
    let text = string.plain();
    let mut words: Vec<Arg> = Vec::new();
    let mut open: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    let blank = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
    while let Some(c) = chars.next() {
        match c {
            c if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(c);
                open.get_or_insert_default();
            }
            '\\' => match (chars.next(), quote) {
                (Some('_'), None) => words.extend(open.take().map(Arg::new)),
                (Some('c'), None | Some('"')) | (None, _) => break,
                (Some(c), quote) => open.get_or_insert_default().push_str(&escaped(c, quote)),
            },
            '#' if quote.is_none() && open.is_none() => break,
            c if quote.is_none() && blank(c) => words.extend(open.take().map(Arg::new)),
            c => open.get_or_insert_default().push(c),
        }
    }
    words.extend(open.map(Arg::new));
    for word in &mut words {
        word.origin.join(&string.origin);
        word.guessed = string.guessed;
    }
    words
}

/// Returns the text that a backslash and the character behind it stand for.
fn escaped(c: char, quote: Option<char>) -> String {
    match (c, quote) {
        ('\\' | '\'', Some('\'')) => c.to_string(),
        (c, Some('\'')) => format!("\\{c}"),
        ('_', _) => " ".to_owned(),
        ('f', _) => "\u{c}".to_owned(),
        ('n', _) => "\n".to_owned(),
        ('r', _) => "\r".to_owned(),
        ('t', _) => "\t".to_owned(),
        ('v', _) => "\u{b}".to_owned(),
        (c, _) => c.to_string(),
    }
}

/// A word in quotes that keep everything but `${NAME}` as it is.
fn quoted(word: &Arg) -> Arg {
    let mut text = String::new();
    let plain = word.plain();
    let mut rest = plain.as_str();
    let single = |part: &str| format!("'{}'", part.replace('\'', "'\\''"));
    while let Some((before, behind)) = rest.split_once("${") {
        let end = behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(behind.len());
        let (name, after) = behind.split_at(end);
        text.push_str(&single(before));
        if let Some(after) = after.strip_prefix('}').filter(|_| !name.is_empty()) {
            text.extend(["\"${", name, "}\""]);
            rest = after;
        } else {
            text.push_str(&single("${"));
            rest = behind;
        }
    }
    text.push_str(&single(rest));
    Arg { text, ..word.clone() }
}
