//! The operator's configuration.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// The hook's settings. A key that is not here is an error.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// For the start of a session.
    #[serde(default)]
    pub(crate) session: Paragraphs,
    /// For each prompt.
    #[serde(default)]
    pub(crate) prompt: Paragraphs,
}

/// One string, or a list of them.
#[derive(Default)]
pub(crate) struct Paragraphs(Vec<String>);

impl Paragraphs {
    /// Returns the paragraphs with a blank line between them, if there are any.
    pub(crate) fn text(&self) -> Option<String> {
        let paragraphs: Vec<&str> =
            self.0.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
    }
}

impl<'de> Deserialize<'de> for Paragraphs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StringOrList)
    }
}

struct StringOrList;

impl<'de> Visitor<'de> for StringOrList {
    type Value = Paragraphs;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string or a list of strings")
    }

    fn visit_str<E>(self, text: &str) -> Result<Paragraphs, E> {
        Ok(Paragraphs(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Paragraphs, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element()? {
            texts.push(text);
        }
        Ok(Paragraphs(texts))
    }
}
