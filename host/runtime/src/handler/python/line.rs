//! What goes to an interpreter and comes back from it, a line each.

use hookbox_model::{Failure, FailureCode, Limit};
use serde_json::{Value, json};

use crate::python::PythonCall;

/// What an interpreter says of one call.
pub(super) struct Said {
    pub(super) id: u64,
    pub(super) what: What,
}

pub(super) enum What {
    /// More of what the function prints.
    Log(String),
    /// It is over.
    Done(Done),
}

/// How a call ended.
pub(super) enum Done {
    /// An object as JSON, or nothing.
    Said(String),
    Failed(Failure),
    /// It was not begun: modules have changed on the disk since this interpreter imported them.
    Stale,
}

/// The line for a call: its number, its generation, the job.
pub(super) fn job(id: u64, call: &PythonCall<'_>) -> String {
    let PythonCall { spec, adapter, config, told, generation, limits, .. } = call;
    let text = |value: &str| Value::from(value).to_string();
    let (module, function, path) = (text(&spec.module), text(&spec.function), json!(spec.path).to_string());
    let (adapter, told, most) = (text(adapter), told.unwrap_or("null"), limits.get(Limit::Output));
    let job = format!(
        "{id} {generation} {{\"most\":{most},\"module\":{module},\"function\":{function},\"path\":{path},\
         \"adapter\":{adapter},\"config\":{config},\"told\":{told}}}"
    );
    // In JSON a line can end between values only.
    job.replace('\n', " ") + "\n"
}

impl Said {
    /// `None` if it is none of ours: a function has found the descriptor.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let mut line: Value = serde_json::from_slice(text).ok()?;
        let id = line.get("id")?.as_u64()?;
        let mut taken = |key: &str| match line.get_mut(key).map(Value::take) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        };
        let what = if let Some(log) = taken("log") {
            What::Log(log)
        } else if let Some(said) = taken("said") {
            What::Done(Done::Said(said))
        } else if let Some(code) = taken("failed") {
            What::Done(Done::Failed(Failure::new(code_of(&code), &taken("text")?)))
        } else {
            line.get("stale")?;
            What::Done(Done::Stale)
        };
        Some(Self { id, what })
    }
}

fn code_of(word: &str) -> FailureCode {
    let codes = [FailureCode::BadOutput, FailureCode::Missing, FailureCode::Output];
    codes.into_iter().find(|code| code.as_str() == word).unwrap_or(FailureCode::HookError)
}
