//! The contract of one system with its hooks: the form of an event for a handler outside this process, and the meaning of its answer.

use std::{borrow::Cow, fmt::Debug};

use hookbox_model::{Answer, Event, Exit, Failure, FailureCode, LogLevel};

use super::Call;

/// Characters shown of a text that is not an answer.
const SHOWN_CHARS: usize = 80;

/// One system's contract with its hooks.
pub trait Contract: Debug + Send + Sync {
    /// Returns an identifier that is unique in every process: a hook of another contract is another hook.
    fn id(&self) -> String;

    /// Returns the event as the hook reads it: standard input, or the body of a request.
    fn event(&self, call: &Call<'_>) -> String;

    /// Returns the variables that describe the event to a child process. A failure if they cannot hold it.
    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure>;

    /// Returns the shell of its command lines: absolute, so that it does not depend on `PATH`.
    fn shell(&self) -> &'static str {
        "/bin/sh"
    }

    /// Returns a command line as it is passed to the shell.
    fn command_line<'l>(&self, call: &Call<'_>, line: &'l str) -> Cow<'l, str> {
        let _ = call;
        Cow::Borrowed(line)
    }

    /// Returns the adapter between the event and a Python function ([`PythonCall::adapter`](crate::python::PythonCall::adapter)).
    fn python_adapter(&self) -> &'static str {
        ""
    }

    /// Returns the variables that its system sets for its hooks: values of the environment stay. In a program and its arguments `${NAME}`
    /// stands for their values.
    fn placeholders(&self) -> &'static [Placeholder] {
        &[]
    }

    /// Returns true if invalid headers and headers with unset variables are dropped. Otherwise nothing is sent.
    fn drops_invalid_headers(&self) -> bool {
        false
    }

    /// Returns the prefix of a command line that reduces input and requests to this contract, where its system has a fuller one.
    fn stdin_redirect(&self) -> &'static str {
        ""
    }

    /// Returns true if a hook of hookbox's own configuration may have this contract, by `speaks`.
    fn is_spoken(&self) -> bool {
        true
    }

    /// Returns the key by which the system's file sets how long a hook may take, for messages.
    fn timeout_key(&self) -> &'static str {
        "timeout"
    }

    /// Returns what it means that a server answered with this status; `None` if that is a failure.
    fn refused_status(&self, status: &str) -> Option<Answer> {
        let _ = status;
        None
    }

    /// Returns what it means that a server could not be reached or broke off; `None` if that is a failure.
    fn broken_request(&self, error: &str) -> Option<Answer> {
        let _ = error;
        None
    }

    /// Returns the level at which a child process's standard error is logged.
    fn stderr_level(&self) -> LogLevel {
        LogLevel::Info
    }

    /// Applies other changes of an answer than its rewrite to the event for later hooks, where these receive the changed event.
    fn carry(&self, event: &mut Event, answer: &Answer) {
        let _ = (event, answer);
    }

    /// Returns the meaning of the end of a child process.
    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure>;

    /// Returns the meaning of the body of a successful response; `who` is the server, for messages.
    fn response(&self, call: &Call<'_>, body: &[u8], who: &str) -> Result<Answer, Failure> {
        let _ = (call, body);
        Err(Failure::new(
            FailureCode::Refused,
            &format!("this system has no webhooks; {who} was called in vain"),
        ))
    }
}

/// A variable that a system sets for its hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Its name.
    pub name: &'static str,
    /// True if it is set for every hook. Otherwise it is set for some hooks, and only its system knows the value.
    pub always: bool,
}

/// How a child process ended, and what it wrote. Both outputs are bounded.
#[derive(Clone, Copy, Debug)]
pub struct ProcessEnd<'a> {
    /// Its exit code, or the signal that killed it.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: &'a [u8],
    /// Its standard error; invalid UTF-8 is replaced.
    pub stderr: &'a str,
}

impl ProcessEnd<'_> {
    /// Returns a failure with the exit and the first line of standard error.
    pub fn failure(&self) -> Failure {
        let first = self.stderr.lines().find(|line| !line.trim().is_empty());
        let output = first.map_or_else(|| "it wrote nothing to standard error".to_owned(), escape_excerpt);
        let (code, how) = match self.exit {
            Exit::Code(code) => (FailureCode::Exit, format!("ended with exit code {code}")),
            Exit::Signal(signal) => (FailureCode::Signal, format!("was killed by signal {signal}")),
        };
        Failure::new(code, &format!("the hook {how}: {output}"))
    }
}

/// Returns the beginning of `text`, escaped, so that it cannot forge the text around it.
pub fn escape_excerpt(text: &str) -> String {
    let text = text.trim();
    // Cut before it is escaped: a cut escape would read as other text.
    let mut shown = text.chars().take(SHOWN_CHARS).collect::<String>().escape_debug().to_string();
    if text.chars().nth(SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}
