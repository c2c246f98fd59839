//! `hookbox run`: one event in, the agent's own answer out. Whatever happens, there is an answer.

use std::{
    fs,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use hookbox::{
    STOP_LOOP,
    dialect::{Dialect, Written},
    model::{Answer, Event, FailureCode, Outcome, Status},
};

use rustix::fs::{Mode, OFlags};

use super::read;
use crate::{args::RunArgs, counts, exit::ExitStatus, printer::Printer, report, setup::Setup};

pub(super) fn run(args: &RunArgs, printer: &Printer) -> ExitStatus {
    let dialect = match read::dialect_named(args.agent.as_deref()) {
        Ok(dialect) => dialect,
        Err(message) => {
            printer.error(&message);
            return ExitStatus::Usage;
        }
    };
    let answered = catch_unwind(AssertUnwindSafe(|| answer(args, dialect, printer)));
    let written = answered
        .unwrap_or_else(|_| failure(dialect, None, "hookbox itself failed (a bug); see `hookbox doctor`"));
    printer.raw(&written.stdout);
    printer.raw_error(&written.stderr);
    ExitStatus::Agent(written.exit)
}

fn answer(args: &RunArgs, dialect: Option<&'static dyn Dialect>, printer: &Printer) -> Written {
    let begun = Instant::now();
    let read = read::input(dialect, args.patience.map(budget), printer)
        .map_err(|message| read::NoEvent { dialect, event: None, message })
        .and_then(|bytes| read::event(bytes, dialect));
    let (dialect, event) = match read {
        Ok(read) => read,
        Err(none) => return failure(none.dialect, none.event.as_deref(), &none.message),
    };
    let setup = Setup::read_for(dialect, Path::new(&event.cwd), &args.source, &args.own).in_session(&event);
    let host = setup.host_for(&event.name);
    let patience = args.patience.unwrap_or_else(|| dialect.patience(&event.name));
    // The agent waits from the start, whatever it takes its time with.
    let budget = budget(patience).saturating_sub(begun.elapsed());
    let reactor = host.select(&event).iter().any(|hook| hook.spec.needs_io());
    let outcome =
        match super::run_until_told(reactor, |told| host.dispatch_until(event.clone(), budget, told)) {
            Ok(outcome) => outcome,
            Err(error) => return dialect.write_failure(Some(&event.agent_event), &error),
        };
    if let Err(error) = setup.keep_turns(&event, &host) {
        printer.raw_error(&format!("hookbox: that a hook has run once cannot be kept: {error}\n"));
    }
    if let Some(path) = setup.failures_file(&args.own) {
        counts::save(&path, &setup.counts, &host);
    }
    // The process ends in a moment: the system takes back faster what this would give back.
    std::mem::forget(host);
    let mut written = if was_cancelled(&outcome) {
        dialect.write_failure(Some(&event.agent_event), TOLD_TO_END)
    } else {
        dialect.write(&event, &outcome)
    };
    if dialect.shows_logs() {
        written.stderr.push_str(&report::logs(&outcome));
    }
    if let Some(file) = &args.report {
        keep_report(file, &event, &outcome, printer);
    }
    if written.exit == 0 {
        warn(&setup, &outcome, printer);
    }
    written
}

/// Why hooks were cancelled, to the agent. Nobody waited for their answers, so it gets the strongest refusal.
const TOLD_TO_END: &str = "hookbox was told to end";

fn was_cancelled(outcome: &Outcome) -> bool {
    let cancelled =
        |status: &Status| matches!(status, Status::Failed(failure) if failure.code == FailureCode::Cancelled);
    outcome.reports.iter().any(|report| cancelled(&report.status))
}

/// A report that cannot be kept is told, and changes nothing about the answer.
fn keep_report(file: &Path, event: &Event, outcome: &Outcome, printer: &Printer) {
    let line = format!("{}\n", report::outcome_json(event, outcome));
    // What was done is for the owner's eyes, and a FIFO that nobody reads must not hold up the agent.
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let opened = rustix::fs::open(file, flags, Mode::RUSR | Mode::WUSR).map(fs::File::from);
    let written = opened.map_err(io::Error::from).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        printer.raw_error(&format!("hookbox: the report cannot be written to {}: {error}\n", file.display()));
    }
}

/// A little less than the agent waits, so that our answer is there first.
fn budget(patience: Duration) -> Duration {
    let margin = patience / 10 + Duration::from_millis(100);
    patience.saturating_sub(margin).max(patience / 2)
}

/// For whoever looks at the hook's log; an agent shows standard error only with a non-zero exit code.
fn warn(setup: &Setup, outcome: &Outcome, printer: &Printer) {
    for problem in &setup.loaded.problems {
        printer.raw_error(&format!("hookbox: {}: {}\n", problem.place(), problem.message));
    }
    for report in &outcome.reports {
        match &report.status {
            Status::Failed(failure) => {
                printer.raw_error(&format!("hookbox: the hook `{}` failed: {failure}\n", report.hook));
            }
            // Not every agent shows a notice.
            Status::Answered(Answer { notice: Some(notice), .. }) if report.hook == STOP_LOOP => {
                printer.raw_error(&format!("hookbox: {notice}\n"));
            }
            _ => {}
        }
    }
}

/// Without a dialect the strongest thing that most agents understand: exit code 2 and a reason.
fn failure(dialect: Option<&'static dyn Dialect>, event: Option<&str>, message: &str) -> Written {
    match dialect {
        Some(dialect) => dialect.write_failure(event, message),
        None => Written { stderr: format!("hookbox: {message}\n"), exit: 2, ..Written::default() },
    }
}
