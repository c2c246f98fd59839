//! Commands of the shell itself.

use shell_commands::facts::{FactWord, SimpleCommand};

use super::{Program, any, checked, listed, own};
use crate::{
    decide::Context,
    options::Given,
    variables::{is_harmless_for_command, is_harmless_for_shell},
};

/// Operators of `test` with one operand behind them. `-v` and `-R` evaluate their operand.
const UNARY: &[&str] = &["-n", "-z", "-f", "-d", "-e", "-r", "-w", "-x", "-s", "-L", "-h", "-S", "-p"];

pub(super) const PROGRAMS: &[Program] = &[
    any(&["echo", "true", "false", ":", "pwd", "sleep", "exit", "return", "break", "continue"]),
    own(&["printf"], |command, _, _| {
        command.words.get(1).is_some_and(|format| {
            format.certain && !format.text.starts_with('-') && !stores_count(&format.text)
        })
    }),
    listed(&["wait"], "-n"),
    listed(&["type", "which"], "-a -p -t"),
    checked(&["command"], "-v -V", |_, given, _| !given.options.is_empty()),
    own(&["set"], |command, _, _| {
        let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
        matches!(words.as_slice(), ["-e" | "-u" | "-eu" | "-f"] | ["-euo" | "-eo" | "-uo" | "-o", "pipefail"])
    }),
    checked(&["cd"], "", is_safe_cd),
    checked(&["read"], "-r -a: -d: -n: -t: -s", |_, given, _| {
        let arrays = given.options.iter().filter(|(name, _)| name == "-a").filter_map(|(_, value)| *value);
        given.operands.iter().map(|name| name.text.as_str()).chain(arrays).all(is_harmless_for_shell)
    }),
    checked(&["export"], "", |_, given, _| {
        given.operands.iter().all(|word| {
            word.text.split_once('=').is_some_and(|(name, value)| {
                is_harmless_for_command(name, &FactWord { text: value.to_owned(), certain: true })
            })
        })
    }),
    own(&["test", "["], |command, _, _| is_safe_test(command)),
];

/// Returns true if the new folder is inside the project: the next command of the agent may start there.
fn is_safe_cd(command: &SimpleCommand, given: &Given<'_>, context: &Context<'_>) -> bool {
    let [target] = given.operands.as_slice() else { return false };
    let Some(folder) = &command.folder else { return false };
    let text = target.text.as_str();
    let path = if text.starts_with('/') { text.to_owned() } else { format!("{folder}/{text}") };
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let path = format!("/{}", parts.join("/"));
    text != "-" && (path == context.workspace || path.starts_with(&format!("{}/", context.workspace)))
}

/// Returns true if a test evaluates none of its words.
fn is_safe_test(command: &SimpleCommand) -> bool {
    let is_bracket = command.program == "[";
    let words = command.words.get(1..).unwrap_or_default();
    let words = match words.split_last() {
        Some((last, rest)) if is_bracket && last.certain && last.text == "]" => rest,
        _ if is_bracket => return false,
        _ => words,
    };
    let words = match words.split_first() {
        Some((first, rest)) if first.certain && first.text == "!" => rest,
        _ => words,
    };
    match words {
        [operator, _] if operator.certain && UNARY.contains(&operator.text.as_str()) => true,
        words => words.iter().all(|word| word.certain && !matches!(word.text.as_str(), "-v" | "-R")),
    }
}

/// Returns true if a format of `printf` contains `%n`, which sets a variable.
fn stores_count(format: &str) -> bool {
    let rests = format.match_indices('%').filter_map(|(at, _)| format.get(at + 1..));
    rests.into_iter().any(|rest| {
        let conversion = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #.*'hlLjtz".contains(c));
        conversion.starts_with('n')
    })
}
