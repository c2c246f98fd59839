//! Layers of the configuration, in the order of their precedence.

use crate::words::words;

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
