//! Loops that start processes and never end.

use brush_parser::ast::{
    ArithmeticForClauseCommand, CompoundList, SeparatorOperator, WhileOrUntilClauseCommand,
};

/// Conditions that always hold, without blanks.
const ALWAYS: &[&str] =
    &["true", ":", "/bin/true", "/usr/bin/true", "[true]", "[1]", "[[1]]", "[[-n1]]", "[[true]]", "((1))"];
/// Conditions that never hold.
const NEVER: &[&str] = &["false", "/bin/false", "/usr/bin/false"];
/// Commands that hold a loop up, or leave it.
const HOLDING: &[&str] = &[
    "accept",
    "break",
    "exec",
    "exit",
    "flock",
    "inotifywait",
    "kill",
    "pause",
    "read",
    "return",
    "select",
    "sem",
    "sleep",
    "timeout",
    "usleep",
    "wait",
];

/// `while true; do work & done`.
pub(super) fn spawns_while(command: &WhileOrUntilClauseCommand, is_until: bool) -> bool {
    let condition: String =
        command.0.to_string().chars().filter(|c| !c.is_whitespace() && *c != ';').collect();
    let endless = if is_until { NEVER } else { ALWAYS };
    endless.contains(&condition.as_str()) && spawns(&command.1.list)
}

/// `for ((;;)); do work & done`.
pub(super) fn spawns_for(command: &ArithmeticForClauseCommand) -> bool {
    let condition = command.condition.as_ref().map_or("", |condition| condition.value.trim());
    matches!(condition, "" | "1") && spawns(&command.body.list)
}

/// Returns true if each round starts something in the background, and nothing delays it.
fn spawns(body: &CompoundList) -> bool {
    let is_background = |separator: &SeparatorOperator| matches!(separator, SeparatorOperator::Async);
    body.0.iter().any(|item| is_background(&item.1)) && {
        let text = body.to_string();
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        !words.any(|word| HOLDING.contains(&word))
    }
}
