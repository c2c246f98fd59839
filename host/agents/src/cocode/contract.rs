//! Input of cocode's hooks, and the meaning of their exit (docs/reference/agents/cocode.md).

use hookbox_core::interfaces::{Call, Contract, ProcessEnd};
use hookbox_model::{Answer, Exit, Failure, Json, RawObject, Reason, Rewrite, Verdict};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ENVIRONMENT, events};
use crate::object::Object;

/// Member for the input as changed by earlier hooks, in every event.
const INPUT: &str = "tool_input";

#[derive(Debug)]
pub(super) struct CocodeContract {
    /// True if the hook receives the event on its standard input, or in the body of the request.
    pub(super) pass_context: bool,
    /// True if the hook's output is read.
    pub(super) parse_result: bool,
}

/// An answer as serde writes it.
#[derive(Deserialize)]
enum HookResult {
    Continue,
    Reject { reason: String },
    ModifyInput { new_input: Box<RawValue> },
}

impl Contract for CocodeContract {
    fn id(&self) -> String {
        let Self { pass_context, parse_result } = self;
        format!("cocode {pass_context} {parse_result}")
    }

    fn event(&self, call: &Call<'_>) -> String {
        if self.pass_context { build_context(call) } else { String::new() }
    }

    fn variables(&self, call: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        let event = call.event;
        let tool = event.tool.as_ref().map(|tool| tool.name.as_str());
        let variables = [
            ("HOOK_EVENT", Some(event.agent_event.as_str())),
            ("HOOK_TOOL_NAME", tool),
            ("HOOK_SESSION_ID", Some(event.session.as_str())),
        ];
        let present = variables.into_iter().filter_map(|(name, value)| Some((name, value?)));
        // An environment cannot hold a NUL; with one the process would not start, and the failure would
        // reject the call.
        let sayable = present.filter(|(_, value)| !value.contains('\0'));
        Ok(sayable.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    fn stdin_redirect(&self) -> &'static str {
        match (self.pass_context, self.parse_result) {
            (true, true) => "",
            (true, false) => "exec >/dev/null; ",
            (false, true) => "exec </dev/null; ",
            (false, false) => "exec </dev/null >/dev/null; ",
        }
    }

    /// Interprets the exit: any code other than 0 is a rejection.
    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        if end.exit != Exit::Code(0) {
            // Except for a timeout, every failure rejects in cocode, a command that is not found too.
            return Ok(make_rejection(&format!("Hook failed: {}", end.stderr)));
        }
        Ok(if self.parse_result { parse_answer(call, end.stdout) } else { Answer::default() })
    }

    fn timeout_key(&self) -> &'static str {
        "timeout_sec"
    }

    fn refused_status(&self, status: &str) -> Option<Answer> {
        Some(make_rejection(&format!("Webhook failed: {status}")))
    }

    fn broken_request(&self, error: &str) -> Option<Answer> {
        Some(make_rejection(&format!("Webhook error: {error}")))
    }

    fn response(&self, call: &Call<'_>, body: &[u8], _: &str) -> Result<Answer, Failure> {
        Ok(parse_answer(call, body))
    }
}

/// Returns the event as received, with the changes of earlier hooks. Its `env` is empty; the received values are not kept.
fn build_context(call: &Call<'_>) -> String {
    let members = RawObject::parse(call.event.source.as_str()).unwrap_or_default();
    // `original` is present only after a change. Without one the member stays as the agent spelt it.
    let changed = call.original.and_then(|_| call.event.rewritable());
    let mut context = Object::new();
    for (name, value) in members.iter().filter(|(name, _)| *name != INPUT || changed.is_none()) {
        context.raw(name, value.get());
    }
    if let Some(input) = &changed {
        context.json(INPUT, input);
    }
    // The member is required by the programs that read a `HookContext`.
    context.raw(ENVIRONMENT, "{}");
    context.finish()
}

/// Parses a hook's result. Output that is not a result means to go on.
fn parse_answer(call: &Call<'_>, bytes: &[u8]) -> Answer {
    let json = std::str::from_utf8(bytes).ok().and_then(|text| Json::parse(text).ok());
    match json.as_ref().map(|json| serde_json::from_str(json.as_str())) {
        Some(Ok(HookResult::Reject { reason })) => make_rejection(&reason),
        Some(Ok(HookResult::ModifyInput { new_input })) => read_modification(call, &new_input),
        // cocode goes on with output that it cannot read; only the exit code or the status fails.
        Some(Ok(HookResult::Continue) | Err(_)) | None => Answer::default(),
    }
}

fn make_rejection(reason: &str) -> Answer {
    Answer { verdict: Verdict::Deny(Reason::new("", reason)), ..Answer::default() }
}

/// Returns the new input as a rewrite; none where the agent would ignore it.
fn read_modification(call: &Call<'_>, input: &RawValue) -> Answer {
    let read = events::find_row(&call.event.agent_event).is_some_and(|row| row.answer.rewrite.is_some());
    let rewrite = read.then(|| Rewrite::Replace(Json::from_raw(input)));
    Answer { rewrite, ..Answer::default() }
}
