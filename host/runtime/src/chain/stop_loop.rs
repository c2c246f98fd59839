//! Hooks that keep an agent from stopping could do so without end: the agent goes on, and stops again. After several
//! times in a row the agent is allowed to stop, and the user is notified.
//!
//! A sequence is of one agent in one session. It ends when the agent stops, or with the user's next prompt. Untrusted
//! hooks have a separate sequence, so that they cannot use up the limit of the user's own gates.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use hookbox_model::{
    Answer, Event, EventName, HookReport, Labelled, Outcome, Status, TrustLevel, Verdict, bounded_text,
};

use super::{bounded_counts::evict_oldest, merge};
use crate::{
    digest::hash_parts,
    interfaces::{Agents, Stopping},
};

/// Most times in a row that hooks may keep an agent from stopping (Claude Code's limit, docs/reference/agents/claude-code.md).
pub const MAX_CONSECUTIVE_STOPS: u32 = 8;
/// Name in reports and notices of an agent that was allowed to stop.
pub const STOP_LOOP: &str = "stop-loop";
/// Most sequences that are remembered, the youngest.
const MOST_SEQUENCES: usize = 1024;

/// How often in a row an agent was kept from stopping, with the time of the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopsKept {
    /// Times without a stop in between.
    pub in_a_row: u32,
    /// Time of the last one, milliseconds since the Unix epoch.
    pub last: u64,
}

#[derive(Debug)]
pub(super) struct StopLoops {
    sequences: Mutex<HashMap<String, StopsKept>>,
    /// True if the sequences are not kept for the next event.
    lost: bool,
}

impl StopLoops {
    /// Creates the state with an earlier process's sequences; `lost` if they are not kept for the next one.
    pub(super) fn new(sequences: HashMap<String, StopsKept>, lost: bool) -> Self {
        Self { sequences: Mutex::new(sequences), lost }
    }

    pub(super) fn sequences(&self) -> MutexGuard<'_, HashMap<String, StopsKept>> {
        self.sequences.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the outcome of a chain, and lets the agent stop if that was too often. An agent that names no session is
    /// not counted.
    pub(super) fn record_outcome(
        &self,
        agents: &dyn Agents,
        (event, now): (&Event, u64),
        outcome: &mut Outcome,
    ) {
        match event.name {
            // Without a name, all sessions of the agent would be one sequence.
            _ if event.session.is_empty() => {}
            EventName::PromptSubmit | EventName::SessionEnd => self.forget_session(event),
            EventName::AgentStop | EventName::SubagentStop | EventName::TeamIdle => {
                self.limit_stops(&agents.stopping(event), (event, now), outcome);
            }
            _ => {}
        }
    }

    fn forget_session(&self, event: &Event) {
        let mut sequences = self.sequences();
        if !sequences.is_empty() {
            let session = session_prefix(event);
            sequences.retain(|key, _| !key.starts_with(&session));
        }
    }

    fn limit_stops(&self, stopping: &Stopping, (event, now): (&Event, u64), outcome: &mut Outcome) {
        let [own, untrusted] = sequence_keys(event, stopping);
        let mut sequences = self.sequences();
        // An agent that reports its first stop, or that stops now, begins a new sequence.
        if stopping.first == Some(true) || !keeps_running(outcome, stopping) {
            sequences.remove(&own);
            sequences.remove(&untrusted);
        }
        if !keeps_running(outcome, stopping) {
            return;
        }
        let is_own = is_own(outcome);
        // The agent's own report of an earlier stop is then the only information.
        if self.lost && !is_own && stopping.first == Some(false) {
            return let_go(outcome, "again, and how often is nowhere kept");
        }
        let key = if is_own { &own } else { &untrusted };
        let before = sequences.get(key).map_or(0, |kept| kept.in_a_row);
        if before < MAX_CONSECUTIVE_STOPS {
            sequences.insert(key.clone(), StopsKept { in_a_row: before.saturating_add(1), last: now });
            evict_oldest(&mut sequences, MOST_SEQUENCES, |kept| kept.last);
        } else {
            sequences.remove(&own);
            sequences.remove(&untrusted);
            let_go(outcome, &format!("{MAX_CONSECUTIVE_STOPS} times in a row"));
        }
    }
}

/// Returns true if the agent goes on. Text for the model does so only for agents that report earlier stops (Claude Code
/// and compatible ones).
fn keeps_running(outcome: &Outcome, stopping: &Stopping) -> bool {
    let refused = !matches!(outcome.verdict, Verdict::None | Verdict::Allow(_));
    refused || (stopping.first.is_some() && !outcome.contexts.is_empty())
}

/// Returns true if a hook that is not untrusted keeps the agent from stopping.
fn is_own(outcome: &Outcome) -> bool {
    let keeps = |report: &HookReport| {
        let text = matches!(&report.status, Status::Answered(answer) if answer.context.is_some());
        text || !matches!(merge::verdict_of(report), Verdict::None | Verdict::Allow(_))
    };
    outcome.reports.iter().any(|report| report.trust_level != TrustLevel::Untrusted && keeps(report))
}

fn let_go(outcome: &mut Outcome, how_often: &str) {
    let reasons: Vec<_> =
        outcome.reasons.iter().map(|label| format!("{} ({})", label.hook, label.value.code())).collect();
    let by = if reasons.is_empty() {
        String::new()
    } else {
        format!(", though it is still kept by {}", reasons.join(", "))
    };
    let notice = bounded_text(&format!(
        "hooks kept the agent from stopping {how_often}; now hookbox lets it stop{by}"
    ));
    outcome.verdict = Verdict::None;
    outcome.reasons.clear();
    outcome.contexts.clear();
    let answer = Answer { notice: Some(notice.clone()), ..Answer::default() };
    outcome.reports.push(HookReport::of_host(STOP_LOOP, answer));
    outcome.notices.push(Labelled { hook: STOP_LOOP.to_owned(), value: notice });
}

/// Returns the keys of this agent's sequences: for the user's own hooks, and for untrusted hooks.
fn sequence_keys(event: &Event, stopping: &Stopping) -> [String; 2] {
    let agent = hash_texts([event.name.as_str(), &stopping.agent_id]);
    // These words are part of stored keys: other words would begin every count anew.
    ["own", "stranger"].map(|whose| format!("{}{agent}:{whose}", session_prefix(event)))
}

fn session_prefix(event: &Event) -> String {
    format!("{}:", hash_texts([event.agent.as_ref(), &event.session]))
}

/// Returns a short name for texts of any length.
fn hash_texts(texts: [&str; 2]) -> String {
    let mut hash = hash_parts(&texts.map(str::as_bytes));
    // 96 bits: enough that two sessions never share a key by accident, in a file that every process reads.
    hash.truncate(24);
    hash
}
