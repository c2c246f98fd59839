//! Filters on events in another system's language.

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
    /// Creates a matcher; `written` is its text in its file, for reports.
    pub fn new(written: &str, matches: impl Fn(&Event) -> bool + Send + Sync + 'static) -> Self {
        Self { written: written.to_owned(), tools: None, matches: Arc::new(matches) }
    }

    /// Adds `tools`, which express the matcher exactly.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = Some(tools);
        self
    }

    /// Returns the exact equivalent in hookbox's configuration, if there is one.
    pub fn tools(&self) -> Option<&Tools> {
        self.tools.as_ref()
    }

    /// Returns its text in its file.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Returns true if the hook is for this event.
    pub fn matches(&self, event: &Event) -> bool {
        (self.matches)(event)
    }
}

/// The tools of a matcher, in terms of hookbox's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tools {
    /// Every tool, and events without one.
    Any,
    /// One of these names.
    Names(Vec<String>),
    /// A pattern with `*` and `?` for the name.
    Glob(String),
    /// A regular expression for the whole name.
    Regex(String),
}

impl Tools {
    /// Matches the names that contain a match of the regular expression.
    pub fn from_unanchored_regex(regex: &str) -> Self {
        // With `s`, since a dot does not match a line break otherwise.
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
