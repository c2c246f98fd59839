//! Hooks that keep an agent from stopping may do so without end: it goes on, and stops again. After some times in a row it is
//! let go, which the person is told.
//!
//! A sequence is of one agent in one session. It ends when the agent stops, or with the person's next prompt. A stranger's
//! hooks have a sequence of their own, so that they cannot use up what the user's own gates have.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use hookbox_model::{
    Answer, Event, EventName, HookReport, Labelled, Outcome, Status, Tier, Verdict, bounded_text,
};

use super::{fold, youngest::keep_youngest};
use crate::{
    digest::hex,
    port::{Agents, Stopping},
};

/// How often in a row hooks may keep an agent from stopping (as Claude Code does, docs/contracts/claude-code.md).
pub const MOST_STOPS_KEPT: u32 = 8;
/// Under this name reports and notices tell that an agent was let go.
pub const STOP_LOOP: &str = "stop-loop";
/// Sequences that are remembered, the youngest.
const MOST_SEQUENCES: usize = 1024;

/// How often in a row an agent was kept from stopping, and when last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StopsKept {
    /// Times without a stop in between.
    pub in_a_row: u32,
    /// When the last one was, in milliseconds since the Unix epoch.
    pub last: u64,
}

/// The sequences that are under way.
#[derive(Debug)]
pub(super) struct StopLoops {
    sequences: Mutex<HashMap<String, StopsKept>>,
    /// Nobody keeps them for the next event.
    lost: bool,
}

impl StopLoops {
    /// With those of an earlier process; `lost`, if there is nobody to keep them for the next one.
    pub(super) fn new(sequences: HashMap<String, StopsKept>, lost: bool) -> Self {
        Self { sequences: Mutex::new(sequences), lost }
    }

    /// Those that are under way now.
    pub(super) fn sequences(&self) -> MutexGuard<'_, HashMap<String, StopsKept>> {
        self.sequences.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what a chain came to, and lets the agent go if that was too often. Nothing is counted of an agent that names
    /// no session.
    pub(super) fn record(&self, agents: &dyn Agents, (event, now): (&Event, u64), outcome: &mut Outcome) {
        match event.name {
            _ if event.session.is_empty() => {}
            EventName::PromptSubmit | EventName::SessionEnd => self.forget(event),
            EventName::AgentStop | EventName::SubagentStop | EventName::TeamIdle => {
                self.bound(&agents.stopping(event), (event, now), outcome);
            }
            _ => {}
        }
    }

    fn forget(&self, event: &Event) {
        let mut sequences = self.sequences();
        if !sequences.is_empty() {
            let session = session(event);
            sequences.retain(|key, _| !key.starts_with(&session));
        }
    }

    fn bound(&self, stopping: &Stopping, (event, now): (&Event, u64), outcome: &mut Outcome) {
        let [own, stranger] = keys(event, stopping);
        let mut sequences = self.sequences();
        if stopping.first == Some(true) || !keeps(outcome, stopping) {
            sequences.remove(&own);
            sequences.remove(&stranger);
        }
        if !keeps(outcome, stopping) {
            return;
        }
        let is_own = is_own(outcome);
        // All that is known then is what the agent says of it.
        if self.lost && !is_own && stopping.first == Some(false) {
            return let_go(outcome, "again, and how often is nowhere kept");
        }
        let key = if is_own { &own } else { &stranger };
        let before = sequences.get(key).map_or(0, |kept| kept.in_a_row);
        if before < MOST_STOPS_KEPT {
            sequences.insert(key.clone(), StopsKept { in_a_row: before.saturating_add(1), last: now });
            keep_youngest(&mut sequences, MOST_SEQUENCES, |kept| kept.last);
        } else {
            sequences.remove(&own);
            sequences.remove(&stranger);
            let_go(outcome, &format!("{MOST_STOPS_KEPT} times in a row"));
        }
    }
}

/// Does the agent go on? Text for the model makes those go on that tell of the stops before (Claude Code and its like), and
/// no others.
fn keeps(outcome: &Outcome, stopping: &Stopping) -> bool {
    let refused = !matches!(outcome.verdict, Verdict::None | Verdict::Allow(_));
    refused || (stopping.first.is_some() && !outcome.contexts.is_empty())
}

/// Is it a hook of anyone but a stranger that keeps it?
fn is_own(outcome: &Outcome) -> bool {
    let keeps = |report: &HookReport| {
        let text = matches!(&report.status, Status::Answered(answer) if answer.context.is_some());
        text || !matches!(fold::verdict(report), Verdict::None | Verdict::Allow(_))
    };
    outcome.reports.iter().any(|report| report.tier != Tier::Unknown && keeps(report))
}

fn let_go(outcome: &mut Outcome, how_often: &str) {
    let said: Vec<_> =
        outcome.reasons.iter().map(|said| format!("{} ({})", said.hook, said.value.code())).collect();
    let by = if said.is_empty() {
        String::new()
    } else {
        format!(", though it is still kept by {}", said.join(", "))
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

/// Under which names the sequences of this agent are kept: that of the user's own hooks, and that of a stranger's.
fn keys(event: &Event, stopping: &Stopping) -> [String; 2] {
    let agent = hash([event.name.as_str(), &stopping.who]);
    ["own", "stranger"].map(|whose| format!("{}{agent}:{whose}", session(event)))
}

fn session(event: &Event) -> String {
    format!("{}:", hash([event.agent.as_ref(), &event.session]))
}

/// Of any length and text, a short name.
fn hash(texts: [&str; 2]) -> String {
    let mut hash = hex(&texts.map(str::as_bytes));
    hash.truncate(24);
    hash
}
