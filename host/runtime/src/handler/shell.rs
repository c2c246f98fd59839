//! A hook as a child process.
//!
//! It gets the event as native JSON on its standard input, a clean environment, and a process group of its own; what
//! its end means is its contract's matter. When its process ends, or the call's future is dropped, the whole group is
//! killed, so nothing that the hook started outlives its call. A hook whose command leads to the hook again fails
//! (`callers`); what it writes to standard error is its log, without secrets (`redaction`). What it may do beyond that is
//! bounded by what the platform offers (`confine`).
//!
//! What this does not do: a process that leaves the group with `setsid` is not caught (it lives on, but does not hold
//! the call). If we are killed outright, the hook's own process dies with us (on Linux), but not what it had started by
//! then. Limits are of each process, not of all together. That needs a sandbox, and a wasm hook has one.

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
    exchange::{Caps, Output, exchange},
};
pub use super::shell_spec::ShellSpecError;
use super::shell_spec::check_command;
use crate::{
    hook::{ShellCommand, ShellSpec},
    port::{Call, CallFuture, Contract, Environment, Handler, PrepareFuture, ProcessEnd, Reply},
    redaction::Secrets,
};

/// Standard error that is kept, bytes. More of it is read and thrown away.
const STDERR_KEPT: usize = 64 << 10;

/// Standard error after which a hook is killed as one that never stops, bytes.
const STDERR_MOST: usize = 16 << 20;

/// Runs one child process per call.
///
/// A call needs a tokio runtime with I/O and time. `SIGPIPE` must be ignored in this process, as it is in Rust
/// programs: a hook may close its input unread.
pub struct ShellHandler {
    spec: ShellSpec,
    env: Vec<(String, String)>,
    home: Option<PathBuf>,
    /// Set by its entry; they win over the contract's.
    own: Vec<(String, String)>,
    secrets: Secrets,
    callers: Callers,
    contract: &'static dyn Contract,
}

pub(super) fn pairs(variables: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
}

impl ShellHandler {
    /// Checks `spec` and takes the variables that the hook may have from `environment`. An error for an empty command,
    /// for a NUL in one, and for a variable that changes how programs are loaded or how a shell reads its input.
    pub fn new(
        spec: ShellSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
    ) -> Result<Self, ShellSpecError> {
        check_command(&spec.command)?;
        let env = child_env::inherited(&spec.env, environment)?;
        let (secrets, callers) = (Secrets::among(pairs(&env)), Callers::of(environment));
        Ok(Self { spec, env, home: home(environment), own: Vec::new(), secrets, callers, contract })
    }

    /// The same for a hook that keeps another system's contract: with all of `environment`, and the variables of its entry.
    pub fn foreign(
        spec: ShellSpec,
        environment: &Environment,
        contract: &'static dyn Contract,
    ) -> Result<Self, ShellSpecError> {
        check_command(&spec.command)?;
        let env = child_env::all(environment);
        let own: Vec<_> = spec.variables.iter().filter(|(_, value)| !value.contains('\0')).cloned().collect();
        let (secrets, callers) = (Secrets::among(pairs(&env).chain(pairs(&own))), Callers::of(environment));
        Ok(Self { spec, env, home: home(environment), own, secrets, callers, contract })
    }

    async fn run(&self, call: Call<'_>) -> Reply {
        let output = match self.output(&call).await {
            Ok(output) => output,
            Err(failure) => return failure.into(),
        };
        let log = log::kept(&self.secrets.redact(&output.stderr.text()), call.limits);
        let usage = Usage { log_bytes: log.bytes, log_dropped: log.dropped, ..Usage::default() };
        let process = self.process(&output);
        Reply { usage, log: log.lines, process, ..self.answer(&call, &output).into() }
    }

    /// Redacted before it is cut: half of a secret would not be known again.
    fn process(&self, output: &Output) -> Option<ProcessResult> {
        let stdout = self.secrets.redact(&String::from_utf8_lossy(&output.stdout.bytes));
        Some(ProcessResult { exit: output.exit().ok()?, stdout: bounded_text(stdout.trim_end()) })
    }

    fn answer(&self, call: &Call<'_>, output: &Output) -> Result<Answer, Failure> {
        output.check_size()?;
        let end =
            ProcessEnd { exit: output.exit()?, stdout: &output.stdout.bytes, stderr: &output.stderr.text() };
        match self.contract.end(call, &end) {
            Ok(answer) => Ok(self.with_clean_reason(answer)),
            Err(failure) => Err(self.without_secrets(call, &end, &failure)),
        }
    }

    /// A reason may be whatever a hook printed, and goes to the agent and its model.
    fn with_clean_reason(&self, mut answer: Answer) -> Answer {
        let Some(reason) = answer.verdict.reason() else { return answer };
        let clean = self.secrets.redact(reason.text());
        if clean != reason.text() {
            let reason = Reason::new(reason.code(), &clean);
            answer.verdict = answer.verdict.with_reason(reason);
        }
        answer
    }

