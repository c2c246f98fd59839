//! The path from an agent's bytes to the agent's answer. Every failure on it results in an answer, and the answer is a
//! refusal if the action can be prevented.

use std::{
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use hookbox_model::{
    Event, EventName, FailureCode, Json, Outcome, Status, TrustLevel, Verdict, bounded_text,
};

use super::{Host, Plan};
use crate::{
    agents::{self, Dialect, FALLBACK_EXIT_CODE, InvalidEvent, ReadContext, Sender, Written},
    config::quote_word,
    trace,
};

/// Largest event that is read, bytes.
pub const MAX_EVENT_BYTES: usize = 32 << 20;
/// Most bytes of hooks' logs in an answer.
const MAX_LOG_BYTES: usize = 16 << 10;
/// Message to the agent when hookbox is at fault.
const BUG: &str = "hookbox itself failed (a bug); see `hookbox doctor`";
/// Message to the agent when hooks were cancelled. No answer was waited for, so the agent gets the strongest refusal.
const INTERRUPTED: &str = "hookbox was interrupted";

impl Host {
    /// Returns the answer to an agent's input: `bytes` in the format of `dialect`, or of the agent that the bytes
    /// identify. `arrival` has the facts that are not in the bytes, and `agent_timeout` is the agent timeout, if it is known
    /// better than by the dialect.
    ///
    /// Must be called within a tokio runtime that has its timer on, and its I/O driver if a hook starts processes or
    /// opens connections.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use hookbox::{Host, agents::{self, ReadContext}};
    ///
    /// let host = Host::builder().build();
    /// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    /// let claude = agents::find_dialect("claude-code");
    /// let response = runtime.block_on(host.answer(claude, b"{".to_vec(), &ReadContext::default(), None));
    /// // What cannot be read cannot be allowed.
    /// assert_eq!(response.written.exit, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn answer(
        &self,
        dialect: Option<&'static dyn Dialect>,
        bytes: Vec<u8>,
        arrival: &ReadContext,
        agent_timeout: Option<Duration>,
    ) -> Response {
        let begun = Instant::now();
        let request = match Request::parse_input(dialect, bytes, arrival) {
            Ok(request) => request,
            Err(invalid) => return invalid.response(),
        };
        let run = async { request.plan_hooks(self, begun, agent_timeout).run().await };
        request.answer_run(run).await.0
    }
}

/// An event, and the dialect that it was read in.
pub struct Request {
    /// Dialect of the answer.
    pub dialect: &'static dyn Dialect,
    /// The event.
    pub event: Event,
}

impl Request {
    /// Reads an agent's input, in this dialect or in the dialect of the agent that the input identifies.
    ///
    /// # Errors
    ///
    /// Input that is too long, not UTF-8, not acceptable JSON, from no known agent, or not a valid event of its agent.
    pub fn parse_input(
        dialect: Option<&'static dyn Dialect>,
        bytes: Vec<u8>,
        arrival: &ReadContext,
    ) -> Result<Self, InvalidRequest> {
        // The exit code of a panic is 101, which most agents take for a failed hook that does not block.
        let read = catch_unwind(AssertUnwindSafe(|| Self::try_read(dialect, bytes, arrival)));
        let read = read.unwrap_or_else(|_| Err(InvalidRequest::new(dialect, BUG.to_owned())));
        read.inspect_err(|invalid| trace::report_unread(&invalid.message))
    }

