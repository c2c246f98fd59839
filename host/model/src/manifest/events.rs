//! The events that a plugin has an opinion on.

use std::fmt;

use crate::EventName;

/// Canonical names, `custom:NAME`, families (`tool.*`) or all (`*`); an empty list means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PluginEvents(Vec<String>);

impl PluginEvents {
    /// Parses a list of events; the error is the first text that is not one. Accepts unknown names, which later versions of hookbox may
    /// define.
    pub(super) fn parse(texts: Vec<String>) -> Result<Self, String> {
        match texts.iter().find(|text| !is_event(text)) {
            Some(text) => Err(text.clone()),
            None => Ok(Self(texts)),
        }
    }

    /// Returns the events as the plugin writes them.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Returns true if the event is in the list.
    pub fn includes_event(&self, event: &EventName) -> bool {
        self.0.is_empty() || self.0.iter().any(|name| matches_event(name, event))
    }
}

fn matches_event(name: &str, event: &EventName) -> bool {
    match (name.strip_suffix('*'), event) {
        (Some(""), _) => true,
        // The name of a custom event can begin like a family and belongs to none.
        (_, EventName::Custom(custom)) => name.strip_prefix("custom:") == Some(custom),
        (Some(family), _) => event.as_str().starts_with(family),
        (None, _) => event.as_str() == name,
    }
}

fn is_event(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'-'));
    let custom = text.strip_prefix("custom:").is_some_and(|name| !name.is_empty());
    let family = text.strip_suffix(".*").unwrap_or(text);
    text == "*" || custom || family.split('.').all(is_word)
}

impl fmt::Display for PluginEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&if self.0.is_empty() { "*".to_owned() } else { self.0.join(", ") })
    }
}
