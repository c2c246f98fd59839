//! Programs that start the rest of their words as a command, and the proof that the facts list that command.

use shell_commands::facts::{FactWord, SimpleCommand};

use crate::{decide::Context, options::read_options};

/// A program that starts a command: its options, and the number of operands in front of the command.
struct Wrapper {
    name: &'static str,
    options: &'static str,
    operands: usize,
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper { name: "command", options: "first", operands: 0 },
    Wrapper { name: "nice", options: "-n: first", operands: 0 },
    Wrapper { name: "nohup", options: "first", operands: 0 },
    Wrapper { name: "time", options: "-p first", operands: 0 },
    Wrapper {
        name: "timeout",
        options: "-k: -s: -v --kill-after: --signal: --preserve-status --foreground first",
        operands: 1,
    },
    Wrapper {
        name: "xargs",
        options: "-0 -r -t -x -n: -L: -P: -s: -I: -d: --null --no-run-if-empty --max-args: --max-procs: --delimiter: first",
        operands: 0,
    },
];
/// Shells that read a command line from an argument.
const SHELLS: &[&str] = &["bash", "dash", "sh"];

/// Returns true if every program on the way to a command is a known wrapper. These are in the list of commands, too.
pub(crate) fn is_reached_by_wrappers(command: &SimpleCommand, context: &Context<'_>) -> bool {
    let is_known = |(at, name): (usize, &String)| {
        let is_wrapper =
            WRAPPERS.iter().any(|wrapper| wrapper.name == name) || SHELLS.contains(&name.as_str());
        let before = command.via.get(..at).unwrap_or_default();
        (is_wrapper || name == "find")
            && context.commands.iter().any(|outer| outer.program == *name && outer.via == before)
    };
    command.via.iter().enumerate().all(is_known)
}

/// Returns true if a command is a wrapper whose options are harmless, and the facts list the command that it starts.
pub(crate) fn is_harmless_wrapper(command: &SimpleCommand, context: &Context<'_>) -> bool {
    let words = command.words.get(1..).unwrap_or_default();
    if SHELLS.contains(&command.program.as_str()) {
        // The facts list the commands of the text, or report it as undetermined.
        return matches!(words, [option, code, ..] if option.certain && option.text == "-c" && code.certain);
    }
    let Some(wrapper) = WRAPPERS.iter().find(|wrapper| wrapper.name == command.program) else { return false };
    // The words of the inner command may be unknown: they are judged with that command.
    let known = words.iter().take_while(|word| word.certain).count();
    let Some(given) = read_options(words.get(..known).unwrap_or_default(), wrapper.options) else {
        return false;
    };
    let Some(start) = given.operands.len().checked_sub(1).and(given.operands.get(wrapper.operands)) else {
        return false;
    };
    let Some(at) = words.iter().position(|word| std::ptr::eq(word, *start)) else { return false };
    let inner = words.get(at..).unwrap_or_default();
    lists_inner_command(command, inner, context)
}

/// Returns true if the facts list a command behind this one that begins with these words.
pub(crate) fn lists_inner_command(
    command: &SimpleCommand,
    inner: &[FactWord],
    context: &Context<'_>,
) -> bool {
    let Some(first) = inner.first().filter(|first| first.certain) else { return false };
    let is_inner = |other: &SimpleCommand| {
        other.via.split_last().is_some_and(|(last, before)| *last == command.program && before == command.via)
            && other.words.first() == Some(first)
    };
    context.commands.iter().any(is_inner)
}
