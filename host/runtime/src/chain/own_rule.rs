//! What a host itself says no to, whatever hooks there are. No configuration, no switch and no allowance reaches it, and no hook's
//! answer outweighs it: it is asked last, about the call as the hooks left it.

use hookbox_model::{Answer, Event, HookReport, Labelled, Outcome, Reason, Verdict};

use super::panic::caught_here;

/// A rule of the program's own about events, which is no hook.
pub trait OwnRule: Send + Sync {
    /// Under what name reports and reasons tell of it.
    fn name(&self) -> &'static str;

    /// May it have something to say about this event? Asked of every event, so it looks at nothing but the event.
    fn is_about(&self, event: &Event) -> bool;

    /// Why this does not happen; `None` if it may. It may look at the disk.
    fn refuses(&self, event: &Event) -> Option<Reason>;
}

/// Why the host's own rule does not let an event happen.
pub(super) struct Refusal {
    /// Name of the rule.
    rule: &'static str,
    reason: Reason,
}

/// Asks the rule about the event.
pub(super) fn refusal(rule: Option<&dyn OwnRule>, event: &Event) -> Option<Refusal> {
    let rule = rule.filter(|rule| rule.is_about(event))?;
    // Who makes it panic gets no call past it.
    let reason = caught_here(|| rule.refuses(event)).unwrap_or_else(|panicked| {
        let message =
            format!("hookbox could not look at this call, so it does not happen: {}", panicked.message);
        Some(Reason::new(rule.name(), &message))
    })?;
    Some(Refusal { rule: rule.name(), reason })
}

/// Adds what the rule says to what the hooks came to. A deny of theirs stands as it is, and the rule is not asked.
pub(crate) fn join(rule: Option<&dyn OwnRule>, event: &Event, outcome: &mut Outcome) {
    if matches!(outcome.verdict, Verdict::Deny(_)) {
        return;
    }
    if let Some(refusal) = refusal(rule, event) {
        refuse(refusal, outcome);
    }
}

/// Makes the outcome the rule's refusal.
pub(super) fn refuse(refusal: Refusal, outcome: &mut Outcome) {
    let Refusal { rule, reason } = refusal;
    outcome.verdict = Verdict::Deny(reason.clone());
    outcome.reasons = vec![Labelled { hook: rule.to_owned(), value: reason.clone() }];
    outcome.rewrite = None;
    let answer = Answer { verdict: Verdict::Deny(reason), ..Answer::default() };
    outcome.reports.push(HookReport::of_host(rule, answer));
}
