//! `hookbox run`: reads one event and writes the answer in the agent's format. There is an answer in any case.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use hookbox::{
    CONFINE, Host, InvalidRequest, PROJECT_HOOKS, Request, Response, STOP_LOOP,
    agents::{Dialect, settings},
    chain_budget,
    model::{Answer, FailureCode, Layer, Outcome, Status, TrustLevel},
};
use hookbox_app::{
    FolderHooks, OWN_CHANGES, PLUGIN_HOOKS,
    places::{NamedPlaces, Places},
};

use hookbox_platform::{process::available_memory, signals::SignalExit, stream::Standard};

use super::read;
use crate::{
    args::RunArgs, delivery::Delivery, diagnostic, environment, exit::ExitStatus, fast_start,
    printer::Printer, run_report,
};

pub(super) fn run(args: &RunArgs, refusal: SignalExit, printer: &Printer) -> ExitStatus {
    // The agent's timeout began a moment ago, when the agent started this process.
    let begun = Instant::now();
    let run = Run { args, printer, begun, refusal };
    let dialect = match read::dialect_named(args.agent.as_deref()) {
        Ok(dialect) => dialect,
        Err(message) => return run.refuse_unknown_agent(message),
    };
    // Most agents run the tool if their hook crashes, so a panic must become an answer that refuses.
    let answered = catch_unwind(AssertUnwindSafe(|| run.answer_event(dialect)));
    let (response, done) = answered.unwrap_or_else(|_| (Response::of_bug(dialect), None));
    let delivery = run.prepare_delivery(response, done.as_ref());
    let exit = delivery.deliver(printer);
    // The answer is delivered; a panic in the rest does not change it.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if let Some(done) = done {
            run.record_run(&done, exit);
            // The host is never dropped, and interpreters of Python functions would outlive this process.
            done.host.machine().end_processes();
            fast_start::leak_value(done);
        }
    }));
    ExitStatus::Agent(exit)
}

struct Run<'a> {
    args: &'a RunArgs,
    printer: &'a Printer,
    begun: Instant,
    refusal: SignalExit,
}

/// Least memory for an answer, bytes: with less, an allocation fails, and the process ends without a reason for the agent.
const MIN_MEMORY: u64 = 16 << 20;

/// Checks that the limits of this process leave memory for an answer.
fn check_memory() -> Result<(), String> {
    match available_memory() {
        Some(left) if left < MIN_MEMORY => Err(format!(
            "hookbox needs {} MiB of memory, and the limits of its process leave {} MiB; raise `ulimit -v` and `ulimit -d`",
            MIN_MEMORY >> 20,
            left >> 20
        )),
        _ => Ok(()),
    }
}

/// State that is stored and reported once the agent has its answer.
struct AnsweredRun {
    folder_hooks: FolderHooks,
    host: Host,
    request: Request,
    outcome: Outcome,
}

