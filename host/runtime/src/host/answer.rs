//! The way from an agent's bytes to the agent's answer. Whatever happens on it, there is an answer, and where something can
//! be kept from happening that answer is no.

use std::{
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use hookbox_model::{Event, EventName, FailureCode, Json, Outcome, Status, Tier, Verdict, bounded_text};

use super::{Host, Plan};
use crate::{
    config::quoted,
    dialect::{self, Arrival, Dialect, InvalidEvent, Sender, UNHEARD, Written},
};

/// Largest event that is read, bytes.
pub const MAX_EVENT_BYTES: usize = 32 << 20;
/// Most bytes of what hooks logged, in an answer.
const MAX_LOG_BYTES: usize = 16 << 10;
/// To an agent, when hookbox is at fault.
const BUG: &str = "hookbox itself failed (a bug); see `hookbox doctor`";
/// Why hooks were cancelled, to the agent. Nobody waited for their answers, so it gets the strongest refusal.
const TOLD_TO_END: &str = "hookbox was interrupted";

impl Host {
    /// The answer to what an agent sent: `bytes` in the words of `dialect`, or of whoever it is that must have sent them.
    /// `arrival` is what the bytes do not tell, and `patience` how long the agent waits, if it is known better than by the
    /// dialect.
    ///
    /// Must be called within a tokio runtime that has its timer on, and its I/O driver if a hook starts processes or opens
    /// connections.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use hookbox::{Host, dialect::{self, Arrival}};
    ///
    /// let host = Host::builder().build();
    /// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    /// let claude = dialect::named("claude-code");
    /// let response = runtime.block_on(host.answer(claude, b"{".to_vec(), &Arrival::default(), None));
    /// // What cannot be read cannot be allowed.
    /// assert_eq!(response.written.exit, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn answer(
        &self,
        dialect: Option<&'static dyn Dialect>,
        bytes: Vec<u8>,
        arrival: &Arrival,
        patience: Option<Duration>,
    ) -> Response {
        let begun = Instant::now();
        let question = match Question::read(dialect, bytes, arrival) {
            Ok(question) => question,
            Err(unread) => return unread.response(),
        };
        let run = async { question.plan(self, begun, patience).run().await };
        question.answered(run).await.0
    }
}

/// An event, and the dialect that it came in.
pub struct Question {
    /// In which the answer is written.
    pub dialect: &'static dyn Dialect,
    /// What is asked about.
    pub event: Event,
}

impl Question {
    /// Reads what an agent sent: in this dialect, or in that of whoever must have sent it.
    ///
    /// # Errors
    ///
    /// What is too long, no UTF-8, no acceptable JSON, of no agent that is known, or no valid event of it.
    pub fn read(
        dialect: Option<&'static dyn Dialect>,
        bytes: Vec<u8>,
        arrival: &Arrival,
    ) -> Result<Self, Unread> {
        let read = catch_unwind(AssertUnwindSafe(|| Self::try_read(dialect, bytes, arrival)));
        read.unwrap_or_else(|_| Err(Unread::new(dialect, BUG.to_owned())))
    }

    fn try_read(
        dialect: Option<&'static dyn Dialect>,
        bytes: Vec<u8>,
        arrival: &Arrival,
    ) -> Result<Self, Unread> {
        let invalid = |message: String| Unread::new(dialect, message);
        let code = InvalidEvent::CODE;
        if bytes.len() > MAX_EVENT_BYTES {
            return Err(invalid(format!("{code}: the event is longer than {MAX_EVENT_BYTES} bytes")));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            invalid(format!("{code}: the input is not UTF-8 (byte {at})"))
        })?;
        // Most agents are JavaScript programs, which cut texts in the middle of a character.
        let source =
            Json::parse_cut_object(&text).map_err(|error| invalid(InvalidEvent::from(error).to_string()))?;
        let dialect = match dialect {
            Some(dialect) => dialect,
            None => sender(&source).map_err(invalid)?,
        };
        let event = dialect.read(source, arrival).map_err(|error| Unread {
            dialect: Some(dialect),
            event: error.event.clone(),
            message: error.to_string(),
        })?;
        match other_sender(dialect, &event) {
            Some((sender, message)) => {
                Err(Unread { dialect: Some(sender), event: Some(event.agent_event), message })
            }
            None => Ok(Self { dialect, event }),
        }
    }

    /// How long the agent waits, if it does not say so itself.
    pub fn patience(&self) -> Duration {
        self.dialect.patience(&self.event.name)
    }

    /// The hooks of `host` that are for it, with the time that is left to them: the agent has waited since `begun`, whatever
    /// was done in between.
    pub fn plan<'a>(&'a self, host: &'a Host, begun: Instant, patience: Option<Duration>) -> Plan<'a> {
        let budget = budget(patience.unwrap_or_else(|| self.patience()));
        host.plan(&self.event).within(budget.saturating_sub(begun.elapsed()))
    }

    /// The answer, by what this run of its hooks comes to, which stands beside it. To look for hooks runs matchers that an agent's
    /// file has: a panic there is an answer, too, and nothing stands beside that.
    pub async fn answered(&self, run: impl Future<Output = Outcome>) -> (Response, Option<Outcome>) {
        match AssertUnwindSafe(run).catch_unwind().await {
            Ok(outcome) => (self.response(&outcome), Some(outcome)),
            Err(_) => (self.failure(BUG), None),
        }
    }

    /// The answer, by what the chain came to.
    pub fn response(&self, outcome: &Outcome) -> Response {
        if was_cancelled(outcome) {
            return self.failure(TOLD_TO_END);
        }
        let write = AssertUnwindSafe(|| Response::of_outcome(self, outcome));
        catch_unwind(write).unwrap_or_else(|_| self.failure(BUG))
    }

    /// The answer when there is no outcome, and why.
    pub fn failure(&self, message: &str) -> Response {
        Response::of_failure(Some(self.dialect), Some(&self.event.agent_event), message)
    }
}

