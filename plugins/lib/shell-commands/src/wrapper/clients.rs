//! Commands that clients of databases give to a shell: `\\!`, `.shell`, `copy … to program`.

use crate::{arg::Arg, call::Call};

/// Maximum number of lines of a script that are read.
const MAX_LINES: usize = 10_000;
const POSTGRES: &[&str] = &["psql", "pgcli", "ysqlsh", "usql"];
const OTHERS: &[&str] = &["mysql", "mariadb", "sqlite3", "sqlite", "sqlcipher", "duckdb", "sqlplus"];
/// Text in front of a shell command at the beginning of a line.
const SHELL: &[&str] = &[
    "\\!",
    "\\o |",
    "\\g |",
    "\\w |",
    ".shell ",
    ".system ",
    ".output |",
    ".once |",
    "system ",
    "host ",
    "pager ",
];

pub(super) fn is_client(name: &str) -> bool {
    POSTGRES.contains(&name) || OTHERS.contains(&name)
}

pub(super) fn commands(call: &Call) -> Vec<String> {
    let streams = call.args().iter().filter_map(|arg| arg.stream.as_ref()?.text.clone());
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let texts: Vec<String> = call.args().iter().map(Arg::plain).chain(stdin).chain(streams).collect();
    let lines = || texts.iter().flat_map(|text| text.lines().take(MAX_LINES));
    let shell = lines().filter_map(|line| {
        let line = line.trim_start();
        SHELL.iter().find_map(|begin| line.strip_prefix(begin)).map(|text| text.trim().to_owned())
    });
    let programs = lines().filter_map(program);
    shell.chain(programs).collect()
}

/// `copy t to program 'gzip > t.gz'`: the server, or psql itself, runs it.
fn program(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let (before, _) = lower.split_once(" program ")?;
    let behind = line.get(before.len() + " program ".len()..)?.trim_start();
    let text = behind.strip_prefix('\'')?;
    before.trim_start_matches('\\').trim_start().starts_with("copy").then_some(())?;
    Some(text.split('\'').next().unwrap_or_default().to_owned())
}
