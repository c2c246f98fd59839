//! The parts of an outcome, as a report names them.

use std::fmt;

use hookbox_model::{Outcome, Verdict};

/// A part of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A deny.
    Deny,
    /// An ask, or a defer.
    Ask,
    /// An allow.
    Allow,
    /// The end of the run.
    Stop,
    /// Text for the model.
    Context,
    /// Text for the user.
    Notice,
    /// A rewrite.
    Rewrite,
    /// A part of an answer that is specific to one agent.
    Extra,
}

impl Part {
    /// Returns the part's name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Stop => "stop",
            Self::Context => "context",
            Self::Notice => "notice",
            Self::Rewrite => "rewrite",
            Self::Extra => "extra",
        }
    }

    pub(super) fn is_in(self, outcome: &Outcome) -> bool {
        match self {
            Self::Deny => matches!(outcome.verdict, Verdict::Deny(_)),
            Self::Ask => matches!(outcome.verdict, Verdict::Ask(_) | Verdict::Defer(_)),
            Self::Allow => matches!(outcome.verdict, Verdict::Allow(_)),
            Self::Stop => outcome.stop.is_some(),
            Self::Context => !outcome.contexts.is_empty(),
            Self::Notice => !outcome.notices.is_empty(),
            Self::Rewrite => outcome.rewrite.is_some(),
            Self::Extra => !outcome.extras.is_empty(),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
