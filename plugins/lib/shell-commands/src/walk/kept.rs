//! Output that is not shown: it goes into a variable, or only a summary of it is printed.

use brush_parser::ast::{Command, CommandPrefixOrSuffixItem};

use crate::{
    arg::Arg,
    rules::{TAKERS, is_quiet},
};

/// Commands whose words become variables, or whose files do.
const SETTERS: &[&str] = &[".", "declare", "env", "export", "local", "readonly", "source", "typeset"];

/// Commands that print their words.
const PRINTERS: &[&str] = &["echo", "print", "printf"];

/// Returns true if the words behind these become variables: `export $(cat .env)`.
pub(super) fn sets_variables(words: &[Arg]) -> bool {
    words.first().and_then(Arg::literal).is_some_and(|name| SETTERS.contains(&name))
}

/// Returns true if a command prints the words behind these, so that a substitution there is shown.
pub(super) fn prints_arguments(words: &[Arg]) -> bool {
    words.first().and_then(Arg::literal).is_none_or(|name| PRINTERS.contains(&name))
}

/// Returns the number of commands at the beginning of a pipe whose readers print little: `cat .env | wc -l`.
pub(super) fn count_quiet(commands: &[Command]) -> usize {
    let names_variables = commands.iter().position(|command| command.to_string().contains(".env"));
    let mut numbered = commands.iter().enumerate();
    let last_quiet = numbered.rfind(|(at, command)| {
        let of_variables = names_variables.is_some_and(|named| named < *at);
        tells_little(command, of_variables)
    });
    last_quiet.map_or(0, |(at, _)| at)
}

fn tells_little(command: &Command, of_variables: bool) -> bool {
    let Command::Simple(simple) = command else { return false };
    let Some(name) = &simple.word_or_name else { return false };
    let suffix = simple.suffix.iter().flat_map(|suffix| &suffix.0);
    let words = suffix.filter_map(|item| match item {
        CommandPrefixOrSuffixItem::Word(word) => Some(Arg::new(word.value.replace(['\'', '"'], ""))),
        _ => None,
    });
    // What is piped into it stands for an operand.
    let piped = of_variables.then(|| Arg::new(".env"));
    let words: Vec<Arg> = words.chain(piped).collect();
    is_quiet(&name.value, &words) || words.iter().any(|word| TAKERS.contains(&word.as_str()))
}