/// Input that is no event of any agent that we know.
pub struct Unread {
    /// The dialect, as far as it is known.
    pub dialect: Option<&'static dyn Dialect>,
    /// The agent's name for the event, as far as it is known.
    pub event: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Unread {
    /// Nothing is known of the event.
    pub fn new(dialect: Option<&'static dyn Dialect>, message: String) -> Self {
        Self { dialect, event: None, message }
    }

    /// The answer.
    pub fn response(&self) -> Response {
        Response::of_failure(self.dialect, self.event.as_deref(), &self.message)
    }
}

/// What an agent is to be told.
#[derive(Clone, Debug)]
pub struct Response {
    /// In its own words.
    pub written: Written,
    /// The exit code if the rest does not reach it.
    pub unheard: u8,
    /// Is there anything in it that must not be lost?
    pub matters: bool,
    /// Why something is refused, if it is.
    pub reason: Option<String>,
}

impl Response {
    fn of_outcome(question: &Question, outcome: &Outcome) -> Self {
        let Question { dialect, event } = question;
        let mut written = dialect.write(event, outcome);
        if dialect.shows_logs() {
            written.stderr.push_str(&logs(outcome));
        }
        let said = !matches!(outcome.verdict, Verdict::None | Verdict::Allow(_));
        let matters = said || outcome.rewrite.is_some() || outcome.stop.is_some();
        let reason = said.then(|| reasons(outcome));
        Self { written, unheard: dialect.unheard(Some(&event.agent_event)), matters, reason }
    }

    /// What is said without an outcome. Where no dialect is known, by the exit code that most agents understand.
    pub fn of_failure(dialect: Option<&dyn Dialect>, event: Option<&str>, message: &str) -> Self {
        let written = match dialect {
            Some(dialect) => dialect.write_failure(event, message),
            None => Written { stderr: format!("hookbox: {message}\n"), exit: UNHEARD, ..Written::default() },
        };
        let unheard = dialect.map_or(UNHEARD, |dialect| dialect.unheard(event));
        Self { written, unheard, matters: true, reason: Some(message.to_owned()) }
    }

    /// What is said when hookbox is at fault.
    pub fn of_bug(dialect: Option<&'static dyn Dialect>) -> Self {
        Self::of_failure(dialect, None, BUG)
    }
}

/// A little less than the agent waits, so that our answer is there first.
pub fn budget(patience: Duration) -> Duration {
    let margin = patience / 10 + Duration::from_millis(100);
    patience.saturating_sub(margin).max(patience / 2)
}

/// The dialect of whoever sent this, or what keeps it from being told.
fn sender(source: &Json) -> Result<&'static dyn Dialect, String> {
    let code = InvalidEvent::CODE;
    let known: Vec<_> = match dialect::detect(&source.members().unwrap_or_default()) {
        Sender::Known(dialect) => return Ok(dialect),
        Sender::Ambiguous(senders) => {
            let senders = senders.join(" or ");
            return Err(format!("{code}: the event may come from {senders}; name the agent with --agent"));
        }
        Sender::Unknown => dialect::all().iter().map(|dialect| dialect.name()).collect(),
    };
    let known = known.join(", ");
    Err(format!("{code}: no agent is known that writes such an event; name it with --agent ({known})"))
}

/// An event that the named agent does not have, and that another one sent. No hook would be asked about it, and no guard.
fn other_sender(named: &dyn Dialect, event: &Event) -> Option<(&'static dyn Dialect, String)> {
    let has = |dialect: &dyn Dialect| dialect.events().iter().any(|(name, _)| *name == event.agent_event);
    // A call of a tool in an event that it does not have is read as one that is about to run.
    let may_be_unknown = matches!(event.name, EventName::Custom(_) | EventName::ToolBefore);
    if !may_be_unknown || has(named) {
        return None;
    }
    let sender = dialect::detect(&event.source.members()?).dialect()?;
    let (wrong, right, name) = (named.name(), sender.name(), quoted(&event.agent_event));
    let is_theirs = wrong != right && has(sender);
    is_theirs.then(|| {
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

/// Which hook said so, and why.
fn reasons(outcome: &Outcome) -> String {
    let said = outcome.reasons.iter().map(|said| format!("{}: {}", said.hook, said.value.text()));
    said.collect::<Vec<_>>().join("\n")
}

/// What the hooks logged, a line each.
fn logs(outcome: &Outcome) -> String {
    let mut text = String::new();
    let mut left_out = 0;
    // An agent may show them to its model, and a stranger's words are not for that.
    let reviewed = outcome.reports.iter().filter(|report| report.tier != Tier::Unknown);
    for line in reviewed.flat_map(|report| &report.log) {
        let line = bounded_text(&line.message).replace('\n', "⏎");
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
