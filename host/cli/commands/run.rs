//! `hookbox run`: one event in, the agent's own answer out. Whatever happens, there is an answer.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use hookbox::{
    Host, PROJECT_HOOKS, STOP_LOOP,
    dialect::Dialect,
    model::{Answer, Event, FailureCode, Layer, Outcome, Status, Tier},
};

use super::read;
use crate::{
    args::RunArgs, counts, delivery::Delivery, diagnostic, exit::ExitStatus, places::Places,
    printer::Printer, report, run_report, setup::Setup, signals::Refusal,
};

pub(super) fn run(args: &RunArgs, refusal: Refusal, printer: &Printer) -> ExitStatus {
    let begun = Instant::now();
    let run = Run { args, printer, begun, refusal };
    let dialect = match read::dialect_named(args.agent.as_deref()) {
        Ok(dialect) => dialect,
        Err(message) => return run.misnamed(message),
    };
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
        let places = Places::of_account(&args.places);
        let setup = Setup::read_for(places, dialect, Path::new(&event.cwd), (&args.source, &args.own));
        let setup = setup.in_session(&event);
        let host = setup.host_for(&event.name);
        let patience = args.patience.unwrap_or_else(|| dialect.patience(&event.name));
        // The agent waits from the start, whatever it takes its time with.
        let budget = budget(patience).saturating_sub(self.begun.elapsed());
        let reactor = host.select(&event).iter().any(|hook| hook.spec.needs_io());
        if reactor {
            self.refusal.hand_over();
        }
        let asked = super::run_until_told(reactor, |told| host.dispatch_until(event.clone(), budget, told));
        let outcome = match asked {
            Ok(outcome) => outcome,
            Err(error) => return (self.failure(Some(dialect), Some(&event.agent_event), &error), None),
        };
        if was_cancelled(&outcome) {
            let delivery = self.failure(Some(dialect), Some(&event.agent_event), TOLD_TO_END);
            return (delivery, Some(Done { setup, host, event, outcome }));
        }
        let mut written = dialect.write(&event, &outcome);
        if dialect.shows_logs() {
            written.stderr.push_str(&report::logs(&outcome));
        }
        let deadline = self.begun + patience;
        let delivery = Delivery::of_outcome(dialect, &event, &outcome, written).until(deadline);
        (delivery, Some(Done { setup, host, event, outcome }))
    }

    /// `--agent` names nobody. A person is told, an agent is refused.
    fn misnamed(&self, message: String) -> ExitStatus {
        if rustix::termios::isatty(rustix::stdio::stdin()) {
            self.printer.error(&message);
            return ExitStatus::Usage;
        }
        let name = self.args.agent.as_deref().unwrap_or_default();
        let none = read::misnamed(name, message, self.args.patience.map(budget), self.printer);
        let delivery = self.failure(none.dialect, none.event.as_deref(), &none.message);
        ExitStatus::Agent(delivery.deliver(self.printer))
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
        if let Err(error) = done.setup.keep_turns(&done.event, &done.host) {
            warnings.push(format!("that a hook has run once cannot be kept: {error}"));
        }
        if let Some(path) = done.setup.failures_file(&self.args.own) {
            counts::save(&path, &done.setup.counts, &done.host);
        }
        if let Some(file) = &self.args.report {
            warnings.extend(run_report::keep(file, &done.host, &done.event, &done.outcome));
        }
        if exit == 0 {
            warn(done, &mut warnings);
        }
        self.printer.warnings(&warnings);
    }
}

/// Why hooks were cancelled, to the agent. Nobody waited for their answers, so it gets the strongest refusal.
const TOLD_TO_END: &str = "hookbox was told to end";

fn was_cancelled(outcome: &Outcome) -> bool {
    let cancelled =
        |status: &Status| matches!(status, Status::Failed(failure) if failure.code == FailureCode::Cancelled);
    outcome.reports.iter().any(|report| cancelled(&report.status))
}

/// A little less than the agent waits, so that our answer is there first.
fn budget(patience: Duration) -> Duration {
    let margin = patience / 10 + Duration::from_millis(100);
    patience.saturating_sub(margin).max(patience / 2)
}

/// For whoever looks at the hook's log; an agent shows standard error only with a non-zero exit code.
fn warn(done: &Done, warnings: &mut Vec<String>) {
    warnings.extend(done.host.trouble());
    let (theirs, ours): (Vec<_>, Vec<_>) =
        done.setup.loaded.problems.iter().partition(|problem| problem.layer == Layer::Project);
    warnings.extend(ours.into_iter().map(|problem| format!("{}: {}", problem.place(), problem.message)));
    // A message would quote what a stranger wrote, and an agent may show it to its model.
    if !theirs.is_empty() {
        let problems = diagnostic::plural(theirs.len(), "problem");
        warnings.push(format!("the project's hook file has {problems}; see `hookbox check`"));
    }
    for report in &done.outcome.reports {
        match &report.status {
            // That was told once, when it came to that.
            Status::Failed(failure)
                if report.tier == Tier::Unknown && failure.code == FailureCode::Tripped => {}
            Status::Failed(failure) => {
                warnings.push(format!("the hook `{}` failed: {failure}", report.hook));
            }
            // Not every agent shows a notice.
            Status::Answered(Answer { notice: Some(notice), .. })
                if [STOP_LOOP, PROJECT_HOOKS].contains(&report.hook.as_str()) =>
            {
                warnings.push(notice.clone());
            }
            _ => {}
        }
    }
}
