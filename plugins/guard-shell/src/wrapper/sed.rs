//! What a `sed` script runs: `e command`, and `s/…/command/e`.

use crate::{
    arg::Arg,
    call::{Grammar, Options},
};

/// The commands in the scripts that the arguments are.
pub(super) fn commands(args: &[Arg]) -> Vec<String> {
    let grammar = Grammar { short: "ef", long: &["expression", "file"], anywhere: true };
    let options = Options::parse(args, grammar);
    let given = options.given.iter().filter(|(name, _)| name == "e" || name == "--expression");
    let scripts = given.filter_map(|(_, value)| value.as_ref()).chain(options.operands.first());
    let lines: Vec<String> = scripts.flat_map(|script| lines(&script.plain())).collect();
    lines.iter().flat_map(|text| line(text)).collect()
}

fn lines(script: &str) -> Vec<String> {
    script.lines().map(str::to_owned).collect()
}

/// The commands of one line.
fn line(mut text: &str) -> Vec<String> {
    let mut found = Vec::new();
    loop {
        text = behind_address(text);
        let mut chars = text.chars();
        let rest = match chars.next() {
            Some('e') => {
                found.push(chars.as_str().trim().to_owned());
                None
            }
            Some('s') => substitute(chars.as_str(), &mut found),
            Some('y') => two_parts(chars.as_str()).map(|(_, rest)| rest),
            // Their text or file goes on to the end of the line.
            Some('a' | 'c' | 'i' | 'r' | 'R' | 'w' | 'W' | '#') | None => None,
            Some(_) => Some(chars.as_str()),
        };
        match rest {
            Some(rest) => text = rest,
            None => return found,
        }
    }
}

/// What follows numbers, patterns, `!` and the ends of other commands.
fn behind_address(mut text: &str) -> &str {
    loop {
        text = text.trim_start_matches(|c: char| c.is_ascii_digit() || " \t;{},$!~+".contains(c));
        let Some((_, rest)) = text.strip_prefix('/').and_then(|rest| part(rest, '/')) else {
            return text;
        };
        text = rest.trim_start_matches(['I', 'M']);
    }
}

/// The replacement is the command if the flags say so.
fn substitute<'a>(text: &'a str, found: &mut Vec<String>) -> Option<&'a str> {
    let (replacement, rest) = two_parts(text)?;
    let flags = rest.split([';', '}', ' ']).next().unwrap_or_default();
    if flags.contains('e') && !flags.contains('w') {
        found.push(replacement.replace('\\', ""));
    }
    rest.get(flags.len()..)
}

/// The second of two parts behind a delimiter, and what follows them.
fn two_parts(text: &str) -> Option<(&str, &str)> {
    let delimiter = text.chars().next()?;
    let (_, rest) = part(text.get(delimiter.len_utf8()..)?, delimiter)?;
    part(rest, delimiter)
}

/// The text up to a delimiter that is not escaped, and what follows it.
fn part(text: &str, delimiter: char) -> Option<(&str, &str)> {
    let mut escaped = false;
    let end = text.find(|c| {
        let closes = c == delimiter && !escaped;
        escaped = c == '\\' && !escaped;
        closes
    })?;
    Some((text.get(..end)?, text.get(end + delimiter.len_utf8()..)?))
}
