//! Checks that a table has the shape that [`keys`](super::keys) defines: known keys, the right types, simple values in
//! range.
//!
//! Further checks (events, durations, paths, …) are made where the value is resolved; that code uses the values of the
//! right type and skips the others, which are reported here.

use std::ops::Range;

use toml::de::{DeInteger, DeTable, DeValue};

use super::{
    Key, Value,
    keys::{self, Kind, MAX_NAME_CHARS, Shape},
    quote_word,
    report::Report,
};
use crate::{Sha256Digest, hookfile::PlacedProblem};

/// Checks a table; `span` is the place of its header. The entries of `hook` are checked one by one where they are
/// resolved.
pub(super) fn check_table(table: &DeTable<'_>, span: Range<usize>, shape: &Shape, report: &mut Report) {
    for (name, value) in table {
        match shape.find_key(name.get_ref()) {
            Some(key) => Check { key, report }.check_value(&key.kind, value),
            None => unknown_key(name, shape, report),
        }
    }
    for key in shape.keys.iter().filter(|key| key.required && !table.contains_key(key.name)) {
        let error = PlacedProblem::error(span.clone(), format!("{} has no `{}`", shape.name, key.name));
        report.add_problem(error.help(format!("add one: {}", key.example)));
    }
    if !shape.one_of.is_empty() {
        check_one_of(table, span, shape, report);
    } else if table.is_empty() && shape.needs_a_key() {
        let error = PlacedProblem::error(span, format!("{} is empty", shape.name));
        report.add_problem(error.help(format!("it must have one or more of: {}", shape.names().join(", "))));
    }
}

fn unknown_key(name: &Key<'_>, shape: &Shape, report: &mut Report) {
    let help = match (shape.name, name.get_ref().as_ref()) {
        ("`limits`", "timeout") => "the timeout is a key of the hook itself: timeout = \"250ms\"",
        ("`limits`", "stack") => "the stack is the same for all hooks of a host and cannot be set here",
        ("the file", "hooks") => "hooks are written one by one, each under a line `[[hook]]`",
        _ => return report.add_unknown(name.span(), "key", name.get_ref(), &shape.names()),
    };
    let error = PlacedProblem::error(name.span(), format!("unknown key {}", quote_word(name.get_ref())));
    report.add_problem(error.help(help));
}

/// Checks that exactly one of the mutually exclusive keys is present.
fn check_one_of(table: &DeTable<'_>, span: Range<usize>, shape: &Shape, report: &mut Report) {
    let is_one = |key: &&Key<'_>| shape.one_of.contains(&key.get_ref().as_ref());
    let mut present: Vec<_> = table.keys().filter(is_one).collect();
    present.sort_by_key(|key| key.span().start);
    let list = shape.one_of.join("`, `");
    let Some((first, more)) = present.split_first() else {
        let error = PlacedProblem::error(span, format!("{} has none of `{list}`", shape.name));
        return report.add_problem(error.help("it must have exactly one of them"));
    };
    for key in more {
        let error = format!("{} has `{}` already", shape.name, first.get_ref());
        let help = format!("it must have exactly one of `{list}`");
        report.add_problem(PlacedProblem::error(key.span(), error).help(help));
    }
}

struct Check<'r> {
    key: &'static keys::Key,
    report: &'r mut Report,
}

