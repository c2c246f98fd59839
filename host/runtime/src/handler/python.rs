//! A hook as a Python function.
//!
//! The machine's runner ([`PythonRunner`]) calls functions: long-running interpreters ([`Workers`]), or the embedding
//! program, if it is a Python interpreter. The contract determines the input and the meaning of the output of a
//! function, as for a process. Printed text goes to the log, without secrets.

mod line;
mod start;
mod worker;
mod workers;

use std::sync::Arc;

use hookbox_model::{Answer, Exit, Failure, HandlerKind, Limits, LogLevel, Reason, Usage};

pub use self::workers::Workers;
use super::{
    shell::{child_env, log},
    shell_spec::ShellSpecError,
};
use crate::{
    hook::PythonSpec,
    interfaces::{Call, CallFuture, Contract, Environment, Handler, PrepareFuture, ProcessEnd, Reply},
    python::{PythonCall, PythonEnd, PythonRunner},
    redaction::Secrets,
};

/// Source of a module that finds functions and calls them, for a program that is itself an interpreter: `begin(job)`,
/// `end(job, returned)` and `failure(job, error)`, with the members of [`PythonCall`] in the job.
pub const FUNCTIONS: &str = include_str!("python/functions.py");

/// Calls one function.
pub struct PythonHandler {
    spec: PythonSpec,
    contract: &'static dyn Contract,
    runner: Arc<dyn PythonRunner>,
    /// Generation of its host.
    generation: u64,
    secrets: Secrets,
}

impl PythonHandler {
    /// Creates the handler. Returns an error for a variable that changes how programs are loaded.
    pub(crate) fn new(
        spec: PythonSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
        (runner, generation): (Arc<dyn PythonRunner>, u64),
    ) -> Result<Self, ShellSpecError> {
        // For its error only: the variables are resolved again when an interpreter starts.
        resolve_variables(&spec, environment)?;
        // An embedding program has all variables, also those that the hook does not name.
        let secrets = Secrets::from_variables(environment.iter());
        Ok(Self { spec, contract, runner, generation, secrets })
    }

    async fn run(&self, call: Call<'_>) -> Reply {
        let event = self.contract.event(&call);
        let PythonEnd { result: output, log } = self.runner.call(self.python_call(&call, &event)).await;
        let log = log::keep_lines(&self.secrets.redact_text(&log), LogLevel::Info, call.limits);
        let usage = Usage { log_bytes: log.bytes, log_dropped: log.dropped, ..Usage::default() };
        let result = match output {
            Ok(output) => self.parse_answer(&call, &output),
            Err(failure) => Err(self.without_secrets(&failure)),
        };
        Reply { usage, log: log.lines, ..result.into() }
    }

    fn python_call<'a>(&'a self, call: &Call<'a>, event: &'a str) -> PythonCall<'a> {
        PythonCall {
            config: call.config.as_str(),
            event: Some(event),
            project: &call.event.cwd,
            ..self.build_search_call(call.hook, call.limits)
        }
    }

    /// Returns a call that only finds the function.
    fn build_search_call<'a>(&'a self, hook: &'a str, limits: &'a Limits) -> PythonCall<'a> {
        PythonCall {
            hook,
            spec: &self.spec,
            adapter: self.contract.python_adapter(),
            config: "{}",
            event: None,
            project: "",
            generation: self.generation,
            limits,
        }
    }

    /// Returns the answer by the contract; for the contract, the call is a process with exit code 0.
    fn parse_answer(&self, call: &Call<'_>, output: &str) -> Result<Answer, Failure> {
        let end = ProcessEnd { exit: Exit::Code(0), stdout: output.as_bytes(), stderr: "" };
        let mut answer = self.contract.end(call, &end).map_err(|failure| self.without_secrets(&failure))?;
        let reason = answer.verdict.reason();
        let clean = reason.map(|reason| Reason::new(reason.code(), &self.secrets.redact_text(reason.text())));
        if let Some(clean) = clean {
            answer.verdict = answer.verdict.with_reason(clean);
        }
        Ok(answer)
    }

    fn without_secrets(&self, failure: &Failure) -> Failure {
        Failure::new(failure.code, &self.secrets.redact_text(&failure.message))
            .with_notice(failure.notice.as_deref())
    }
}

/// Returns the environment of the hook's interpreter.
fn resolve_variables(
    spec: &PythonSpec,
    environment: &Environment,
) -> Result<Vec<(String, String)>, ShellSpecError> {
    match spec.confinement {
        Some(_) => child_env::inherit_variables(&spec.env, environment),
        // Without confinement, all variables are passed, as the hook's own system does.
        None => Ok(child_env::inherit_all(environment)),
    }
}

impl Handler for PythonHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Python
    }

    fn prepare(&self) -> Option<PrepareFuture<'_>> {
        self.runner.prepare(&self.spec)
    }

    /// Imports the module: only that shows missing modules and import errors.
    fn run_self_test<'a>(&'a self, hook: &'a str, limits: &'a Limits) -> Option<PrepareFuture<'a>> {
        let found = async move { self.runner.call(self.build_search_call(hook, limits)).await.result };
        Some(Box::pin(async move {
            let max_wait = std::time::Duration::from_millis(limits.get(hookbox_model::Limit::Timeout));
            match tokio::time::timeout(max_wait, found).await {
                Ok(found) => found.map(drop).map_err(|failure| self.without_secrets(&failure)),
                Err(_) => Err(self.import_timeout_failure(max_wait)),
            }
        }))
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(self.run(call))
    }
}

impl PythonHandler {
    fn import_timeout_failure(&self, max_wait: std::time::Duration) -> Failure {
        let message =
            format!("the module `{}` was not imported within {} ms", self.spec.module, max_wait.as_millis());
        Failure::new(hookbox_model::FailureCode::Timeout, &message)
    }
}
