//! A hook of another system's own file: called by that system's contract, for the events that its matcher means.

use std::{fmt, sync::Arc};

use hookbox_model::Event;

use crate::handler::{contract::Contract, shell::ShellSpec, wasm::WasmSpec, webhook::WebhookSpec};

/// A hook of another system's own file.
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
}

/// What a foreign hook calls.
#[derive(Clone, Debug)]
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
    matches: Arc<dyn Fn(&Event) -> bool + Send + Sync>,
}

impl Condition {
    /// A matcher; `written` is what its file says, for reports.
    pub fn new(written: &str, matches: impl Fn(&Event) -> bool + Send + Sync + 'static) -> Self {
        Self { written: written.to_owned(), matches: Arc::new(matches) }
    }

    /// Is the hook for this event?
    pub fn matches(&self, event: &Event) -> bool {
        (self.matches)(event)
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
