//! The status as text.

use std::fmt::Write as _;

use super::{AgentStatus, HOURS, MachineStatus, Protection};
use crate::{
    commands::log,
    diagnostic::format_count,
    printer::{DIM, ERROR, GOOD, Printer, WARNING},
    report::{sanitize_line, shorten_text},
};

/// Maximum number of rules and of last events that are shown.
const MAX_SHOWN: usize = 6;
/// Widest column for the names of agents, in characters; names in the log may be longer.
const MAX_AGENT: usize = 20;

/// Prints each section: its name, and its lines next to it.
pub(super) fn print_page(status: &MachineStatus<'_>, printer: &Printer) {
    let sections = [
        ("agents", list_agents(status)),
        ("hooks", describe_hooks(status)),
        ("stopped", list_stopped(status)),
        ("trust", describe_waiting(status)),
        ("last", list_last_events(status)),
        ("next", list_next_steps(status)),
    ];
    for (name, lines) in sections {
        for (at, line) in lines.iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            printer.print_line(&format!("{name:8} {line}"));
        }
    }
}

fn list_agents(status: &MachineStatus<'_>) -> Vec<String> {
    let width = status.agents.iter().map(|status| status.agent.len()).max().unwrap_or_default();
    let line = |AgentStatus { agent, protection }: &AgentStatus| {
        format!("{agent:width$}  {}", describe_protection(protection))
    };
    let lines = status.agents.iter().map(line).collect();
    or_line(lines, "none that hookbox knows is on this machine")
}

fn describe_protection(protection: &Protection) -> String {
    match protection {
        Protection::Entries(entries) => {
            format!("{GOOD}protected{GOOD:#}: it calls hookbox for {}", format_count(*entries, "event"))
        }
        Protection::NoEntry => format!("{WARNING}not protected{WARNING:#}: no entry calls hookbox"),
        Protection::Faulty(problem) => format!("{ERROR}faulty{ERROR:#}: {}", shorten_text(problem)),
    }
}

fn describe_hooks(status: &MachineStatus<'_>) -> Vec<String> {
    let hooks = &status.hooks;
    let mut line = format!("{} in force, {} can stop a call", hooks.in_force, hooks.can_stop);
    if hooks.disabled > 0 {
        let _ = write!(line, ", {} disabled", hooks.disabled);
    }
    if hooks.has_errors {
        let _ = write!(line, "; {ERROR}the configuration has errors{ERROR:#}");
    }
    vec![line]
}

fn list_stopped(status: &MachineStatus<'_>) -> Vec<String> {
    let stopped = &status.stopped;
    if !stopped.is_logged {
        return vec!["unknown: your configuration has `log = false`".to_owned()];
    }
    let mut lines =
        vec![format!("{} denied, {} asked in the last {HOURS} hours", stopped.denied, stopped.asked)];
    lines.extend(stopped.rules.iter().take(MAX_SHOWN).map(log::format_rule));
    lines.extend(format_rest(stopped.rules.len(), "rule"));
    lines
}

fn describe_waiting(status: &MachineStatus<'_>) -> Vec<String> {
    vec![match status.waiting {
        0 => "no hook of this project waits for a review".to_owned(),
        1 => format!("{WARNING}1 hook of this project waits for a review{WARNING:#}"),
        count => format!("{WARNING}{count} hooks of this project wait for a review{WARNING:#}"),
    }]
}

fn list_last_events(status: &MachineStatus<'_>) -> Vec<String> {
    let events = &status.last_events;
    let width = events.iter().map(|entry| entry.agent.len()).max().unwrap_or_default().min(MAX_AGENT);
    let shown = events.iter().take(MAX_SHOWN).map(|entry| {
        let agent = sanitize_line(&entry.agent);
        let (verdict, age) = (log::format_verdict(&entry.verdict), log::format_age(entry.time, status.now));
        format!("{agent:width$}  {verdict} {DIM}{age}{DIM:#}  {}", shorten_text(&log::describe_call(entry)))
    });
    let mut lines: Vec<_> = shown.collect();
    lines.extend(format_rest(events.len(), "agent"));
    or_line(lines, "no event was logged yet")
}

fn list_next_steps(status: &MachineStatus<'_>) -> Vec<String> {
    let steps = status.list_next_steps();
    let width = steps.iter().map(|step| step.command.len()).max().unwrap_or_default();
    let lines = steps.iter().map(|step| format!("{:width$}  {}", step.command, step.reason)).collect();
    or_line(lines, "nothing to do; `hookbox doctor` tests the installation")
}

fn format_rest(count: usize, word: &str) -> Option<String> {
    let rest = count.checked_sub(MAX_SHOWN).filter(|rest| *rest > 0)?;
    Some(format!("{DIM}{} more (--json shows all){DIM:#}", format_count(rest, word)))
}

fn or_line(lines: Vec<String>, otherwise: &str) -> Vec<String> {
    if lines.is_empty() { vec![otherwise.to_owned()] } else { lines }
}
