//! Effects of failures of hooks.

use crate::words::words;

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