    fn try_read(
        dialect: Option<&'static dyn Dialect>,
        bytes: Vec<u8>,
        arrival: &ReadContext,
    ) -> Result<Self, InvalidRequest> {
        let invalid = |message: String| InvalidRequest::new(dialect, message);
        let code = InvalidEvent::CODE;
        if bytes.len() > MAX_EVENT_BYTES {
            return Err(invalid(format!("{code}: the event is longer than {MAX_EVENT_BYTES} bytes")));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            invalid(format!("{code}: the input is not UTF-8 (byte {at})"))
        })?;
        // Most agents are JavaScript programs, which may cut texts in the middle of a character.
        let source =
            Json::parse_cut_object(&text).map_err(|error| invalid(InvalidEvent::from(error).to_string()))?;
        let dialect = match dialect {
            Some(dialect) => dialect,
            None => detect_sender(&source).map_err(invalid)?,
        };
        let event = dialect.read(source, arrival).map_err(|error| InvalidRequest {
            dialect: Some(dialect),
            event: error.event.clone(),
            message: error.to_string(),
        })?;
        match other_sender(dialect, &event) {
            Some((sender, message)) => {
                Err(InvalidRequest { dialect: Some(sender), event: Some(event.agent_event), message })
            }
            None => Ok(Self { dialect, event }),
        }
    }

    /// Returns the dialect's agent timeout for this event.
    pub fn agent_timeout(&self) -> Duration {
        self.dialect.agent_timeout(&self.event.name)
    }

    /// Selects the hooks of `host` for this event, with the remaining time as their budget: the agent has waited since
    /// `begun`.
    pub fn plan_hooks<'a>(
        &'a self,
        host: &'a Host,
        begun: Instant,
        agent_timeout: Option<Duration>,
    ) -> Plan<'a> {
        let budget = chain_budget(agent_timeout.unwrap_or_else(|| self.agent_timeout()));
        host.plan(&self.event).with_budget(budget.saturating_sub(begun.elapsed()))
    }

    /// Returns the answer that results from this run of the hooks, and the outcome. Selecting hooks runs matchers of an
    /// agent's file: a panic there is answered, too, without an outcome.
    pub async fn answer_run(&self, run: impl Future<Output = Outcome>) -> (Response, Option<Outcome>) {
        match AssertUnwindSafe(run).catch_unwind().await {
            Ok(outcome) => (self.build_response(&outcome), Some(outcome)),
            Err(_) => (self.build_failure_response(BUG), None),
        }
    }

    /// Returns the answer for the chain's outcome.
    pub fn build_response(&self, outcome: &Outcome) -> Response {
        if was_cancelled(outcome) {
            return self.build_failure_response(INTERRUPTED);
        }
        let write = AssertUnwindSafe(|| Response::of_outcome(self, outcome));
        catch_unwind(write).unwrap_or_else(|_| self.build_failure_response(BUG))
    }

    /// Returns the answer when there is no outcome, with `message` as the reason.
    pub fn build_failure_response(&self, message: &str) -> Response {
        Response::of_failure(Some(self.dialect), Some(&self.event.agent_event), message)
    }
}

/// Input that is not an event of a known agent.
pub struct InvalidRequest {
    /// The dialect, if it is known.
    pub dialect: Option<&'static dyn Dialect>,
    /// The agent's name for the event, if it is known.
    pub event: Option<String>,
    /// The error.
    pub message: String,
}

impl InvalidRequest {
    /// Creates an error for an event of which nothing is known.
    pub fn new(dialect: Option<&'static dyn Dialect>, message: String) -> Self {
        Self { dialect, event: None, message }
    }

    /// Returns the answer.
    pub fn response(&self) -> Response {
        Response::of_failure(self.dialect, self.event.as_deref(), &self.message)
    }
}

/// The answer to an agent.
#[derive(Clone, Debug)]
pub struct Response {
    /// The answer in the agent's format.
    pub written: Written,
    /// Exit code to use when the rest cannot be delivered.
    pub fallback_exit_code: u8,
    /// True if the answer has content that must not be lost.
    pub must_deliver: bool,
    /// The reason of a refusal.
    pub reason: Option<String>,
}

impl Response {
    fn of_outcome(request: &Request, outcome: &Outcome) -> Self {
        let Request { dialect, event } = request;
        let mut written = dialect.write(event, outcome);
        if dialect.shows_logs() {
            written.stderr.push_str(&format_logs(outcome));
        }
        let refuses = !matches!(outcome.verdict, Verdict::None | Verdict::Allow(_));
        let must_deliver = refuses || outcome.rewrite.is_some() || outcome.stop.is_some();
        let reason = refuses.then(|| format_reasons(outcome));
        Self {
            written,
            fallback_exit_code: dialect.fallback_exit_code(Some(&event.agent_event)),
            must_deliver,
            reason,
        }
    }

