//! `guard-shell`: judges many command lines in one run, as the plugin `guard-shell` judges each command of an agent.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program that prints")]

mod input;
mod settings;
mod verdict;

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
};

use input::Line;
use settings::Subject;
use shell_commands::{facts::read_facts, judge};
use verdict::Verdict;

const HELP: &str = "\
Judges command lines, one on each line of standard input: text, or a JSON object with `command` and optionally `cwd`.
The commands are not run.

Usage: guard-shell [--plugin NAME] [--config hooks.toml] [--cwd FOLDER] [--json] [--stopped] [--facts]

  --plugin NAME  the plugin that judges: guard-shell, or allow-safe, whose verdict is allow or none [default: guard-shell]
  --config FILE  use the settings of the first hook in FILE that calls the plugin
  --cwd FOLDER   working directory for lines without `cwd` [default: unknown]
  --json         print a JSON object for each line
  --stopped      print only lines with the verdict deny, ask or confine
  --facts        print the facts about each line as a JSON object (commands, paths, hosts) in place of a verdict
  --help         print this help

Example:
  tail -n 500 ~/.bash_history | guard-shell --cwd \"$PWD\" --stopped

Exit code: 0 if no line is stopped, 1 if one is, 2 for wrong usage or input.";

fn main() -> ExitCode {
    match settings::read(std::env::args().skip(1)) {
        Ok(None) => {
            println!("{HELP}");
            ExitCode::SUCCESS
        }
        Ok(Some(settings)) => match run(&settings, io::stdin().lock(), io::stdout().lock()) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::FAILURE,
            Err(problem) => wrong(&problem),
        },
        Err(problem) => wrong(&problem),
    }
}

fn wrong(problem: &str) -> ExitCode {
    eprintln!("guard-shell: {problem}");
    ExitCode::from(2)
}

/// Judges each line, and returns the number of stopped lines.
fn run(
    settings: &settings::Settings,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<usize, String> {
    let mut stopped = 0;
    let mut number = 0;
    while let Some(text) = input::next(&mut input).map_err(|error| format!("line {}: {error}", number + 1))? {
        number += 1;
        if text.trim().is_empty() {
            continue;
        }
        let line = Line::read(&text).map_err(|error| format!("line {number}: {error}"))?;
        let cwd = line.cwd.as_deref().unwrap_or(&settings.cwd);
        let rendered = if settings.facts {
            let facts = serde_json::to_string(&read_facts(&line.command, cwd, cwd));
            facts.map_err(|error| {
                format!("the facts about line {number} cannot be written as JSON: {error}")
            })?
        } else {
            let verdict = match &settings.subject {
                Subject::GuardShell(policy) => Verdict::new(&line.command, judge(&line.command, cwd, policy)),
                Subject::AllowSafe(policy) => {
                    Verdict::of_doubt(&line.command, allow_safe::judge(&line.command, cwd, cwd, policy))
                }
            };
            stopped += usize::from(verdict.is_stopped());
            if settings.only_stopped && !verdict.is_stopped() {
                continue;
            }
            if settings.json { verdict.json() } else { verdict.text() }
        };
        match writeln!(output, "{rendered}") {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            written => {
                written
                    .map_err(|error| format!("the output for line {number} cannot be written: {error}"))?;
            }
        }
    }
    Ok(stopped)
}
