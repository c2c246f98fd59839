//! Effects of an answer, and the effects that each trust level may have.

use std::fmt;

use crate::words::words;

words! {
    /// One kind of thing that an answer can do, ordered by what an attacker would gain from it.
    #[repr(u8)]
    pub enum Effect {
        /// Be called; the answer is only reported.
        Observe = "observe",
        /// Make the user decide.
        Ask = "ask",
        /// Deny with a reason code; a text is dropped.
        DenyCode = "deny-code",
        /// Put text before the model or the user.
        Context = "context",
        /// Deny, or stop the run, with a text of its own.
        DenyText = "deny-text",
        /// Change the event.
        Rewrite = "rewrite",
        /// Skip a check: allow, or keep a turn going.
        Allow = "allow",
    }
}

/// A set of effects.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Effects(u8);

impl Effects {
    // A bit for each effect: an effect that is added needs its own here.
    /// All effects.
    pub const ALL: Self = Self(0b111_1111);
    /// Being called, and nothing else.
    pub const OBSERVE: Self = Self(1);

    /// A set of just these.
    pub const fn from_slice(effects: &[Effect]) -> Self {
        let (mut bits, mut rest) = (0, effects);
        // A constant function cannot use the iterator of a `for`.
        while let [first, tail @ ..] = rest {
            bits |= 1 << *first as u8;
            rest = tail;
        }
        Self(bits)
    }

    /// Returns true if the effect is in the set.
    pub const fn contains(self, effect: Effect) -> bool {
        self.0 & (1 << effect as u8) != 0
    }

    /// Returns the intersection of both sets.
    #[must_use]
    pub const fn intersect(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The effects in the set, weakest first.
    pub fn iter(self) -> impl Iterator<Item = Effect> {
        Effect::ALL.into_iter().filter(move |e| self.contains(*e))
    }
}

impl fmt::Debug for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

words! {
    /// Trust in the origin of a hook. A lower trust level can only make the outcome stricter.
    pub enum TrustLevel {
        /// Project configuration that is untrusted, or has changed since it was trusted.
        Untrusted = "untrusted",
        /// Project configuration accepted by content hash.
        Reviewed = "reviewed",
        /// A signed plugin whose publisher the user's policy trusts.
        Signed = "signed",
        /// The user's or the administrator's own configuration.
        Own = "own",
    }
}

impl TrustLevel {
    /// The ceiling on what a hook of this trust level may do: a lower one can only make the outcome stricter.
    pub const fn effects(self) -> Effects {
        use Effect::{Ask, Context, DenyCode, DenyText, Observe};
        match self {
            // An untrusted rewrite of a command would be code execution, and an untrusted text would be a
            // prompt injection.
            Self::Untrusted => Effects::from_slice(&[Observe, Ask, DenyCode]),
            Self::Reviewed | Self::Signed => {
                Effects::from_slice(&[Observe, Ask, DenyCode, Context, DenyText])
            }
            Self::Own => Effects::ALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_tier_may_do_all_that_a_lower_one_may() {
        let trust_levels = [TrustLevel::Untrusted, TrustLevel::Reviewed, TrustLevel::Signed, TrustLevel::Own];
        for pair in trust_levels.windows(2) {
            let [low, high] = [pair[0].effects(), pair[1].effects()];
            assert_eq!(low.intersect(high), low);
        }
    }

    #[test]
    fn an_unknown_hook_can_only_make_the_outcome_stricter() {
        let effects: Vec<_> = TrustLevel::Untrusted.effects().iter().collect();
        assert_eq!(effects, [Effect::Observe, Effect::Ask, Effect::DenyCode]);
    }
}
