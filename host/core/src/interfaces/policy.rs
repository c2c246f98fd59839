//! Rules for running a chain and merging its answers. Each agent that hookbox supports has a value of its own
//! (docs/reference/agents/README.md); the executor reads the value and never checks which agent it belongs to.

use hookbox_model::{Answer, Event, EventName, Json};

/// The rules of one system's chains.
#[derive(Clone, Copy, Debug)]
pub struct ChainPolicy {
    /// Order of the hooks, and the event that each receives.
    pub order: Order,
    /// Answer after which no later hook runs.
    pub end: ChainEnd,
    /// Rule for the winning verdict, by event.
    pub verdicts: fn(&EventName) -> VerdictMerge,
    /// Merge of several rewrites of one event; `None`: one is applied after the other, in order.
    pub rewrites: fn(&EventName) -> Option<RewriteMerge>,
    /// Applies other changes of an answer than its rewrite to the event for later hooks, where these receive the changed event.
    pub carry: fn(&mut Event, &Answer),
    /// Returns true if a rewrite counts together with a deny, by event. After the action both make sense.
    pub rewrite_with_deny: fn(&EventName) -> bool,
    /// Merge of the hooks' texts, by event.
    pub texts: fn(&EventName) -> Texts,
    /// Effect of a hook that did not answer in time.
    pub on_timeout: OnTimeout,
    /// Rule for the effect of roles: without roles, every hook has the effects of its trust level.
    pub roles: Roles,
    /// Limit on how often in a row hooks may keep an agent from stopping.
    pub stop_limit: StopLimit,
}

/// Order of the hooks, and the event that each receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Transforms one after another on the changed event, gates concurrently on the final one, then observers.
    ByRole,
    /// One after another, each on the event as the one before left it.
    InOrderChanged,
    /// One after another, each on the original event.
    InOrderOriginal,
    /// Concurrently on the original event.
    Together,
    /// Concurrently, but in order on the changed event as soon as one of them asks for it.
    TogetherUnlessSequential,
}

/// Answer after which no later hook runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    /// The first deny.
    Deny,
    /// An answer that asks for it.
    OnRequest,
    /// None: all hooks run.
    Never,
}

/// Rule for the winning verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictMerge {
    /// deny > defer > ask > allow > none.
    Strictest,
    /// The last one other than `none`, in order.
    Last,
}

/// Merges several rewrites; each is the whole rewritable part.
pub type RewriteMerge = fn(&[Json]) -> Json;

/// Merge of the hooks' texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// Each under its hook's name; reasons of the winning rank only.
    Labelled,
    /// As the hooks wrote them, one text of each kind.
    Plain(PlainTexts),
}

/// Texts that are kept where hooks have no names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainTexts {
    /// Kept reasons.
    pub reasons: Kept,
    /// Kept texts for the model.
    pub contexts: Kept,
    /// Kept texts for the user, and kept reasons why a run ends.
    pub notices: Kept,
    /// True if the reasons of every hook count, and those of every stop. Otherwise those of the winning rank, and the first stop.
    pub of_every_hook: bool,
}

/// Selection from several texts.
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
    /// All texts, a line each.
    pub const LINES: Self = Self::keep_all(Kept::Lines);

    /// Keeps every kind of text in one way.
    pub const fn keep_all(kept: Kept) -> Self {
        Self { reasons: kept, contexts: kept, notices: kept, of_every_hook: false }
    }
}

/// Effect of a hook that did not answer within its own time limit or the chain's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTimeout {
    /// The effect of any other failure.
    Failure,
    /// No opinion, whatever the effect of its other failures.
    NoOpinion,
}

/// Bound of a hook's effects besides its trust level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roles {
    /// Its role.
    Kept,
    /// No bound: another system's hooks have no roles.
    Ignored,
}

/// Limit on how often in a row hooks may keep an agent from stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopLimit {
    /// `MOST_STOPS_KEPT` times; then the agent may stop.
    Bounded,
    /// As often as they ask: the agent has to bound it.
    Unlimited,
}

impl ChainPolicy {
    /// The policy of hookbox's own hooks.
    pub const NATIVE: Self = Self {
        order: Order::ByRole,
        end: ChainEnd::Deny,
        verdicts: |_| VerdictMerge::Strictest,
        rewrites: |_| None,
        carry: |_, _| {},
        rewrite_with_deny: |_| false,
        texts: |_| Texts::Labelled,
        on_timeout: OnTimeout::Failure,
        roles: Roles::Kept,
        stop_limit: StopLimit::Bounded,
    };

    /// The policy of most agents for their own hooks: all run concurrently, without roles, and the strictest verdict wins.
    pub const TOGETHER: Self = Self {
        order: Order::Together,
        end: ChainEnd::Never,
        texts: |_| Texts::Plain(PlainTexts::LINES),
        roles: Roles::Ignored,
        // An agent's own hooks run as under that agent, whether it bounds the stops or not.
        stop_limit: StopLimit::Unlimited,
        ..Self::NATIVE
    };
}

impl Default for ChainPolicy {
    fn default() -> Self {
        Self::NATIVE
    }
}
