//! Roles of hooks.

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