impl Run<'_> {
    fn answer_event(&self, dialect: Option<&'static dyn Dialect>) -> (Response, Option<AnsweredRun>) {
        let args = self.args;
        // First, since with too little memory any other step may fail.
        let read = check_memory()
            .and_then(|()| read::read_input(dialect, args.agent_timeout.map(chain_budget), self.printer))
            .map_err(|message| InvalidRequest::new(dialect, message))
            .and_then(|bytes| Request::parse_input(dialect, bytes, &read::create_read_context()));
        let request = match read {
            Ok(request) => request,
            Err(invalid) => return (invalid.response(), None),
        };
        let places =
            Places::of_account(&NamedPlaces::from(&args.places)).with_trusted_hooks(&args.trusted.hooks);
        let folder_hooks = match &args.bundle {
            Some(bundle) => Ok(read::load_bundle_for_event(&request, places, bundle)),
            None => read::load_for_event(&request, places, (&args.source, &args.own)),
        };
        let folder_hooks = match folder_hooks {
            Ok(folder_hooks) => folder_hooks,
            Err(message) => return (request.build_failure_response(&message), None),
        };
        // An allowance for one call is used up here, before a hook can run: of two concurrent calls only one passes.
        let folder_hooks = folder_hooks.with_allowances(&request.event);
        let host = folder_hooks.build_host(folder_hooks.hooks_for(&request.event.name));
        match self.run(&request, &host) {
            Ok(mut outcome) => {
                folder_hooks.tell_allowances(&mut outcome);
                folder_hooks.tell_waiting(&request.event, &mut outcome);
                folder_hooks.report_failed_bundle(&request.event, &mut outcome);
                folder_hooks.check_own_files(&request.event, &mut outcome);
                (request.build_response(&outcome), Some(AnsweredRun { folder_hooks, host, request, outcome }))
            }
            Err(error) => (request.build_failure_response(&error), None),
        }
    }

    fn run(&self, request: &Request, host: &Host) -> Result<Outcome, String> {
        let plan = request.plan_hooks(host, self.begun, Some(self.choose_timeout(request)));
        let reactor = plan.needs_io();
        if reactor {
            // From here on a signal has to end the hooks first, which lead process groups of their own.
            self.refusal.hand_over();
        }
        super::run_until_shutdown(reactor, |shutdown| plan.cancel_when(shutdown).run())
    }

    /// Returns the agent timeout: that of hookbox's entry, unless hookbox runs the agent's own hook file.
    fn choose_timeout(&self, request: &Request) -> Duration {
        let by_default = request.agent_timeout();
        let by_entry =
            || settings::entry_timeout(request.dialect.name(), &request.event.agent_event, by_default);
        let is_entry = !self.args.own.is_alone();
        self.args.agent_timeout.unwrap_or_else(|| if is_entry { by_entry() } else { by_default })
    }

    /// Handles an unknown name in `--agent`: an error for the user, a refusal for an agent.
    fn refuse_unknown_agent(&self, message: String) -> ExitStatus {
        if Standard::Input.is_terminal() {
            self.printer.print_error(&message);
            return ExitStatus::Usage;
        }
        let name = self.args.agent.as_deref().unwrap_or_default();
        let invalid = read::refuse_unknown_agent(
            name,
            message,
            self.args.agent_timeout.map(chain_budget),
            self.printer,
        );
        ExitStatus::Agent(self.prepare_delivery(invalid.response(), None).deliver(self.printer))
    }

    /// Prepares the delivery within the agent timeout: the one from the command line, else that of the dialect once it is
    /// known.
    fn prepare_delivery(&self, response: Response, done: Option<&AnsweredRun>) -> Delivery {
        let agent_timeout =
            self.args.agent_timeout.or_else(|| done.map(|done| self.choose_timeout(&done.request)));
        let delivery = Delivery::from(response);
        match agent_timeout {
            Some(agent_timeout) => delivery.with_deadline(self.begun + agent_timeout),
            None => delivery,
        }
    }

    /// Reports hooks of the home folder that `HOME` names, if the entry names no home and the user database has another one.
    fn other_home(&self, done: &AnsweredRun) -> Option<String> {
        let RunArgs { places, own, .. } = self.args;
        if places.home.is_some() || places.config_home.is_some() || own.is_alone() {
            return None;
        }
        let read = done.folder_hooks.places.user_config()?;
        let (home, unread) = environment::unread_hooks(&read)?;
        Some(format!(
            "the hooks of {} were not called: the home folder in the user database is different, and {} is used; to use the first one, write `hookbox run --home {}`",
            unread.display(),
            read.display(),
            home.display()
        ))
    }

    /// Counts, the report, and warnings: nothing that the agent waits for.
    fn record_run(&self, done: &AnsweredRun, exit: u8) {
        let mut warnings = Vec::new();
        if let Err(error) = done.folder_hooks.keep_counts(&done.request.event, done.host.machine().counts()) {
            warnings.push(error.to_string());
        }
        if let Some(file) = &self.args.report {
            warnings.extend(run_report::append_report(file, &done.host, &done.request.event, &done.outcome));
        }
        let logged = done.folder_hooks.log_outcome(&done.request.event, &done.outcome);
        // With another code an agent takes standard error for the reason, and may show it to its model.
        if exit == 0 {
            warnings.extend(self.other_home(done));
            warnings.extend(logged.err().map(|error| format!("the log: {error}")));
            collect_warnings(done, &mut warnings);
        }
        self.printer.write_warnings(&warnings);
    }
}

/// Collects warnings for the hook's log; an agent shows standard error only with a non-zero exit code.
fn collect_warnings(done: &AnsweredRun, warnings: &mut Vec<String>) {
    warnings.extend(done.host.machine().trouble());
    let (theirs, ours): (Vec<_>, Vec<_>) =
        done.folder_hooks.loaded.problems.iter().partition(|problem| problem.layer == Layer::Project);
    warnings.extend(ours.into_iter().map(|problem| format!("{}: {}", problem.place(), problem.message)));
    // A message would quote untrusted text, and an agent may show it to its model. Hooks that wait for the user are reported by
    // a notice, once per session.
    let theirs = theirs.len().saturating_sub(done.folder_hooks.loaded.waiting);
    if theirs > 0 {
        let problems = diagnostic::format_count(theirs, "problem");
        warnings.push(format!("the project's hook file has {problems}; see `hookbox check`"));
    }
    for report in &done.outcome.reports {
        match &report.status {
            // This was reported once, when the hook tripped.
            Status::Failed(failure)
                if report.trust_level == TrustLevel::Untrusted && failure.code == FailureCode::Tripped => {}
            Status::Failed(failure) => {
                warnings.push(format!("the hook `{}` failed: {failure}", report.hook));
            }
            // Not every agent shows a notice.
            Status::Answered(Answer { notice: Some(notice), .. })
                if [STOP_LOOP, PROJECT_HOOKS, PLUGIN_HOOKS, OWN_CHANGES, CONFINE]
                    .contains(&report.hook.as_str()) =>
            {
                warnings.push(notice.clone());
            }
            _ => {}
        }
    }
}
