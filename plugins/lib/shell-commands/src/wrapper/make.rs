//! Text that tools run line by line: what `make` builds things with, and what `cron` starts.

use super::option_values;
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// Maximum number of lines of a file that are read.
const MAX_LINES: usize = 10_000;

/// The commands in what `make` reads on its standard input and in `--eval`.
pub(super) fn of_make(call: &Call) -> Vec<String> {
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let given = option_values(call.args(), &["--eval", "-E"]);
    let streams = call.args().iter().filter_map(|arg| arg.stream.as_ref()?.text.clone());
    stdin.chain(given).chain(streams).flat_map(|text| recipes(&text)).collect()
}

/// Returns the rule files that `make` is passed.
pub(crate) fn rule_files(call: &Call) -> Vec<String> {
    if !call.is(&["make", "gmake"]) {
        return Vec::new();
    }
    let mut files = option_values(call.args(), &["-f", "--file", "--makefile"]);
    if files.is_empty() {
        files.extend(["GNUmakefile", "makefile", "Makefile"].map(str::to_owned));
    }
    files
}

/// Returns the commands of rules: each line behind a tab, and the text behind `;` in the line of a rule.
pub(crate) fn recipes(text: &str) -> Vec<String> {
    let command = |line: &str| {
        let (_, command) = line.split_once('\t').filter(|(before, _)| before.is_empty()).or_else(|| {
            let (rule, command) = line.split_once(';')?;
            rule.contains(':').then_some((rule, command))
        })?;
        Some(command.trim_start_matches(['@', '-', '+', ' ']).replace("$$", "$").replace("$(HOME)", "$HOME"))
    };
    let shell =
        |line: &str| line.split_once("$(shell ").map(|(_, rest)| rest.trim_end_matches(')').to_owned());
    text.lines().take(MAX_LINES).flat_map(|line| command(line).into_iter().chain(shell(line))).collect()
}

/// The commands of a table for `cron` on the standard input: `* * * * * command`, `@reboot command`.
pub(super) fn of_cron(call: &Call) -> Vec<String> {
    let options = Options::parse(call.args(), Grammar { short: "u", ..Grammar::ANYWHERE });
    let reads = options.operands.iter().map(Arg::as_str).all(|file| matches!(file, "-" | "/dev/stdin"));
    let text = call.stdin.text.as_deref().filter(|_| call.has_stdin && reads).unwrap_or_default();
    let command = |line: &str| {
        let line = line.trim_start();
        let fields = if line.starts_with('@') { 1 } else { 5 };
        let words: Vec<&str> = line.split_whitespace().skip(fields).collect();
        (!line.starts_with('#') && !words.is_empty()).then(|| words.join(" "))
    };
    text.lines().take(MAX_LINES).filter_map(command).collect()
}
