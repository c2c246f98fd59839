//! Which events a hook means, where its file says so in another system's language.

use std::{fmt, sync::Arc};

use hookbox_model::Event;

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

    /// What its file says.
    pub fn written(&self) -> &str {
        &self.written
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
