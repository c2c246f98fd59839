//! `guard-shell`: judges many command lines in one run, as the plugin of this name judges each when an agent is about
//! to run it.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program that prints")]

mod input;
mod settings;
mod verdict;

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
};

use input::Line;
use shell_commands::{facts::read_facts, judge};
use verdict::Verdict;

const HELP: &str = "\
Judges command lines, one on each line of standard input: text, or a JSON object with `command` and perhaps `cwd`.
Nothing is run.

Usage: guard-shell [--config hooks.toml] [--cwd FOLDER] [--json] [--stopped] [--facts]

  --config FILE  the settings of the hook that calls the plugin `guard-shell` in this file; the first, if there are several
  --cwd FOLDER   where a line runs that does not say so; unknown by default
  --json         a JSON object for each line, as it is written
  --stopped      only lines that are denied or asked about
  --facts        the facts about each line as a JSON object in place of a judgement: commands, paths, hosts
  --help         this text

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

/// Judges each line; gives how many are stopped.
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
            let verdict = Verdict::new(&line.command, judge(&line.command, cwd, &settings.policy));
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
