//! Commands and files in a program of `awk`: `system(…)`, `| "command"`, `print > file`, with the values of its
//! variables.

use std::collections::BTreeMap;

use crate::{
    arg::{Arg, HOME, UNKNOWN},
    call::{Grammar, Options},
    word::decode,
};

/// Effects of a program besides printing.
#[derive(Default)]
pub(crate) struct Effects {
    pub(crate) commands: Vec<String>,
    pub(crate) files: Vec<String>,
}

/// A piece of a program.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    /// A text, or a variable with its value.
    Text(String),
    /// Something else, by its signs.
    Sign(String),
}

/// The effects of a command with these arguments.
pub(crate) fn awk_effects(args: &[Arg]) -> Effects {
    let long = &["assign", "field-separator", "file", "include", "load", "source"];
    let options = Options::parse(args, Grammar { short: "Fefilv", long, anywhere: false });
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let mut set = |arg: &Arg| {
        if let Some((name, value)) = arg.plain().split_once('=') {
            values.insert(name.to_owned(), value.to_owned());
        }
    };
    let values_of = |names: &'static [&'static str]| {
        let given = options.given.iter().filter(move |(name, _)| names.contains(&name.as_str()));
        given.filter_map(|(_, value)| value.as_ref())
    };
    values_of(&["v", "--assign"]).for_each(&mut set);
    options.operands.iter().skip(1).for_each(&mut set);
    let operands: Vec<String> = options.operands.iter().map(Arg::plain).collect();
    let sources: Vec<String> = values_of(&["e", "--source"]).map(Arg::plain).collect();
    let is_in_file = values_of(&["f", "--file"]).next().is_some();
    let named = operands.first().filter(|_| sources.is_empty() && !is_in_file);
    let words = if named.is_some() { operands.get(1..).unwrap_or_default() } else { &operands };
    let mut all = Effects::default();
    for code in sources.iter().chain(named) {
        let pieces = pieces(code, &mut values, words);
        read(&joined(pieces), &mut all);
    }
    all
}

/// Determines the effect of each text from the signs before and behind it.
fn read(pieces: &[Piece], all: &mut Effects) {
    for (at, piece) in pieces.iter().enumerate() {
        let Piece::Text(text) = piece else { continue };
        let sign = |at: Option<usize>| match at.and_then(|at| pieces.get(at)) {
            Some(Piece::Sign(sign)) => sign.as_str(),
            _ => "",
        };
        let (before, behind) = (sign(at.checked_sub(1)), sign(Some(at + 1)));
        if matches!(before, ">" | ">>") {
            all.files.push(text.clone());
        } else if matches!(before, "system" | "|" | "|&") || matches!(behind, "|" | "|&") {
            all.commands.push(text.clone());
        }
    }
}

/// Texts side by side are one. Parentheses change nothing here.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (all.last_mut(), piece) {
            (Some(Piece::Text(text)), Piece::Text(more)) => text.push_str(&more),
            (_, piece) => all.push(piece),
        }
    }
    all
}

fn pieces(code: &str, values: &mut BTreeMap<String, String>, operands: &[String]) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match first {
            '"' => string(rest),
            '>' | '|' | '&' | '=' => rest.find(|c| !">|&=".contains(c)).unwrap_or(rest.len()),
            c if is_name(c) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        match first {
            '"' => found.push(Piece::Text(decode(token.trim_matches('"')))),
            ' ' | '\t' | '(' | ')' => {}
            c if is_name(c) => {
                let (piece, left) = named(token, rest, values, operands);
                rest = left;
                found.push(piece);
            }
            _ => found.push(Piece::Sign(token.to_owned())),
        }
    }
    found
}

/// Returns the length of a text in quotes, including the quotes.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let closes = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

/// Returns the value of a name, and the code behind it.
fn named<'a>(
    name: &str,
    rest: &'a str,
    values: &mut BTreeMap<String, String>,
    operands: &[String],
) -> (Piece, &'a str) {
    if let Some((index, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let index = index.trim().trim_matches('"');
        let value = match name {
            "ENVIRON" if index == "HOME" => HOME.to_string(),
            "ARGV" => index
                .parse::<usize>()
                .ok()
                .and_then(|index| operands.get(index.checked_sub(1)?))
                .map_or_else(|| UNKNOWN.to_string(), Clone::clone),
            _ => UNKNOWN.to_string(),
        };
        return (Piece::Text(value), behind);
    }
    // `name = "text"`
    if let Some(value) = rest.trim_start().strip_prefix('=').filter(|value| !value.starts_with(['=', '~'])) {
        let value = value.trim_start();
        if value.starts_with('"') {
            let text = value.get(..string(value)).unwrap_or_default();
            values.insert(name.to_owned(), decode(text.trim_matches('"')));
        }
        return (Piece::Sign(name.to_owned()), rest);
    }
    match values.get(name) {
        Some(value) => (Piece::Text(value.clone()), rest),
        None => (Piece::Sign(name.to_owned()), rest),
    }
}
