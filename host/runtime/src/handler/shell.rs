//! A hook as a child process.
//!
//! The process gets the event as native JSON on standard input, a clean environment, and a process group of its own;
//! the contract determines the meaning of its exit. When the process ends, or the call's future is dropped, the whole
//! group is killed, so that no process of the hook outlives its call. A hook whose command leads to the same hook again
//! fails (`callers`); its standard error is its log, without secrets (`redaction`). Further restrictions are those that
//! the platform offers (`confine`).
//!
//! Limitations: a process that leaves the group with `setsid` is not killed (it goes on, but does not delay the call).
//! If hookbox is killed, the hook's own process is killed too (on Linux), but not the processes that it had started.
//! Limits apply to each process, not to all together. A sandbox has none of these limitations, and a wasm hook has one.

pub(super) mod callers;
pub(super) mod child_env;
pub mod confine;
mod exchange;
pub(super) mod log;
mod placeholders;

use std::{
    env, fmt, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use hookbox_model::{
    Answer, Failure, FailureCode, HandlerKind, Limit, Limits, ProcessResult, Reason, Usage, bounded_text,
};
use hookbox_platform::{confinement::Steps, file::check_runnable, process::ProcessGroup};

use self::{
    callers::Callers,
    confine::Subject,
    exchange::{Caps, Output, exchange_data},
};
pub use super::shell_spec::ShellSpecError;
use super::shell_spec::check_command;
use crate::{
    hook::{ShellCommand, ShellSpec},
    interfaces::{Call, CallFuture, Contract, Environment, Handler, PrepareFuture, ProcessEnd, Reply},
    redaction::Secrets,
};

/// Standard error that is kept, bytes. The rest is read and discarded.
const MAX_KEPT_STDERR: usize = 64 << 10;

/// Standard error after which a hook is killed as endless, bytes.
const STDERR_MOST: usize = 16 << 20;

/// Runs one child process per call.
///
/// A call needs a tokio runtime with I/O and time. `SIGPIPE` must be ignored in this process, as it is in Rust
/// programs: a hook may close its input unread.
pub struct ShellHandler {
    spec: ShellSpec,
    env: Vec<(String, String)>,
    home: Option<PathBuf>,
    /// Variables of the hook's entry; they override the contract's.
    own: Vec<(String, String)>,
    secrets: Secrets,
    callers: Callers,
    contract: &'static dyn Contract,
}

pub(super) fn as_str_pairs(variables: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
}

impl ShellHandler {
    /// Checks `spec` and takes the hook's variables from `environment`. Returns an error for an empty command, for a
    /// NUL in one, and for a variable that changes how programs are loaded or how a shell reads its input.
    pub fn new(
        spec: ShellSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
    ) -> Result<Self, ShellSpecError> {
        check_command(&spec.command)?;
        let env = child_env::inherit_variables(&spec.env, environment)?;
        let (secrets, callers) =
            (Secrets::from_variables(as_str_pairs(&env)), Callers::from_environment(environment));
        Ok(Self { spec, env, home: home_folder(environment), own: Vec::new(), secrets, callers, contract })
    }

    /// Creates the handler of a hook with a foreign contract: it gets all of `environment`, and the variables of its
    /// entry.
    pub fn with_contract(
        spec: ShellSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
    ) -> Result<Self, ShellSpecError> {
        check_command(&spec.command)?;
        let env = child_env::inherit_all(environment);
        let own: Vec<_> = spec.variables.iter().filter(|(_, value)| !value.contains('\0')).cloned().collect();
        let (secrets, callers) = (
            Secrets::from_variables(as_str_pairs(&env).chain(as_str_pairs(&own))),
            Callers::from_environment(environment),
        );
        Ok(Self { spec, env, home: home_folder(environment), own, secrets, callers, contract })
    }

    async fn run(&self, call: Call<'_>) -> Reply {
        let output = match self.run_process(&call).await {
            Ok(output) => output,
            Err(failure) => return failure.into(),
        };
        let log = log::keep_lines(
            &self.secrets.redact_text(&output.stderr.text()),
            self.contract.stderr_level(),
            call.limits,
        );
        let usage = Usage { log_bytes: log.bytes, log_dropped: log.dropped, ..Usage::default() };
        let process = self.build_process_result(&output);
        Reply { usage, log: log.lines, process, ..self.parse_answer(&call, &output).into() }
    }

    /// Returns the result for the report, redacted before it is cut: a cut secret would not be recognised.
    fn build_process_result(&self, output: &Output) -> Option<ProcessResult> {
        let stdout = self.secrets.redact_text(&String::from_utf8_lossy(&output.stdout.bytes));
        Some(ProcessResult { exit: output.exit().ok()?, stdout: bounded_text(stdout.trim_end()) })
    }

    fn parse_answer(&self, call: &Call<'_>, output: &Output) -> Result<Answer, Failure> {
        // A cut-off output could be read as another answer.
        output.check_size()?;
        let end =
            ProcessEnd { exit: output.exit()?, stdout: &output.stdout.bytes, stderr: &output.stderr.text() };
        match self.contract.end(call, &end) {
            Ok(answer) => Ok(self.with_clean_reason(answer)),
            Err(failure) => Err(self.without_secrets(call, &end, &failure)),
        }
    }

    /// Redacts the reason: it may be any printed text, and goes to the agent and its model.
    fn with_clean_reason(&self, mut answer: Answer) -> Answer {
        let Some(reason) = answer.verdict.reason() else { return answer };
        let clean = self.secrets.redact_text(reason.text());
        if clean != reason.text() {
            let reason = Reason::new(reason.code(), &clean);
            answer.verdict = answer.verdict.with_reason(reason);
        }
        answer
    }

    /// Redacts the failure, which quotes the beginning of the output. Secrets are removed before the text is cut, since
    /// a cut secret would not be recognised.
    fn without_secrets(&self, call: &Call<'_>, end: &ProcessEnd<'_>, failure: &Failure) -> Failure {
        let stdout = str::from_utf8(end.stdout).map(|text| self.secrets.redact_text(text).into_bytes());
        let stdout = stdout.unwrap_or_else(|_| end.stdout.to_owned());
        let stderr = self.secrets.redact_text(end.stderr);
        let same = self.contract.end(call, &ProcessEnd { exit: end.exit, stdout: &stdout, stderr: &stderr });
        match same {
            Err(redacted) => redacted,
            Ok(_) => Failure::new(failure.code, "what the hook wrote holds secrets and is not shown"),
        }
    }

    async fn run_process(&self, call: &Call<'_>) -> Result<Output, Failure> {
        let variables = self.resolve_variables(call)?;
        let words = self.resolve_words(call, &variables)?;
        let program = words.first().map_or("", String::as_str);
        let failed = |error: &io::Error| self.cannot_start(call.hook, program, error);
        let mut command = self.build_command(call, &words, variables)?;
        let subject = self.confinement_subject(call.hook, program, &call.event.cwd);
        let steps = self.resolve_steps(subject)?;
        steps.apply_to(&mut command).map_err(|e| failed(&e))?;
        let (group, pipes) = ProcessGroup::spawn(command).await.map_err(|e| failed(&e))?;
        let caps =
            Caps { stdout: call.limits.get_size(Limit::Output), stderr: (MAX_KEPT_STDERR, STDERR_MOST) };
        let event = self.contract.event(call);
        exchange_data(group, pipes, event.as_bytes(), caps).await.map_err(|e| failed(&e))
    }

    /// Returns the child's variables: of its environment, of its contract, of its entry; later ones override earlier
    /// ones.
    fn resolve_variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        let placeholders = self.contract.placeholders();
        // A variable set by the agent itself is more precise than the event's value.
        let set = |name: &str| {
            let is_set = self.env.iter().any(|(set, value)| set == name && value.starts_with('/'));
            is_set && placeholders.iter().any(|placeholder| placeholder.name == name)
        };
        let of_event = self.contract.variables(call)?.into_iter().filter(|(name, _)| !set(name));
        Ok(self.env.iter().cloned().chain(of_event).chain(self.own.iter().cloned()).collect())
    }

    /// Returns the program and its arguments.
    fn resolve_words(&self, call: &Call<'_>, variables: &[(String, String)]) -> Result<Vec<String>, Failure> {
        match &self.spec.command {
            ShellCommand::Line(line) => {
                let line = self.contract.command_line(call, line).into_owned();
                Ok(vec![self.contract.shell().to_owned(), "-c".to_owned(), line])
            }
            ShellCommand::Argv(words) => words
                .iter()
                .map(|word| placeholders::fill_placeholders(word, self.contract, variables))
                .collect(),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "one of the two places where a process starts")]
    fn build_command(
        &self,
        call: &Call<'_>,
        words: &[String],
        variables: Vec<(String, String)>,
    ) -> Result<Command, Failure> {
        let mut command = Command::new(words.first().map_or("", String::as_str));
        let (callers, marks) = self.callers.variable_for_hook(call.hook, self.all_words())?;
        command
            .args(words.iter().skip(1))
            .env_clear()
            .envs(variables)
            .env(callers, marks)
            .current_dir(self.working_folder(call.hook, &call.event.cwd)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(command)
    }

    /// Returns the failure that a call of this hook has for any event.
    fn check_startable(&self, hook: &str) -> Result<(), Failure> {
        self.working_folder(hook, "")?;
        self.find_program().map_err(|error| self.cannot_start(hook, self.program(), &error))?;
        self.resolve_steps(self.confinement_subject(hook, self.program(), "")).map(drop)
    }

    fn resolve_steps(&self, subject: Subject<'_>) -> Result<Steps, Failure> {
        confine::resolve_steps(self.spec.confinement.as_ref(), self.spec.closed.as_ref(), subject)
    }

    /// Checks that there is a program file, where the system will look for it. A path may depend on the event.
    fn find_program(&self) -> io::Result<()> {
        if placeholders::is_in(self.program(), self.contract) {
            return Ok(());
        }
        let program = Path::new(self.program());
        let path = self.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value);
        match path {
            Some(path) if program.components().count() == 1 => {
                let found =
                    env::split_paths(path).any(|folder| check_executable(&folder.join(program)).is_ok());
                if found { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
            }
            _ => check_executable(program),
        }
    }

    fn confinement_subject<'a>(&'a self, hook: &'a str, program: &'a str, project: &'a str) -> Subject<'a> {
        let program = Path::new(program);
        Subject {
            kind: confine::HOOK,
            name: hook,
            program: Some(program).filter(|program| program.is_absolute()),
            project,
            home: self.home.as_deref(),
        }
    }

    fn all_words(&self) -> &[String] {
        match &self.spec.command {
            ShellCommand::Line(line) => std::slice::from_ref(line),
            ShellCommand::Argv(words) => words,
        }
    }

    fn program(&self) -> &str {
        match &self.spec.command {
            ShellCommand::Line(_) => self.contract.shell(),
            ShellCommand::Argv(words) => words.first().map_or("", String::as_str),
        }
    }

    fn working_folder<'a>(&'a self, hook: &str, project: &'a str) -> Result<&'a Path, Failure> {
        let Some(folder) = &self.spec.cwd else {
            let folder = Path::new(project);
            // An event may name no folder, or one that is gone by now; a guard runs all the same.
            let usable = folder.is_absolute() && folder.is_dir();
            return Ok(if usable { folder } else { Path::new("/") });
        };
        if folder.is_dir() {
            return Ok(folder);
        }
        let folder = folder.display();
        let message = format!(
            "hook `{hook}` is to run in `{folder}`, which is not a folder: create it or change `cwd`"
        );
        Err(Failure::new(FailureCode::Missing, &message))
    }

    /// Returns true if its rules for files may deny its program.
    fn has_file_rules(&self) -> bool {
        self.spec.confinement.as_ref().is_some_and(|confinement| confinement.files.is_some())
    }

    fn cannot_start(&self, hook: &str, program: &str, error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::NotFound {
            let message = format!(
                "hook `{hook}` is to run `{program}`, which does not exist: install it or correct the command"
            );
            return Failure::new(FailureCode::Missing, &message);
        }
        if error.kind() == io::ErrorKind::PermissionDenied && self.has_file_rules() {
            let message = format!(
                "hook `{hook}` may not run `{program}`: add its folder, and that of its interpreter, to `confine.read`"
            );
            return Failure::new(FailureCode::Spawn, &message);
        }
        Failure::new(FailureCode::Spawn, &format!("hook `{hook}` cannot run `{program}`: {error}"))
    }
}

pub(super) fn check_executable(program: &Path) -> io::Result<()> {
    // A folder has the permission bit of a program, too.
    if program.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    check_runnable(program)
}

pub(super) fn home_folder(environment: &Environment) -> Option<PathBuf> {
    environment.get("HOME").map(PathBuf::from)
}

impl Handler for ShellHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Shell
    }

    fn run_self_test<'a>(&'a self, hook: &'a str, _: &'a Limits) -> Option<PrepareFuture<'a>> {
        Some(Box::pin(async { self.check_startable(hook) }))
    }

    fn call<'a>(&'a self, call: Call<'a>) -> CallFuture<'a> {
        Box::pin(self.run(call))
    }
}

/// Shows the names of the variables only.
impl fmt::Debug for ShellHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("ShellHandler").field("spec", &self.spec).field("env", &names).finish_non_exhaustive()
    }
}
