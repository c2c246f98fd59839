//! What a caller did wrong, or what we did.

use std::{error::Error, fmt};

/// Why there is no result. Hooks that fail are none: their policy decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindingError {
    /// For programs: it stays as it is from version to version.
    pub code: ErrorCode,
    /// For people.
    pub message: String,
}

/// The ways to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// A host cannot be made of these options.
    Options,
    /// No agent has this name.
    Agent,
    /// What was to be dispatched is no event.
    Event,
    /// What was to be a hook is none.
    Hook,
    /// A hook of this program has this name already.
    NameTaken,
    /// A call that waits cannot be made here.
    Blocking,
    /// A bus that has been disposed of runs no hooks.
    Disposed,
    /// The administrator's hooks are nobody else's to switch off.
    Managed,
    /// The program is at its end.
    Ending,
    /// hookbox itself is at fault.
    Bug,
}

impl ErrorCode {
    /// The code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Options => "bad-options",
            Self::Agent => "no-such-agent",
            Self::Event => "bad-event",
            Self::Hook => "bad-hook",
            Self::NameTaken => "name-taken",
            Self::Blocking => "would-block",
            Self::Disposed => "disposed",
            Self::Managed => "managed",
            Self::Ending => "ending",
            Self::Bug => "bug",
        }
    }
}

impl BindingError {
    /// An error of this kind, in these words.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// What is said of a panic.
    pub fn bug() -> Self {
        Self::new(ErrorCode::Bug, "hookbox itself failed (a bug)")
    }
}

impl fmt::Display for BindingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl Error for BindingError {}
