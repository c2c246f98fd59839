//! A command line as Gemini CLI and its fork hand it to the shell: the variables of the project are put into it, quoted,
//! so that a folder with a blank in its name is one word without quotes of the author's.

use std::{borrow::Cow, path::Path};

/// Paths of bash. `PATH` is not used, since the project may have set it.
const BASH: [&str; 4] =
    ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/run/current-system/sw/bin/bash"];

/// Returns the shell of every command line, regardless of the user's shell. Falls back to the usual path: the hook then fails and reports
/// that bash is missing.
pub(super) fn find_shell() -> &'static str {
    BASH.into_iter().find(|bash| Path::new(bash).is_file()).unwrap_or(BASH[0])
}

/// Quotes that enclose a character of a command line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    None,
    Single,
    Double,
}

/// Replaces each `$NAME` of these names by the value. Within double quotes the shell itself inserts it as one word. Within single quotes,
/// where the shell inserts nothing, it is replaced only by a value that needs no quoting: any other could end the quotes.
pub(super) fn expand_variables<'l>(line: &'l str, names: &[&str], value: &str) -> Cow<'l, str> {
    // No argument can hold a NUL; the variable then stays in the line.
    if value.contains('\0') || !names.iter().any(|name| line.contains(&format!("${name}"))) {
        return Cow::Borrowed(line);
    }
    let (mut text, mut rest, mut quotes) = (String::with_capacity(line.len()), line, Quotes::None);
    while let Some(c) = rest.chars().next() {
        if let (Some(after), Some(put_in)) = (strip_variable(rest, names), put_in(quotes, value)) {
            text.push_str(&put_in);
            rest = after;
            continue;
        }
        // A backslash quotes the next character, which then neither begins a variable nor ends quotes.
        let taken = if c == '\\' && quotes != Quotes::Single { 2 } else { 1 };
        quotes = update_quotes(c, quotes);
        let end = rest.char_indices().nth(taken).map_or(rest.len(), |(at, _)| at);
        let (before, after) = rest.split_at(end);
        text.push_str(before);
        rest = after;
    }
    Cow::Owned(text)
}

/// Returns the text after one of these variables, if the text begins with one.
fn strip_variable<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let name = text.strip_prefix('$')?;
    names.iter().find_map(|wanted| name.strip_prefix(wanted))
}

/// Returns the form of the value within these quotes; `None` if it is not inserted.
fn put_in(quotes: Quotes, value: &str) -> Option<String> {
    match quotes {
        Quotes::None if is_plain(value) => Some(value.to_owned()),
        // The value is a path, which a project chooses: without quotes its `;` or `$(…)` would run as a
        // command.
        Quotes::None => Some(format!("'{}'", value.replace('\'', r"'\''"))),
        Quotes::Single => is_plain(value).then(|| value.to_owned()),
        Quotes::Double => None,
    }
}

fn update_quotes(c: char, quotes: Quotes) -> Quotes {
    match (c, quotes) {
        ('\'', Quotes::None) => Quotes::Single,
        ('"', Quotes::None) => Quotes::Double,
        ('\'', Quotes::Single) | ('"', Quotes::Double) => Quotes::None,
        _ => quotes,
    }
}

fn is_plain(value: &str) -> bool {
    !value.is_empty() && value.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+@%:,=".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["GEMINI_PROJECT_DIR", "GEMINI_CWD"];

    #[test]
    fn a_variable_of_the_project_is_one_word() {
        for (line, value, expected) in [
            ("ls", "/a b", "ls"),
            ("$GEMINI_PROJECT_DIR/x.sh", "/a", "/a/x.sh"),
            ("$GEMINI_PROJECT_DIR/x.sh", "/a b", "'/a b'/x.sh"),
            ("\"$GEMINI_PROJECT_DIR/x.sh\" $GEMINI_CWD", "/a b", "\"$GEMINI_PROJECT_DIR/x.sh\" '/a b'"),
            ("echo '$GEMINI_CWD'", "/a", "echo '/a'"),
            ("echo '$GEMINI_CWD'", "/a b", "echo '$GEMINI_CWD'"),
            (r"echo \$GEMINI_CWD \\$GEMINI_CWD", "/a", r"echo \$GEMINI_CWD \\/a"),
            ("echo \"it's\" $GEMINI_CWD", "/a b", "echo \"it's\" '/a b'"),
            ("ls $GEMINI_CWD", "/a'; touch /b; '", r"ls '/a'\''; touch /b; '\'''"),
            ("ls $OTHER $", "/a", "ls $OTHER $"),
            ("ls $GEMINI_CWD \\", "", "ls '' \\"),
        ] {
            assert_eq!(expand_variables(line, &NAMES, value), expected, "{line}");
        }
    }
}
