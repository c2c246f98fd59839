//! Protocol with an interpreter: one line for each message.

use hookbox_model::{Failure, FailureCode, Limit};
use serde_json::{Value, json};

use crate::python::PythonCall;

/// A message of an interpreter about one call.
pub(super) struct InterpreterMessage {
    pub(super) id: u64,
    pub(super) what: MessageBody,
}

pub(super) enum MessageBody {
    /// More of the function's printed text.
    Log(String),
    Done(CallEnd),
}

pub(super) enum CallEnd {
    /// The answer: an object as JSON, or nothing.
    Answered(String),
    Failed(Failure),
    /// The call was not begun: modules have changed on the disk since this interpreter imported them.
    Stale,
}

/// Returns the line for a call: its number, its generation, the job.
pub(super) fn format_job(id: u64, call: &PythonCall<'_>) -> String {
    let PythonCall { spec, adapter, config, event, generation, limits, .. } = call;
    let text = |value: &str| Value::from(value).to_string();
    let (module, function, path) = (text(&spec.module), text(&spec.function), json!(spec.path).to_string());
    let (adapter, event, most) = (text(adapter), event.unwrap_or("null"), limits.get(Limit::Output));
    let job = format!(
        "{id} {generation} {{\"most\":{most},\"module\":{module},\"function\":{function},\"path\":{path},\
         \"adapter\":{adapter},\"config\":{config},\"told\":{event}}}"
    );
    // In JSON, a newline can be between values only.
    job.replace('\n', " ") + "\n"
}

impl InterpreterMessage {
    /// Parses a line. `None` if it is not a message of hookbox's module: a function has found the descriptor.
    pub(super) fn parse_line(text: &[u8]) -> Option<Self> {
        let mut line: Value = serde_json::from_slice(text).ok()?;
        let id = line.get("id")?.as_u64()?;
        let mut taken = |key: &str| match line.get_mut(key).map(Value::take) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let what = if let Some(log) = taken("log") {
            MessageBody::Log(log)
        } else if let Some(answer) = taken("said") {
            MessageBody::Done(CallEnd::Answered(answer))
        } else if let Some(code) = taken("failed") {
            MessageBody::Done(CallEnd::Failed(Failure::new(code_of(&code), &taken("text")?)))
        } else {
            line.get("stale")?;
            MessageBody::Done(CallEnd::Stale)
        };
        Some(Self { id, what })
    }
}

fn code_of(word: &str) -> FailureCode {
    // Foreign code runs in the interpreter and could write any word: it must not claim a failure of the host.
    let codes = [FailureCode::BadOutput, FailureCode::Missing, FailureCode::Output];
    codes.into_iter().find(|code| code.as_str() == word).unwrap_or(FailureCode::HookError)
}
