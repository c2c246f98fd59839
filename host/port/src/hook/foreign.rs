//! A hook of another system's own file: called by that system's contract, for the events that its matcher means.

use std::{
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use hookbox_model::Event;

use super::{ShellSpec, WasmSpec, WebhookSpec};
use crate::port::Contract;

/// A hook of another system's own file, or one of hookbox's that speaks that system's contract.
#[derive(Clone, Debug)]
pub struct ForeignSpec {
    /// What it calls.
    pub call: ForeignCall,
    /// How that is told of the event, and what its answer means.
    pub contract: &'static dyn Contract,
    /// Variables that its entry sets for it.
    pub variables: Vec<(String, String)>,
    /// The events that its matcher means, of those with its name; `None` means all.
    pub when: Option<Condition>,
    /// Does it ask for its chain to run in order (Gemini CLI's `sequential`)?
    pub sequential: bool,
    /// Does its role bound what it may do? Other systems' hooks have no roles.
    pub in_role: bool,
    /// Where its own file has it; `None` if it is one of hookbox's configuration.
    pub written: Option<WrittenAt>,
}

impl Hash for ForeignSpec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { call, contract, variables, when, sequential, in_role, written } = self;
        // What a matcher means follows from what it says.
        let when = when.as_ref().map(|when| &when.written);
        (call, contract.id(), variables, when, sequential, in_role, written).hash(state);
    }
}

/// Where another system's own file has a hook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrittenAt {
    /// The place: `hooks.PreToolUse[0].hooks[1]`.
    pub place: String,
    /// That system's name for the event.
    pub event: &'static str,
    /// What tells it from others: of several with the same that an event matches, whatever file they are in, the first is
    /// called. `None` if each is.
    pub key: Option<String>,
    /// What its file says of it, for people.
    pub description: Option<String>,
    /// Keys of its entry that only its own system does something with: what it shows while the hook runs, and the like.
    pub idle: Vec<String>,
}

/// What a foreign hook calls.
#[derive(Clone, Debug, Hash)]
pub enum ForeignCall {
    /// A child process, with all of the user's environment, as its own system would start it.
    Shell(ShellSpec),
    /// An HTTP request.
    Webhook(WebhookSpec),
    /// A component in the sandbox, which speaks hookbox's own contract.
    Wasm(WasmSpec),
}

/// A matcher in another system's language.
#[derive(Clone)]
pub struct Condition {
    written: String,
    tools: Option<Tools>,
    matches: Arc<dyn Fn(&Event) -> bool + Send + Sync>,
}

impl Condition {
    /// A matcher; `written` is what its file says, for reports.
    pub fn new(written: &str, matches: impl Fn(&Event) -> bool + Send + Sync + 'static) -> Self {
        Self { written: written.to_owned(), tools: None, matches: Arc::new(matches) }
    }

    /// The same matcher, which `tools` says exactly.
    #[must_use]
    pub fn says(mut self, tools: Tools) -> Self {
        self.tools = Some(tools);
        self
    }

    /// The matcher as hookbox's configuration can say it: all that it means and nothing else.
    pub fn tools(&self) -> Option<&Tools> {
        self.tools.as_ref()
    }

    /// Is the hook for this event?
    pub fn matches(&self, event: &Event) -> bool {
        (self.matches)(event)
    }
}

/// The tools that a matcher means, in words of hookbox's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tools {
    /// Every tool, and events without one.
    Any,
    /// One of these names.
    Names(Vec<String>),
    /// A name by `*` and `?`.
    Glob(String),
    /// A name, all of it, by a regular expression.
    Regex(String),
}

impl Tools {
    /// The names in which a regular expression is found somewhere.
    pub fn found(regex: &str) -> Self {
        Self::Regex(format!("(?s:.*)(?:{regex})(?s:.*)"))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({:?})", self.written)
    }
}
