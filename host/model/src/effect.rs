//! What an answer can do, and how much of it a hook's origin may do.

use std::fmt;

/// One kind of thing that an answer can do, ordered by what an attacker would gain from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Effect {
    /// Be called, and be heard in the report only.
    Observe,
    /// Make the person decide.
    Ask,
    /// Deny with a reason code; a text is dropped.
    DenyCode,
    /// Put text before the model or the person.
    Context,
    /// Deny, or stop the run, with a text of its own.
    DenyText,
    /// Change the event.
    Rewrite,
    /// Skip a check: allow, or keep a turn going.
    Allow,
}

impl Effect {
    const ALL: [Self; 7] =
        [Self::Observe, Self::Ask, Self::DenyCode, Self::Context, Self::DenyText, Self::Rewrite, Self::Allow];

    /// The effect of this word.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| effect.as_str() == word)
    }

    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Ask => "ask",
            Self::DenyCode => "deny-code",
            Self::Context => "context",
            Self::DenyText => "deny-text",
            Self::Rewrite => "rewrite",
            Self::Allow => "allow",
        }
    }
}

/// A set of effects.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Effects(u8);

impl Effects {
    /// All of them.
    pub const ALL: Self = Self(0b111_1111);
    /// Being called, and nothing else.
    pub const OBSERVE: Self = Self(1);

    /// A set of just these.
    pub const fn of(effects: &[Effect]) -> Self {
        let (mut bits, mut rest) = (0, effects);
        while let [first, tail @ ..] = rest {
            bits |= 1 << *first as u8;
            rest = tail;
        }
        Self(bits)
    }

    /// Is it in the set?
    pub const fn contains(self, effect: Effect) -> bool {
        self.0 & (1 << effect as u8) != 0
    }

    /// What is in both.
    #[must_use]
    pub const fn intersect(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
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

/// How far a hook's origin is trusted. A lower tier can only make the outcome stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// Project configuration that nobody has reviewed, or that changed since.
    Unknown,
    /// Project configuration accepted by content hash.
    Reviewed,
    /// A signed plugin whose publisher the user's policy trusts.
    Installed,
    /// The user's or the administrator's own configuration.
    Own,
}

impl Tier {
    /// The ceiling on what a hook of this tier may do: a lower one can only make the outcome stricter.
    pub const fn effects(self) -> Effects {
        use Effect::{Ask, Context, DenyCode, DenyText, Observe};
        match self {
            Self::Unknown => Effects::of(&[Observe, Ask, DenyCode]),
            Self::Reviewed | Self::Installed => Effects::of(&[Observe, Ask, DenyCode, Context, DenyText]),
            Self::Own => Effects::ALL,
        }
    }

    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Reviewed => "reviewed",
            Self::Installed => "installed",
            Self::Own => "own",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_tier_may_do_all_that_a_lower_one_may() {
        let tiers = [Tier::Unknown, Tier::Reviewed, Tier::Installed, Tier::Own];
        for pair in tiers.windows(2) {
            let [low, high] = [pair[0].effects(), pair[1].effects()];
            assert_eq!(low.intersect(high), low);
        }
    }

    #[test]
    fn an_unknown_hook_can_only_make_the_outcome_stricter() {
        let effects: Vec<_> = Tier::Unknown.effects().iter().collect();
        assert_eq!(effects, [Effect::Observe, Effect::Ask, Effect::DenyCode]);
    }
}
