//! Roles of hooks, effects of their failures, and configuration layers.

use crate::words::words;

words! {
    /// Role of a hook. Roles run in this order: all changes come before all decisions.
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
    /// Action of the chain when a hook fails to answer.
    pub enum OnFailure {
        /// Treat the failure as a deny.
        Deny = "deny",
        /// Treat the failure as an ask.
        Ask = "ask",
        /// Treat the failure as no opinion.
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
        /// The project's; untrusted until the user has trusted it.
        Project = "project",
        /// Passed for this session only.
        Session = "session",
    }
}
