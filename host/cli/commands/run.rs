//! `hookbox run`: one event in, the agent's own answer out. Whatever happens, there is an answer.

use std::{
    fs,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use hookbox::{
    Host, STOP_LOOP,
    dialect::{Dialect, UNHEARD},
    model::{Answer, Event, Outcome, Status},
};

use rustix::fs::{Mode, OFlags};

use super::read;
use crate::{
    args::RunArgs, counts, delivery::Delivery, exit::ExitStatus, printer::Printer, report, setup::Setup,
    signals::Refusal,
};

pub(super) fn run(args: &RunArgs, printer: &Printer) -> ExitStatus {
    let begun = Instant::now();
    let refusal = Refusal::by(UNHEARD);
    let dialect = match read::dialect_named(args.agent.as_deref()) {
        Ok(dialect) => dialect,
        Err(message) => {
            printer.error(&message);
            return ExitStatus::Usage;
        }
    };
    let run = Run { args, printer, begun, refusal };
    let (delivery, done) = catch_unwind(AssertUnwindSafe(|| run.answer(dialect))).unwrap_or_else(|_| {
        (run.failure(dialect, None, "hookbox itself failed (a bug); see `hookbox doctor`"), None)
    });
    let exit = delivery.deliver(printer);
    // The answer stands, whatever becomes of the rest.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Some(done) = done {
            run.keep(&done, exit);
            // The process ends in a moment: the system takes back faster what this would give back.
            std::mem::forget(done);
        }
    }));
    ExitStatus::Agent(exit)
}

/// One run of the command.
struct Run<'a> {
    args: &'a RunArgs,
    printer: &'a Printer,
    begun: Instant,
    refusal: Refusal,
}

/// What is kept and told once the agent has its answer.
struct Done {
    setup: Setup,
    host: Host,
    event: Event,
    outcome: Outcome,
}

impl Run<'_> {
    fn answer(&self, dialect: Option<&'static dyn Dialect>) -> (Delivery, Option<Done>) {
        let args = self.args;
        let read = read::input(dialect, args.patience.map(budget), self.printer)
            .map_err(|message| read::NoEvent { dialect, event: None, message })
            .and_then(|bytes| read::event(bytes, dialect));
        let (dialect, event) = match read {
            Ok(read) => read,
            Err(none) => return (self.failure(none.dialect, none.event.as_deref(), &none.message), None),
        };
        let setup = Setup::read_for(dialect, Path::new(&event.cwd), &args.source, &args.own);
        let host = setup.host_for(&event.name);
        let patience = args.patience.unwrap_or_else(|| dialect.patience(&event.name));
        // The agent waits from the start, whatever it takes its time with.
        let budget = budget(patience).saturating_sub(self.begun.elapsed());
        let reactor = host.select(&event).iter().any(|hook| hook.spec.needs_io());
        if reactor {
            self.refusal.hand_over();
        }
        let outcome = match super::block_on(reactor, host.dispatch_within(event.clone(), budget)) {
            Ok(outcome) => outcome,
            Err(error) => return (self.failure(Some(dialect), Some(&event.agent_event), &error), None),
        };
        let written = dialect.write(&event, &outcome);
        let deadline = self.begun + patience;
        let delivery = Delivery::of_outcome(dialect, &event, &outcome, written).until(deadline);
        (delivery, Some(Done { setup, host, event, outcome }))
    }

    /// Without a dialect the strongest thing that most agents understand: exit code 2 and a reason.
    fn failure(&self, dialect: Option<&'static dyn Dialect>, event: Option<&str>, message: &str) -> Delivery {
        let delivery = Delivery::of_failure(dialect, event, message);
        match self.args.patience {
            Some(patience) => delivery.until(self.begun + patience),
            None => delivery,
        }
    }

    /// Counts, the report, and warnings: nothing that the agent waits for.
    fn keep(&self, done: &Done, exit: u8) {
        let mut warnings = Vec::new();
        if let Some(path) = done.setup.failures_file(&self.args.own) {
            counts::save(&path, &done.setup.counts, &done.host);
        }
        if let Some(file) = &self.args.report {
            warnings.extend(keep_report(file, &done.event, &done.outcome));
        }
        if exit == 0 {
            warn(done, &mut warnings);
        }
        self.printer.warnings(&warnings);
    }
}

/// A report that cannot be kept is told, and changes nothing about the answer.
fn keep_report(file: &Path, event: &Event, outcome: &Outcome) -> Option<String> {
    let line = format!("{}\n", report::outcome_json(event, outcome));
    // What was done is for the owner's eyes, and a FIFO that nobody reads must not hold up the agent.
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let opened = rustix::fs::open(file, flags, Mode::RUSR | Mode::WUSR).map(fs::File::from);
    let written = opened.map_err(io::Error::from).and_then(|mut file| file.write_all(line.as_bytes()));
    let error = written.err()?;
    Some(format!("the report cannot be written to {}: {error}", file.display()))
}

/// A little less than the agent waits, so that our answer is there first.
fn budget(patience: Duration) -> Duration {
    let margin = patience / 10 + Duration::from_millis(100);
    patience.saturating_sub(margin).max(patience / 2)
}

/// For whoever looks at the hook's log; an agent shows standard error only with a non-zero exit code.
fn warn(done: &Done, warnings: &mut Vec<String>) {
    warnings.extend(done.host.trouble());
    for problem in &done.setup.loaded.problems {
        warnings.push(format!("{}: {}", problem.place(), problem.message));
    }
    for report in &done.outcome.reports {
        match &report.status {
            Status::Failed(failure) => {
                warnings.push(format!("the hook `{}` failed: {failure}", report.hook));
            }
            // Not every agent shows a notice.
            Status::Answered(Answer { notice: Some(notice), .. }) if report.hook == STOP_LOOP => {
                warnings.push(notice.clone());
            }
            _ => {}
        }
    }
}
