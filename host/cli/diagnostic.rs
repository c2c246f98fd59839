//! Problems of configuration files for display: the place, the message, the line, the help.

use hookbox::hookfile::{Problem, Severity};

use crate::{
    findings::Level,
    printer::{ERROR, GOOD, Printer, WARNING},
};

/// Prints each problem, with colours on a terminal.
pub(crate) fn print_problems(problems: &[Problem], printer: &Printer) {
    for problem in problems {
        record_problem(problem, printer);
        printer.print_note(&render_problem(problem));
    }
}

fn record_problem(problem: &Problem, printer: &Printer) {
    let level = match problem.severity {
        Severity::Error => Level::Wrong,
        Severity::Warning => Level::Odd,
    };
    let help = problem.help.as_ref().map(|help| format!("; help: {help}")).unwrap_or_default();
    printer.add_finding(level, &problem.place(), &format!("{}{help}", problem.message));
}

fn render_problem(problem: &Problem) -> String {
    let style = match problem.severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
    };
    let severity = problem.severity.as_str();
    let plain = problem.to_string();
    // Only once: the quoted line may contain the same text.
    let coloured = plain.replacen(&format!(": {severity}: "), &format!(": {style}{severity}{style:#}: "), 1);
    match &problem.help {
        Some(help) => {
            coloured.replacen(&format!("\n  help: {help}"), &format!("\n  {GOOD}help{GOOD:#}: {help}"), 1)
        }
        None => coloured,
    }
}

/// Counts problems: `2 errors, 1 warning`; `more` are warnings that belong to no file's line.
pub(crate) fn format_problem_counts(problems: &[Problem], (errors, warnings): (usize, usize)) -> String {
    let of = |severity: Severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error) + errors, of(Severity::Warning) + warnings);
    format!("{}, {}", format_count(errors, "error"), format_count(warnings, "warning"))
}

/// Formats a count: `1 hook`, `2 hooks`.
pub(crate) fn format_count(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
