//! `hookbox facts`: prints the facts about a command line.

use hookbox::{
    interfaces::CommandLine,
    model::{FactWord, Failure, FailureCode, PathAccess, ShellFacts, SimpleCommand},
};
use hookbox_app::places::Places;

use super::progress;
use crate::{args::FactsArgs, environment, exit::ExitStatus, printer::Printer, report};

/// Most rows of one kind that are printed for people; `--json` prints all.
const MOST_ROWS: usize = 100;

pub(super) fn print_facts(args: &FactsArgs, printer: &Printer) -> ExitStatus {
    let folder = args.folder.clone().unwrap_or_else(environment::current_folder);
    let folder = std::path::absolute(&folder).unwrap_or(folder).display().to_string();
    let line = CommandLine::new(&args.command, &folder);
    let places = Places::of_terminal(&environment::read_variable);
    let surroundings = progress::with_progress(environment::build_surroundings(places));
    let machine = surroundings.build_facts_machine();
    match super::block_on(true, machine.read_facts(&line)) {
        Ok(Ok(facts)) if args.json => print_json(&facts, printer),
        Ok(Ok(facts)) => {
            for row in describe_facts(&facts, &folder) {
                printer.print_line(&row);
            }
            ExitStatus::Success
        }
        Ok(Err(failure)) => {
            printer.print_error(&describe_failure(&failure));
            ExitStatus::Problems
        }
        Err(error) => {
            printer.print_error(&error);
            ExitStatus::Problems
        }
    }
}

fn print_json(facts: &ShellFacts, printer: &Printer) -> ExitStatus {
    match serde_json::to_value(facts) {
        Ok(json) => {
            printer.print_line(&format!("{json:#}"));
            ExitStatus::Success
        }
        Err(error) => {
            printer.print_error(&format!("the facts cannot be written as JSON: {error}"));
            ExitStatus::Problems
        }
    }
}

/// Returns the reason why facts cannot be computed, with the next step.
pub(super) fn describe_failure(failure: &Failure) -> String {
    let step = match failure.code {
        FailureCode::Missing => "; install hookbox again, with its plugins",
        FailureCode::NotCompiled => "; `hookbox setup` compiles the plugin",
        _ => "",
    };
    format!("no facts: {}{step}", report::sanitize_line(&failure.message))
}

/// Describes facts about a command line that starts in `folder`, a row each.
pub(super) fn describe_facts(facts: &ShellFacts, folder: &str) -> Vec<String> {
    let hosts = facts.hosts.iter().map(|contact| {
        let doubt = if contact.certain { "" } else { ", not certain" };
        format!(
            "{} by {}{doubt}",
            report::shorten_text(&contact.host),
            report::shorten_text(&contact.program)
        )
    });
    let unknown = facts.undetermined.iter().map(|part| {
        let text = report::shorten_text(&part.text);
        if text.is_empty() { part.reason.to_string() } else { format!("{}: {text}", part.reason) }
    });
    let mut rows = vec![format!("language {}", facts.language)];
    add_rows(&mut rows, "command", facts.commands.iter().map(|command| describe_command(command, folder)));
    add_rows(&mut rows, "path", facts.paths.iter().map(describe_access));
    add_rows(&mut rows, "host", hosts);
    add_rows(&mut rows, "unknown", unknown);
    rows
}

fn add_rows(rows: &mut Vec<String>, kind: &str, all: impl ExactSizeIterator<Item = String>) {
    let beyond = all.len().saturating_sub(MOST_ROWS);
    rows.extend(all.take(MOST_ROWS).map(|text| format!("{kind:8} {text}")));
    if beyond > 0 {
        rows.push(format!("{kind:8} … {beyond} more; --json prints all"));
    }
}

fn describe_command(command: &SimpleCommand, folder: &str) -> String {
    let assignments = command.assignments.iter().map(|(name, value)| format!("{name}={}", value.text));
    let words = command.words.iter().map(|word| word.text.clone());
    let redirections = |arrow: &'static str, files: &[FactWord]| {
        files.iter().map(|file| format!("{arrow} {}", file.text)).collect::<Vec<_>>()
    };
    let mut parts: Vec<_> = assignments.chain(words).collect();
    parts.extend(redirections("<", &command.reads));
    parts.extend(redirections(">", &command.writes));
    let text = report::shorten_text(&parts.join(" "));
    let notes = list_notes(command, folder);
    if notes.is_empty() { text } else { format!("{text}  ({})", notes.join(", ")) }
}

/// Returns the conditions under which the command runs.
fn list_notes(command: &SimpleCommand, folder: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if !command.via.is_empty() {
        notes.push(format!("via {}", report::shorten_text(&command.via.join(" "))));
    }
    match &command.folder {
        None => notes.push("in an unknown folder".to_owned()),
        Some(other) if other != folder => notes.push(format!("in {}", report::shorten_text(other))),
        Some(_) => {}
    }
    let flags = [
        (command.guessed, "may not run"),
        (command.elsewhere, "in a container or on another machine"),
        (command.piped_input, "with input"),
    ];
    notes.extend(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, note)| (*note).to_owned()));
    notes
}

fn describe_access(access: &PathAccess) -> String {
    let depth = if access.recursive { " with all below it" } else { "" };
    let doubt = if access.certain { "" } else { ", not certain" };
    format!("{} {}{depth}{doubt}", access.access, report::shorten_text(&access.path))
}
