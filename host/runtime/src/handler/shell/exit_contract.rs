//! What the end of a process means. Each agent has its own idea of exit codes; ours is the first row here.

use std::os::unix::process::ExitStatusExt as _;

use hookbox_model::{Answer, Failure, FailureCode, Limit, Reason, Verdict};

use super::exchange::Output;
use crate::handler::answer_text::{excerpt, read_answer};

/// Whose idea of exit codes holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExitContract {
    /// | end | means |
    /// |---|---|
    /// | code 0 | the answer on standard output: nothing is no opinion, else an answer as JSON object |
    /// | code 2 | deny; the reason is the text on standard error, or on standard output. JSON is not looked at |
    /// | any other code, a signal, too much output | a failure |
    Native,
}

/// The exit code that denies, and its reason code.
const DENY: (i32, &str) = (2, "exit-2");

impl ExitContract {
    /// Reads the end of a process as an answer.
    pub(super) fn read(self, output: &Output) -> Result<Answer, Failure> {
        match self {
            Self::Native => native(output),
        }
    }
}

fn native(output: &Output) -> Result<Answer, Failure> {
    check_size(output)?;
    let Some(status) = output.status else {
        return Err(Failure::new(FailureCode::Internal, "the hook was killed before its end was known"));
    };
    match status.code() {
        Some(0) => read_answer(&output.stdout.bytes, "the hook", str::to_owned),
        Some(code) if code == DENY.0 => Ok(denied(output)),
        Some(code) => Err(failed(FailureCode::Exit, &format!("ended with exit code {code}"), output)),
        None => {
            let signal = status.signal().unwrap_or_default();
            Err(failed(FailureCode::Signal, &format!("was killed by signal {signal}"), output))
        }
    }
}

fn check_size(output: &Output) -> Result<(), Failure> {
    let over = |most, what| {
        let message =
            format!("the hook wrote more than {most} bytes to {what} and was killed: make it write less");
        Err(Failure::new(FailureCode::Output, &message))
    };
    if let Some(most) = output.stdout.over {
        return over(most, &*format!("standard output (its limit `{}`)", Limit::Output));
    }
    output.stderr.over.map_or(Ok(()), |most| over(most, "standard error"))
}

fn denied(output: &Output) -> Answer {
    let texts = [output.stderr.text(), output.stdout.text()];
    let said = texts.iter().map(|text| text.trim()).find(|text| !text.is_empty());
    let text = said.unwrap_or("the hook exited with code 2 without a reason");
    Answer { verdict: Verdict::Deny(Reason::new(DENY.1, text)), ..Answer::default() }
}

fn failed(code: FailureCode, how: &str, output: &Output) -> Failure {
    let text = output.stderr.text();
    let first = text.lines().find(|line| !line.trim().is_empty());
    let said = first.map_or_else(|| "it wrote nothing to standard error".to_owned(), excerpt);
    Failure::new(code, &format!("the hook {how}: {said}"))
}
