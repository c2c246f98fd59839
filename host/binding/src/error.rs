//! Errors of callers and of hookbox itself.

use std::{error::Error, fmt};

/// Reason why there is no result. Failures of hooks are not errors: their policy decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BindingError {
    /// Code for programs, stable across versions.
    pub code: ErrorCode,
    /// Message for users.
    pub message: String,
}

/// Kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// A host cannot be made of these options.
    Options,
    /// No agent has this name.
    Agent,
    /// The text to dispatch is not an event.
    Event,
    /// The text is not a hook.
    Hook,
    /// A hook of this program has this name already.
    NameTaken,
    /// A blocking call is not possible here.
    Blocking,
    /// A bus that has been disposed of runs no hooks.
    Disposed,
    /// Only the administrator can switch off the administrator's hooks.
    Managed,
    /// The program is exiting.
    Ending,
    /// A bug of hookbox.
    Bug,
}

impl ErrorCode {
    /// Returns the code.
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
    /// Creates an error of this kind with this message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Returns the error for a panic.
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
