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

/// Adds what the rule says to what the hooks came to. A deny of theirs stands as it is.
pub(crate) fn join(rule: Option<&dyn OwnRule>, event: &Event, outcome: &mut Outcome) {
    let Some(rule) = rule.filter(|rule| rule.is_about(event)) else { return };
    if matches!(outcome.verdict, Verdict::Deny(_)) {
        return;
    }
    // Who makes it panic gets no call past it.
    let Some(reason) = caught_here(|| rule.refuses(event)).unwrap_or_else(|panicked| {
        let message =
            format!("hookbox could not look at this call, so it does not happen: {}", panicked.message);
        Some(Reason::new(rule.name(), &message))
    }) else {
        return;
    };
    let hook = rule.name().to_owned();
    outcome.verdict = Verdict::Deny(reason.clone());
    outcome.reasons = vec![Labelled { hook, value: reason.clone() }];
    outcome.rewrite = None;
    let answer = Answer { verdict: Verdict::Deny(reason), ..Answer::default() };
    outcome.reports.push(HookReport::of_host(rule.name(), answer));
}