    /// Returns the answer when there is no outcome. Without a known dialect, it is the exit code that most agents
    /// understand.
    pub fn of_failure(dialect: Option<&dyn Dialect>, event: Option<&str>, message: &str) -> Self {
        let written = match dialect {
            Some(dialect) => dialect.write_failure(event, message),
            None => Written {
                stderr: format!("hookbox: {message}\n"),
                exit: FALLBACK_EXIT_CODE,
                ..Written::default()
            },
        };
        let fallback_exit_code =
            dialect.map_or(FALLBACK_EXIT_CODE, |dialect| dialect.fallback_exit_code(event));
        Self { written, fallback_exit_code, must_deliver: true, reason: Some(message.to_owned()) }
    }

    /// Returns the answer when hookbox is at fault.
    pub fn of_bug(dialect: Option<&'static dyn Dialect>) -> Self {
        Self::of_failure(dialect, None, BUG)
    }
}

/// Returns the time budget of a chain: a little less than the agent timeout, so that the answer arrives first.
pub fn chain_budget(agent_timeout: Duration) -> Duration {
    // For the end of the process and the delivery of the answer. With a very short timeout, this margin would
    // leave the hooks no time; half of it is theirs in any case.
    let margin = agent_timeout / 10 + Duration::from_millis(100);
    agent_timeout.saturating_sub(margin).max(agent_timeout / 2)
}

/// Returns the dialect of the agent that sent this, or an error if that cannot be determined.
fn detect_sender(source: &Json) -> Result<&'static dyn Dialect, String> {
    let code = InvalidEvent::CODE;
    let known: Vec<_> = match agents::detect_dialect(&source.members().unwrap_or_default()) {
        Sender::Known(dialect) => return Ok(dialect),
        Sender::Ambiguous(senders) => {
            let senders = senders.join(" or ");
            return Err(format!("{code}: the event may come from {senders}; name the agent with --agent"));
        }
        Sender::Unknown => agents::all_dialects().iter().map(|dialect| dialect.name()).collect(),
    };
    let known = known.join(", ");
    Err(format!("{code}: no agent is known that writes such an event; name it with --agent ({known})"))
}

/// Returns the actual sender of an event that the named agent does not have and another agent does. No hook, and no
/// guard, would be called for such an event.
fn other_sender(named: &dyn Dialect, event: &Event) -> Option<(&'static dyn Dialect, String)> {
    let has = |dialect: &dyn Dialect| dialect.events().iter().any(|(name, _)| *name == event.agent_event);
    // A tool call in an event that the dialect does not have is read as a call that is about to run.
    let may_be_unknown = matches!(event.name, EventName::Custom(_) | EventName::ToolBefore);
    if !may_be_unknown || has(named) {
        return None;
    }
    let sender = agents::detect_dialect(&event.source.members()?).dialect()?;
    let (wrong, right, name) = (named.name(), sender.name(), quote_word(&event.agent_event));
    let is_others = wrong != right && has(sender);
    is_others.then(|| {
        let code = InvalidEvent::CODE;
        let message = format!(
            "{code}: {name} is an event of {right}, and --agent says {wrong}, which has none of that name; write \
             `hookbox run --agent {right}`"
        );
        (sender, message)
    })
}

fn was_cancelled(outcome: &Outcome) -> bool {
    let cancelled =
        |status: &Status| matches!(status, Status::Failed(failure) if failure.code == FailureCode::Cancelled);
    outcome.reports.iter().any(|report| cancelled(&report.status))
}

/// Returns each reason with the hook that gave it.
fn format_reasons(outcome: &Outcome) -> String {
    let reasons = outcome.reasons.iter().map(|label| format!("{}: {}", label.hook, label.value.text()));
    reasons.collect::<Vec<_>>().join("\n")
}

fn format_logs(outcome: &Outcome) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    // An agent may show them to its model, which must not read the text of untrusted hooks.
    let reviewed = outcome.reports.iter().filter(|report| report.trust_level != TrustLevel::Untrusted);
    for line in reviewed.flat_map(|report| &report.log) {
        let line = bounded_text(&line.message).replace('\n', "⏎");
        // After the first line that is left out no shorter one is shown, so that the text has no gap.
        if left_out > 0 || text.len() + line.len() > MAX_LOG_BYTES {
            left_out += 1;
        } else {
            text.extend([line.as_str(), "\n"]);
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "hookbox: {left_out} more lines are left out; `--report FILE` has all");
    }
    text
}