    /// A failure shows the beginning of what was written. That loses its secrets before it is cut, since half of one
    /// would not be known again.
    fn without_secrets(&self, call: &Call<'_>, end: &ProcessEnd<'_>, failure: &Failure) -> Failure {
        let stdout = str::from_utf8(end.stdout).map(|text| self.secrets.redact(text).into_bytes());
        let stdout = stdout.unwrap_or_else(|_| end.stdout.to_owned());
        let stderr = self.secrets.redact(end.stderr);
        let same = self.contract.end(call, &ProcessEnd { exit: end.exit, stdout: &stdout, stderr: &stderr });
        match same {
            Err(redacted) => redacted,
            Ok(_) => Failure::new(failure.code, "what the hook wrote holds secrets and is not shown"),
        }
    }

    async fn output(&self, call: &Call<'_>) -> Result<Output, Failure> {
        let variables = self.variables(call)?;
        let words = self.words(call, &variables)?;
        let program = words.first().map_or("", String::as_str);
        let failed = |error: &io::Error| self.cannot_start(call.hook, program, error);
        let mut command = self.command(call, &words, variables)?;
        let subject = self.subject(call.hook, program, &call.event.cwd);
        let steps = self.steps(subject)?;
        steps.before(&mut command).map_err(|e| failed(&e))?;
        let (group, pipes) = ProcessGroup::spawn(command).await.map_err(|e| failed(&e))?;
        let caps = Caps { stdout: call.limits.size(Limit::Output), stderr: (STDERR_KEPT, STDERR_MOST) };
        let event = self.contract.event(call);
        exchange(group, pipes, event.as_bytes(), caps).await.map_err(|e| failed(&e))
    }

    /// The child's own variables: of its environment, of its contract, of its entry; the later counts.
    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        let placeholders = self.contract.placeholders();
        // What the agent itself has set is more than what its event tells.
        let set = |name: &str| {
            let is_set = self.env.iter().any(|(set, value)| set == name && value.starts_with('/'));
            is_set && placeholders.iter().any(|placeholder| placeholder.name == name)
        };
        let told = self.contract.variables(call)?.into_iter().filter(|(name, _)| !set(name));
        Ok(self.env.iter().cloned().chain(told).chain(self.own.iter().cloned()).collect())
    }

    /// The program and its arguments.
    fn words(&self, call: &Call<'_>, variables: &[(String, String)]) -> Result<Vec<String>, Failure> {
        match &self.spec.command {
            ShellCommand::Line(line) => {
                let line = self.contract.command_line(call, line).into_owned();
                Ok(vec![self.contract.shell().to_owned(), "-c".to_owned(), line])
            }
            ShellCommand::Argv(words) => {
                words.iter().map(|word| placeholders::filled(word, self.contract, variables)).collect()
            }
        }
    }

    #[expect(clippy::disallowed_methods, reason = "one of the two places where a process starts")]
    fn command(
        &self,
        call: &Call<'_>,
        words: &[String],
        variables: Vec<(String, String)>,
    ) -> Result<Command, Failure> {
        let mut command = Command::new(words.first().map_or("", String::as_str));
        let (callers, marks) = self.callers.with(call.hook, self.all_words())?;
        command
            .args(words.iter().skip(1))
            .env_clear()
            .envs(variables)
            .env(callers, marks)
            .current_dir(self.folder(call.hook, &call.event.cwd)?)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Ok(command)
    }

    /// What any call refuses, whatever its event.
    fn refuses(&self, hook: &str) -> Result<(), Failure> {
        self.folder(hook, "")?;
        self.find_program().map_err(|error| self.cannot_start(hook, self.program(), &error))?;
        self.steps(self.subject(hook, self.program(), "")).map(drop)
    }

    fn steps(&self, subject: Subject<'_>) -> Result<Steps, Failure> {
        confine::steps(self.spec.confinement.as_ref(), self.spec.closed.as_ref(), subject)
    }

    /// Is there a file to run, as the system will look for it? Where it is may follow from the event.
    fn find_program(&self) -> io::Result<()> {
        if placeholders::is_in(self.program(), self.contract) {
            return Ok(());
        }
        let program = Path::new(self.program());
        let path = self.env.iter().find(|(name, _)| name == "PATH").map(|(_, value)| value);
        match path {
            Some(path) if program.components().count() == 1 => {
                let found = env::split_paths(path).any(|folder| executable(&folder.join(program)).is_ok());
                if found { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
            }
            _ => executable(program),
        }
    }

    fn subject<'a>(&'a self, hook: &'a str, program: &'a str, project: &'a str) -> Subject<'a> {
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

    fn folder<'a>(&'a self, hook: &str, project: &'a str) -> Result<&'a Path, Failure> {
        let Some(folder) = &self.spec.cwd else {
            let folder = Path::new(project);
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

    /// Can it be that its program is closed to it?
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

pub(super) fn executable(program: &Path) -> io::Result<()> {
    if program.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    check_runnable(program)
}

pub(super) fn home(environment: &Environment) -> Option<PathBuf> {
    environment.get("HOME").map(PathBuf::from)
}

impl Handler for ShellHandler {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Shell
    }

    fn try_out<'a>(&'a self, hook: &'a str, _: &'a Limits) -> Option<PrepareFuture<'a>> {
        Some(Box::pin(async { self.refuses(hook) }))
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
