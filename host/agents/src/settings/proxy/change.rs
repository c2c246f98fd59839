//! One change of a YAML text, and the expected parser events after it.

use std::ops::Range;

use saphyr_parser::{Event, ScalarStyle};

use super::outline::Outline;

/// Some bytes become others, and with them some events.
pub(super) struct Change {
    pub(super) at: Range<usize>,
    pub(super) becomes: String,
    pub(super) events: Range<usize>,
    pub(super) new_events: Vec<Event<'static>>,
}

impl Change {
    /// Returns the changed text; `None` if the parser's events differ from the expected ones.
    pub(super) fn apply_to(&self, outline: &Outline<'_>) -> Option<String> {
        let mut text = outline.text.to_owned();
        text.get(self.at.clone())?;
        text.replace_range(self.at.clone(), &self.becomes);
        let after = Outline::from_text(&text).ok()?;
        let expected = outline.events.get(..self.events.start)?.iter();
        let expected = expected.chain(&self.new_events).chain(outline.events.get(self.events.end..)?);
        // The comparison catches every mistake of the text edit: another value, a moved comment that became
        // text, a lost anchor.
        expected.eq(&after.events).then_some(())?;
        Some(text)
    }
}

pub(super) fn make_scalar(text: &str, quoted: bool) -> Event<'static> {
    let style = if quoted { ScalarStyle::DoubleQuoted } else { ScalarStyle::Plain };
    Event::Scalar(text.to_owned().into(), style, 0, None)
}

/// Returns the parser event of an absent value.
pub(super) fn make_null() -> Event<'static> {
    make_scalar("", false)
}

pub(super) fn make_mapping(key: &str, value: Vec<Event<'static>>, quoted: bool) -> Vec<Event<'static>> {
    let mut events = vec![Event::MappingStart(0, None)];
    events.extend(make_member(key, value, quoted));
    events.push(Event::MappingEnd);
    events
}

pub(super) fn make_member(key: &str, value: Vec<Event<'static>>, quoted: bool) -> Vec<Event<'static>> {
    let mut events = vec![make_scalar(key, quoted)];
    events.extend(value);
    events
}

/// Returns the text as written in the file.
pub(super) fn format_scalar(text: &str, quoted: bool) -> String {
    if quoted { format!("\"{text}\"") } else { text.to_owned() }
}
