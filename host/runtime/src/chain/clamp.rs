//! Removes from an answer the effects that its hook may not have. The guest is never trusted to restrain itself.

use hookbox_model::{Answer, Effect, Effects, Reason, Role, TrustLevel, Verdict};

use crate::interfaces::{ChainPolicy, Roles};

/// Returns the effects that a role may have. A transform may also ask: that only makes the outcome stricter.
fn of_role(role: Role) -> Effects {
    use Effect::{Allow, Ask, Context, DenyCode, DenyText, Observe, Rewrite};
    match role {
        Role::Transform => Effects::from_slice(&[Observe, Ask, DenyCode, Context, DenyText, Rewrite]),
        // Gates run concurrently on one event: a rewrite by one of them would change an event that the
        // others have judged.
        Role::Gate => Effects::from_slice(&[Observe, Ask, DenyCode, Context, DenyText, Allow]),
        Role::Observe => Effects::OBSERVE,
    }
}

/// Returns the effects that a hook of this role and trust level may have; without a role, the trust level alone decides.
pub(super) fn permitted_effects(
    policy: &ChainPolicy,
    role: Option<Role>,
    trust_level: TrustLevel,
) -> Effects {
    match (policy.roles, role) {
        (Roles::Kept, Some(role)) => of_role(role).intersect(trust_level.effects()),
        (Roles::Ignored, _) | (_, None) => trust_level.effects(),
    }
}

/// Returns the effects that this answer has and its hook may not have. Most answers have none, and pass unchanged.
pub(super) fn find_excess_effects(answer: &Answer, may: Effects) -> Vec<Effect> {
    // All fields by name, so that a new field does not compile before the effect that it needs is decided
    // here.
    let Answer { verdict, rewrite, confine, context, notice, stop, extra, last: _, unseen: _ } = answer;
    let needed = needed_effect(verdict);
    let has_text = verdict.reason().is_some_and(|reason| !reason.text().is_empty());
    // The text of a verdict that is removed goes with the verdict, and is not reported in addition.
    let keeps_text = has_text && needed.is_some_and(|needed| may.contains(needed));
    let asked = [
        needed,
        keeps_text.then_some(Effect::DenyText),
        rewrite.as_ref().map(|_| Effect::Rewrite),
        // Confinement is an ask that needs no answer.
        confine.as_ref().map(|_| Effect::Ask),
        context.as_ref().or(notice.as_ref()).map(|_| Effect::Context),
        stop.as_ref().map(|_| Effect::DenyText),
        // Event-specific fields can widen what an agent may do (permission rules), so they need the most.
        extra.as_ref().map(|_| Effect::Allow),
    ];
    let mut beyond = Vec::new();
    for effect in asked.into_iter().flatten().filter(|effect| !may.contains(*effect)) {
        if !beyond.contains(&effect) {
            beyond.push(effect);
        }
    }
    beyond
}

/// Returns the answer without the parts that need one of these effects.
pub(super) fn clamp_answer(answer: Answer, beyond: &[Effect]) -> Answer {
    let may = |effect: Effect| !beyond.contains(&effect);
    let verdict = match needed_effect(&answer.verdict) {
        Some(needed) if !may(needed) => Verdict::None,
        _ if !may(Effect::DenyText) => without_text(answer.verdict),
        _ => answer.verdict,
    };
    Answer {
        verdict,
        rewrite: answer.rewrite.filter(|_| may(Effect::Rewrite)),
        confine: answer.confine.filter(|_| may(Effect::Ask)),
        context: answer.context.filter(|_| may(Effect::Context)),
        notice: answer.notice.filter(|_| may(Effect::Context)),
        stop: answer.stop.filter(|_| may(Effect::DenyText)),
        extra: answer.extra.filter(|_| may(Effect::Allow)),
        last: answer.last,
        unseen: answer.unseen,
    }
}

/// Turns a confinement requested by an untrusted hook into an ask: such a hook may not choose the profile of a command.
pub(super) fn turn_confinement_into_ask(answer: Answer) -> Answer {
    let Some(profile) = &answer.confine else { return answer };
    let ask = Verdict::Ask(Reason::new("confine", &format!("run it confined by {profile}")));
    let verdict = if ask.rank() > answer.verdict.rank() { ask } else { answer.verdict };
    Answer { verdict, confine: None, ..answer }
}

fn needed_effect(verdict: &Verdict) -> Option<Effect> {
    match verdict {
        Verdict::None => None,
        Verdict::Allow(_) => Some(Effect::Allow),
        Verdict::Ask(_) | Verdict::Defer(_) => Some(Effect::Ask),
        Verdict::Deny(_) => Some(Effect::DenyCode),
    }
}

fn without_text(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::None => Verdict::None,
        Verdict::Allow(reason) => Verdict::Allow(reason.code_only()),
        Verdict::Ask(reason) => Verdict::Ask(reason.code_only()),
        Verdict::Defer(reason) => Verdict::Defer(reason.code_only()),
        Verdict::Deny(reason) => Verdict::Deny(reason.code_only()),
    }
}
