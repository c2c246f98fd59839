//! How a chain runs, and how its answers become one. Each agent that hookbox stands in for has a value of its own
//! (docs/contracts/README.md); the executor reads the value and never asks whose it is.

use hookbox_model::{Answer, Event, EventName, Json};

/// The rules of one system's chains.
#[derive(Clone, Copy, Debug)]
pub struct ChainPolicy {
    /// In which order hooks run, and what each sees.
    pub order: Order,
    /// After which answer no later hook runs.
    pub end: ChainEnd,
    /// Which verdict wins, by event.
    pub verdicts: fn(&EventName) -> VerdictMerge,
    /// How several rewrites of one event become one; `None`: one is applied after the other, in order.
    pub rewrites: fn(&EventName) -> Option<RewriteMerge>,
    /// What an answer leaves in the event for the hooks after it besides its rewrite, where these see the changed event.
    pub carry: fn(&mut Event, &Answer),
    /// Does a rewrite count beside a deny, by event? Where the thing has happened already, both make sense.
    pub rewrite_beside_deny: fn(&EventName) -> bool,
    /// How the hooks' texts become one, by event.
    pub texts: fn(&EventName) -> Texts,
    /// What a hook that did not answer in time means.
    pub late: Late,
    /// May every hook do all that its tier may? Otherwise its role decides.
    pub roles: Roles,
    /// How often in a row hooks may keep an agent from stopping.
    pub stops: Stops,
}

/// In which order hooks run, and what each sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Transforms one after another on the changed event, gates side by side on the final one, then observers.
    ByRole,
    /// One after another, each on the event as the one before left it.
    InOrderChanged,
    /// One after another, each on the event as it came.
    InOrderOriginal,
    /// Side by side on the event as it came.
    Together,
    /// Side by side, but in order on the changed event as soon as one of them asks for it.
    TogetherUnlessSequential,
}

/// After which answer no later hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// The first deny.
    Deny,
    /// An answer that says so.
    Said,
    /// None: all hooks run.
    Never,
}

/// Which verdict wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictMerge {
    /// deny > defer > ask > allow > none.
    Strictest,
    /// The last one that is one, in order.
    Last,
}

/// Makes one rewrite of several; each is the whole rewritable part.
pub type RewriteMerge = fn(&[Json]) -> Json;

/// How the hooks' texts become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// Each under its hook's name; reasons of the winning rank only.
    Labelled,
    /// As the hooks wrote them, one text of each kind.
    Plain(PlainTexts),
}

/// Which texts are kept where hooks have no names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainTexts {
    /// Of the reasons.
    pub reasons: Kept,
    /// Of the texts for the model.
    pub contexts: Kept,
    /// Of the texts for the person, and of the reasons why a run ends.
    pub notices: Kept,
    /// Do the reasons of every hook count, and those of every stop? Otherwise those of the winning rank, and of the first.
    pub of_every_hook: bool,
}

/// Which of several texts are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The first.
    First,
    /// All, a line each.
    Lines,
    /// All, a paragraph each.
    Paragraphs,
    /// The last.
    Last,
}

impl PlainTexts {
    /// All of them, a line each.
    pub const LINES: Self = Self::all(Kept::Lines);

    /// The same of every kind.
    pub const fn all(kept: Kept) -> Self {
        Self { reasons: kept, contexts: kept, notices: kept, of_every_hook: false }
    }
}

/// What a hook that did not answer in time means: in its own, or in the chain's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Late {
    /// What any failure of it means.
    Fails,
    /// That it has no opinion, whatever its other failures mean.
    SaysNothing,
}

/// What bounds a hook besides its tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roles {
    /// Its role.
    Kept,
    /// Nothing: a foreign system's hooks have no roles.
    Ignored,
}

/// How often in a row hooks may keep an agent from stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// `MOST_STOPS_KEPT` times; then it is let go.
    Bounded,
    /// As often as they say: to bound that is the agent's matter.
    AsSaid,
}

impl ChainPolicy {
    /// hookbox's own.
    pub const NATIVE: Self = Self {
        order: Order::ByRole,
        end: ChainEnd::Deny,
        verdicts: |_| VerdictMerge::Strictest,
        rewrites: |_| None,
        carry: |_, _| {},
        rewrite_beside_deny: |_| false,
        texts: |_| Texts::Labelled,
        late: Late::Fails,
        roles: Roles::Kept,
        stops: Stops::Bounded,
    };

    /// What most agents do with their own hooks: all run side by side, without roles, and the strictest verdict wins.
    pub const TOGETHER: Self = Self {
        order: Order::Together,
        end: ChainEnd::Never,
        texts: |_| Texts::Plain(PlainTexts::LINES),
        roles: Roles::Ignored,
        stops: Stops::AsSaid,
        ..Self::NATIVE
    };
}

impl Default for ChainPolicy {
    fn default() -> Self {
        Self::NATIVE
    }
}
