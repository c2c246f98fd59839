//! What a hook is there for, what its failure means, and where it was configured.

use std::fmt;

/// What a hook is there for. Roles run in this order: what is changed is changed before anyone judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// May rewrite the event; may also deny it. Transforms run one after another.
    Transform,
    /// May ask, deny or allow; never rewrites. Gates all see the final event.
    Gate,
    /// Sees the outcome and has no effect on it.
    Observe,
}

impl Role {
    /// Every role, in the order in which they run.
    pub const ALL: [Self; 3] = [Self::Transform, Self::Gate, Self::Observe];

    /// The word for it in configuration and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Transform => "transform",
            Self::Gate => "gate",
            Self::Observe => "observe",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What the chain does when a hook fails to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFailure {
    /// As if the hook had denied.
    Deny,
    /// As if the hook had asked.
    Ask,
    /// As if the hook had no opinion.
    Allow,
}

impl OnFailure {
    /// Every policy, strictest first.
    pub const ALL: [Self; 3] = [Self::Deny, Self::Ask, Self::Allow];

    /// The word for it in configuration and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
        }
    }
}

impl fmt::Display for OnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One configuration source. The order is the precedence: earlier layers come first in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The administrator's.
    Managed,
    /// The user's own.
    User,
    /// The project's; a stranger's until someone reviewed it.
    Project,
    /// Given for this session only.
    Session,
}

impl Layer {
    /// Every layer, in order.
    pub const ALL: [Self; 4] = [Self::Managed, Self::User, Self::Project, Self::Session];

    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Session => "session",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
