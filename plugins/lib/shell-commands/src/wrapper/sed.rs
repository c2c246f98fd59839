//! Commands that a `sed` script runs, `e command` and `s/…/command/e`, and files that it writes, `w file` and `s/…/…/w
//! file`.

use crate::{
    arg::Arg,
    call::{Grammar, Options},
};

/// Effects of a script besides printing.
#[derive(Default)]
struct Effects {
    commands: Vec<String>,
    files: Vec<String>,
}

/// The commands in the scripts that the arguments are.
pub(super) fn commands(args: &[Arg]) -> Vec<String> {
    effects(args).commands
}

/// The files that these scripts write.
pub(crate) fn sed_files(args: &[Arg]) -> Vec<String> {
    effects(args).files
}

fn effects(args: &[Arg]) -> Effects {
    let grammar = Grammar { short: "ef", long: &["expression", "file"], anywhere: true };
    let options = Options::parse(args, grammar);
    let given = options.given.iter().filter(|(name, _)| name == "e" || name == "--expression");
    let scripts = given.filter_map(|(_, value)| value.as_ref()).chain(options.operands.first());
    let lines: Vec<String> = scripts.flat_map(|script| lines(&script.plain())).collect();
    let mut found = Effects::default();
    for text in &lines {
        line(text, &mut found);
    }
    found
}

fn lines(script: &str) -> Vec<String> {
    script.lines().map(str::to_owned).collect()
}

/// The effects of one line.
fn line(mut text: &str, found: &mut Effects) {
    loop {
        text = behind_address(text);
        let mut chars = text.chars();
        let rest = match chars.next() {
            Some('e') => {
                found.commands.push(chars.as_str().trim().to_owned());
                None
            }
            Some('s') => substitute(chars.as_str(), found),
            Some('y') => two_parts(chars.as_str()).map(|(_, rest)| rest),
            // Their text or file goes on to the end of the line.
            Some('w' | 'W') => {
                found.files.push(chars.as_str().trim().to_owned());
                None
            }
            Some('a' | 'c' | 'i' | 'r' | 'R' | '#') | None => None,
            Some(_) => Some(chars.as_str()),
        };
        match rest {
            Some(rest) => text = rest,
            None => return,
        }
    }
}

/// Returns the text behind numbers, patterns, `!` and the ends of other commands.
fn behind_address(mut text: &str) -> &str {
    loop {
        text = text.trim_start_matches(|c: char| c.is_ascii_digit() || " \t;{},$!~+".contains(c));
        let Some((_, rest)) = text.strip_prefix('/').and_then(|rest| part(rest, '/')) else {
            return text;
        };
        text = rest.trim_start_matches(['I', 'M']);
    }
}

/// Records the command of a substitution with the flag `e` and the file of `w`; returns the text behind the flags.
fn substitute<'a>(text: &'a str, found: &mut Effects) -> Option<&'a str> {
    let (replacement, rest) = two_parts(text)?;
    let flags = rest.split([';', '}', ' ']).next().unwrap_or_default();
    if flags.contains('e') && !flags.contains('w') {
        found.commands.push(replacement.replace('\\', ""));
    }
    if let Some((_, file)) = rest.split_once('w').filter(|_| flags.contains('w')) {
        found.files.push(file.trim().to_owned());
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