impl Check<'_> {
    fn check_value(&mut self, kind: &Kind, value: &Value<'_>) {
        match (kind, value.get_ref()) {
            (Kind::OneOrMore(item), DeValue::Array(items)) => self.check_list(item, 1, items, value),
            (Kind::OneOrMore(item), _) => self.check_value(item, value),
            (Kind::List(item, least), DeValue::Array(items)) => {
                self.check_list(item, *least, items, value);
            }
            (Kind::Map(item), DeValue::Table(table)) => {
                table.values().for_each(|value| self.check_value(item, value));
            }
            (Kind::Table(shape), DeValue::Table(table)) => {
                check_table(table, value.span(), shape, self.report);
            }
            (Kind::Entries(_), DeValue::Array(items)) => {
                let others = items.iter().filter(|item| !item.get_ref().is_table());
                others.for_each(|item| self.wrong_type(kind, item));
            }
            (Kind::Word(words), DeValue::String(word)) => self.check_word(&words(), word, value),
            (Kind::Integer(min, max), DeValue::Integer(number)) => {
                self.check_integer(*min, *max, number, value);
            }
            (_, DeValue::String(text)) if is_text(kind) => self.check_text(kind, text, value),
            (kind, DeValue::String(_)) if has_unit(kind) => {}
            (Kind::Limit(_) | Kind::Bytes(_), DeValue::Integer(_))
            | (Kind::Flag, DeValue::Boolean(_))
            | (Kind::Free, DeValue::Table(_)) => {}
            _ => self.wrong_type(kind, value),
        }
    }

    fn check_list(&mut self, kind: &Kind, least: usize, items: &[Value<'_>], list: &Value<'_>) {
        if items.len() < least {
            self.report_error(list, format!("`{}` is an empty list", self.key.name));
        }
        for item in items {
            self.check_value(kind, item);
        }
    }

    fn check_word(&mut self, words: &[&str], word: &str, value: &Value<'_>) {
        if !words.contains(&word) {
            self.report.add_unknown(value.span(), self.key.name, word, words);
        }
    }

    fn check_integer(&mut self, min: i64, max: i64, number: &DeInteger<'_>, value: &Value<'_>) {
        if !parse_integer(number).is_some_and(|number| (min..=max).contains(&number)) {
            let (name, number) = (self.key.name, quote_word(&number.to_string()));
            let error = PlacedProblem::error(value.span(), format!("`{name}` is {number}"));
            self.report.add_problem(error.help(format!("allowed: {min} to {max}")));
        }
    }

    fn check_text(&mut self, kind: &Kind, text: &str, value: &Value<'_>) {
        let may_be_empty = matches!(kind, Kind::Any);
        match kind {
            Kind::Name if !is_name(text) => {
                let error = format!("{} cannot be the name of a hook", quote_word(text));
                let help = format!("allowed: 1 to {MAX_NAME_CHARS} letters, digits, `.`, `_` and `-`");
                self.report.add_problem(PlacedProblem::error(value.span(), error).help(help));
            }
            Kind::Variable if !is_variable(text) => {
                let error = format!("{} cannot be the name of a variable", quote_word(text));
                let help = "allowed: letters, digits and `_`, not beginning with a digit";
                self.report.add_problem(PlacedProblem::error(value.span(), error).help(help));
            }
            Kind::Digest if Sha256Digest::parse(text).is_none() => {
                let error = format!("{} is not a SHA-256", quote_word(text));
                let help = "write its 64 hexadecimal digits, as `hookbox plugin inspect FILE` shows them";
                self.report.add_problem(PlacedProblem::error(value.span(), error).help(help));
            }
            _ if text.is_empty() && !may_be_empty => {
                self.report_error(value, format!("`{}` is empty", self.key.name));
            }
            // The operating system would read a path or an argument only up to the NUL.
            _ if text.contains('\0') => {
                self.report_error(value, format!("`{}` holds a NUL character", self.key.name));
            }
            _ => {}
        }
    }

    fn wrong_type(&mut self, kind: &Kind, value: &Value<'_>) {
        let found = describe_value(value.get_ref());
        let error = format!("`{}` is {found}, but must be {}", self.key.name, describe_kind(kind));
        if let (Kind::Duration(_) | Kind::Seconds, DeValue::Integer(number)) = (kind, value.get_ref()) {
            let help = format!("say the unit: \"{number}ms\" or \"{number}s\"");
            self.report.add_problem(PlacedProblem::error(value.span(), error).help(help));
        } else {
            self.report_error(value, error);
        }
    }

    /// Reports an error, with the key's example as help.
    fn report_error(&mut self, value: &Value<'_>, message: String) {
        let help = format!("for example {}", self.key.example);
        self.report.add_problem(PlacedProblem::error(value.span(), message).help(help));
    }
}

fn describe_value(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn describe_kind(kind: &Kind) -> String {
    let what = match kind {
        Kind::OneOrMore(item) => return format!("{}, or a list of them", describe_kind(item)),
        Kind::List(item, _) => return format!("a list, each {}", describe_kind(item)),
        Kind::Entries(shape) => {
            let entry = shape.name.trim_start_matches("the ");
            return format!("written as `[[{entry}]]`, one for each {entry}");
        }
        Kind::Limit(_) | Kind::Bytes(_) if has_unit(kind) => {
            "an integer, or a string with a size and its unit"
        }
        Kind::Integer(..) | Kind::Limit(_) => "an integer",
        Kind::Duration(_) | Kind::Seconds => "a string with a duration and its unit",
        Kind::Size => "a string with a size and its unit",
        Kind::Flag => "true or false",
        Kind::Map(_) | Kind::Table(_) | Kind::Free => "a table",
        _ => "a string",
    };
    what.to_owned()
}

fn is_text(kind: &Kind) -> bool {
    matches!(kind, Kind::Name | Kind::Event | Kind::Variable | Kind::Digest | Kind::Text | Kind::Any)
}

/// Returns true if the value may be a string with a number and a unit.
fn has_unit(kind: &Kind) -> bool {
    match kind {
        Kind::Duration(_) | Kind::Size | Kind::Bytes(_) | Kind::Seconds => true,
        Kind::Limit(limit) => limit.unit() == "bytes",
        _ => false,
    }
}

/// Returns the number, if it fits.
pub(super) fn parse_integer(number: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

pub(super) fn is_name(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    (1..=MAX_NAME_CHARS).contains(&text.len()) && text.bytes().all(allowed)
}

fn is_variable(text: &str) -> bool {
    let first = text.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    first && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
