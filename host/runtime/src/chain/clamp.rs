//! Takes out of an answer what its hook may not do. The guest is never trusted to restrain itself.

use hookbox_model::{Answer, Effect, Effects, Role, Tier, Verdict};

use crate::port::{ChainPolicy, Roles};

/// What a role may do at all. A transform may also ask: that only makes the outcome stricter.
fn of_role(role: Role) -> Effects {
    use Effect::{Allow, Ask, Context, DenyCode, DenyText, Observe, Rewrite};
    match role {
        Role::Transform => Effects::of(&[Observe, Ask, DenyCode, Context, DenyText, Rewrite]),
        Role::Gate => Effects::of(&[Observe, Ask, DenyCode, Context, DenyText, Allow]),
        Role::Observe => Effects::OBSERVE,
    }
}

/// What a hook of this role and tier may do; without a role, what its tier may.
pub(super) fn may(policy: &ChainPolicy, role: Option<Role>, tier: Tier) -> Effects {
    match (policy.roles, role) {
        (Roles::Kept, Some(role)) => of_role(role).intersect(tier.effects()),
        (Roles::Ignored, _) | (_, None) => tier.effects(),
    }
}

/// The answer without the parts beyond what its hook may do, and which effects those were.
pub(super) fn clamp(answer: Answer, may: Effects) -> (Answer, Vec<Effect>) {
    let mut clamp = Clamp { may, clamped: Vec::new() };
    let answer = Answer {
        verdict: clamp.verdict(answer.verdict),
        rewrite: clamp.part(answer.rewrite, Effect::Rewrite),
        context: clamp.part(answer.context, Effect::Context),
        notice: clamp.part(answer.notice, Effect::Context),
        stop: clamp.part(answer.stop, Effect::DenyText),
        // Event-specific fields can widen what an agent may do (permission rules), so they need the most.
        extra: clamp.part(answer.extra, Effect::Allow),
        last: answer.last,
        unseen: answer.unseen,
    };
    (answer, clamp.clamped)
}

struct Clamp {
    may: Effects,
    clamped: Vec<Effect>,
}

impl Clamp {
    fn part<T>(&mut self, part: Option<T>, effect: Effect) -> Option<T> {
        part.filter(|_| self.allows(effect))
    }

    fn allows(&mut self, effect: Effect) -> bool {
        let may = self.may.contains(effect);
        if !may && !self.clamped.contains(&effect) {
            self.clamped.push(effect);
        }
        may
    }

    fn verdict(&mut self, verdict: Verdict) -> Verdict {
        let needed = match verdict {
            Verdict::None => return verdict,
            Verdict::Allow(_) => Effect::Allow,
            Verdict::Ask(_) | Verdict::Defer(_) => Effect::Ask,
            Verdict::Deny(_) => Effect::DenyCode,
        };
        if !self.allows(needed) {
            return Verdict::None;
        }
        let has_text = verdict.reason().is_some_and(|reason| !reason.text().is_empty());
        if has_text && !self.allows(Effect::DenyText) { without_text(verdict) } else { verdict }
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
