//! Self-protection of the host, independent of all hooks. Configuration, switches and allowances do not affect it, and
//! no hook's answer outweighs it: it is checked last, on the call as the hooks left it.

use hookbox_model::{Answer, Event, HookReport, Labelled, Outcome, Reason, Verdict};

use super::panic::caught_here;

/// A built-in rule of the program about events, which is not a hook.
pub trait SelfProtectionRule: Send + Sync {
    /// Returns the name of the rule in reports and reasons.
    fn name(&self) -> &'static str;

    /// Returns true if the rule may apply to this event. Called for every event, so it looks at the event alone.
    fn is_about(&self, event: &Event) -> bool;

    /// Returns the reason for refusing the event; `None` if it may happen. The rule may look at the disk.
    fn refuses(&self, event: &Event) -> Option<Reason>;
}

pub(super) struct RuleDenial {
    rule: &'static str,
    reason: Reason,
}

pub(super) fn find_refusal(rule: Option<&dyn SelfProtectionRule>, event: &Event) -> Option<RuleDenial> {
    let rule = rule.filter(|rule| rule.is_about(event))?;
    // A call that makes the rule panic is refused.
    let reason = caught_here(|| rule.refuses(event)).unwrap_or_else(|panicked| {
        let message =
            format!("hookbox could not look at this call, so it does not happen: {}", panicked.message);
        Some(Reason::new(rule.name(), &message))
    })?;
    Some(RuleDenial { rule: rule.name(), reason })
}

/// Adds the rule's refusal to the outcome of the hooks. If that is a deny, it stays unchanged and the rule is not
/// checked.
pub(crate) fn join_refusal(rule: Option<&dyn SelfProtectionRule>, event: &Event, outcome: &mut Outcome) {
    if matches!(outcome.verdict, Verdict::Deny(_)) {
        return;
    }
    if let Some(refusal) = find_refusal(rule, event) {
        apply_refusal(refusal, outcome);
    }
}

pub(super) fn apply_refusal(refusal: RuleDenial, outcome: &mut Outcome) {
    let RuleDenial { rule, reason } = refusal;
    outcome.verdict = Verdict::Deny(reason.clone());
    // The reasons of hooks for an allow or an ask do not explain the refusal.
    outcome.reasons = vec![Labelled { hook: rule.to_owned(), value: reason.clone() }];
    outcome.rewrite = None;
    let answer = Answer { verdict: Verdict::Deny(reason), ..Answer::default() };
    outcome.reports.push(HookReport::of_host(rule, answer));
}
