//! Files that database clients write by a statement or a command.

use crate::{arg::Arg, call::Call};

/// Clients that write files of this machine.
const CLIENTS: &[&str] =
    &["duckdb", "mariadb", "mysql", "pgcli", "psql", "sqlcipher", "sqlite", "sqlite3", "usql"];
/// Text in front of a file's name in quotes, in lower case.
const STATEMENTS: &[&str] =
    &["attach ", "attach database ", "into dumpfile ", "into outfile ", "into ", "to ", "writefile("];
/// Beginnings of a statement with `to`.
const COPYING: &[&str] = &["copy", "\\copy", "export"];
/// Commands at the beginning of a line, and a file behind them.
const COMMANDS: &[&str] = &[
    ".backup ", ".clone ", ".excel ", ".log ", ".once ", ".output ", ".save ", ".trace ", "\\g ", "\\o ",
    "\\w ", "tee ",
];

/// The files that the texts of a command name.
pub(super) fn files(name: &str, call: &Call) -> Vec<String> {
    if !CLIENTS.contains(&name) {
        return Vec::new();
    }
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let texts = call.args().iter().map(Arg::plain).chain(stdin);
    texts.flat_map(|text| text.split([';', '\n']).flat_map(named).collect::<Vec<_>>()).collect()
}

fn named(statement: &str) -> Vec<String> {
    let statement = statement.trim();
    let lower = statement.to_ascii_lowercase();
    let command = COMMANDS.iter().find(|begin| lower.starts_with(*begin));
    let last = command.and_then(|_| statement.split_whitespace().last());
    let mut found: Vec<String> =
        last.map(|file| file.trim_matches(['\'', '"']).to_owned()).into_iter().collect();
    for before in STATEMENTS {
        if *before == "to " && !COPYING.iter().any(|begin| lower.starts_with(begin)) {
            continue;
        }
        found.extend(lower.match_indices(before).filter_map(|(at, _)| {
            let behind = statement.get(at + before.len()..)?.trim_start();
            let quote = behind.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            behind.get(1..)?.split(quote).next().map(str::to_owned)
        }));
    }
    found
}
