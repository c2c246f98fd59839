//! What a hook is there for, what its failure means, and where it was configured.

use crate::words::words;

words! {
    /// What a hook is there for. Roles run in this order: what is changed is changed before anyone judges it.
    pub enum Role {
        /// May rewrite the event; may also deny it. Transforms run one after another.
        Transform = "transform",
        /// May ask, deny or allow; never rewrites. Gates all see the final event.
        Gate = "gate",
        /// Sees the outcome and has no effect on it.
        Observe = "observe",
    }
}

words! {
    /// What the chain does when a hook fails to answer.
    pub enum OnFailure {
        /// As if the hook had denied.
        Deny = "deny",
        /// As if the hook had asked.
        Ask = "ask",
        /// As if the hook had no opinion.
        Allow = "allow",
    }
}

words! {
    /// One configuration source. The order is the precedence: earlier layers come first in a chain.
    pub enum Layer {
        /// The administrator's.
        Managed = "managed",
        /// The user's own.
        User = "user",
        /// The project's; a stranger's until someone reviewed it.
        Project = "project",
        /// Given for this session only.
        Session = "session",
    }
}
