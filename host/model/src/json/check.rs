//! Validation of JSON text without building a value.

use std::{borrow::Cow, collections::HashSet, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{JsonError, JsonErrorKind, Key, MAX_JSON_DEPTH};

// serde_json passes errors of a visitor on as text, so their kind is recognised by these words.
pub(super) const TOO_DEEP: &str = "nested too deep";
pub(super) const DUPLICATE: &str = "duplicate key ";

/// Checks that the text is JSON that hookbox accepts.
pub(super) fn check_text(text: &str) -> Result<(), JsonError> {
    if text.trim_ascii().is_empty() {
        return Err(JsonError { kind: JsonErrorKind::Empty, line: 0, column: 0 });
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Checked { depth: 0 }
        .deserialize(&mut deserializer)
        // Another reader could take text after the value for the value.
        .and_then(|()| deserializer.end())
        .map_err(|error| JsonError::from_serde(&error))
}

/// Walks a value without keeping it.
#[derive(Clone, Copy)]
struct Checked {
    depth: usize,
}

impl Checked {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_JSON_DEPTH { Err(E::custom(TOO_DEEP)) } else { Ok(Self { depth }) }
    }
}

impl<'de> DeserializeSeed<'de> for Checked {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inner = self.deeper()?;
        let mut seen = Keys::default();
        while let Some(Key(key)) = members.next_key::<Key<'de>>()? {
            // Of two values of one key, a hook could read one and the agent the other.
            if let Some(key) = seen.replace(key) {
                return Err(de::Error::custom(format!("{DUPLICATE}{key:?}")));
            }
            members.next_value_seed(inner)?;
        }
        Ok(())
    }
}

/// The keys of one object so far. Most objects have so few that to compare them takes half as long as to hash them.
#[derive(Default)]
struct Keys<'a> {
    few: Vec<Cow<'a, str>>,
    // The keys come from outside, so the hash has to be one whose collisions cannot be computed.
    many: HashSet<Cow<'a, str>>,
}

/// More keys than these are hashed: to compare them would take a time that grows with their square.
pub(super) const FEW: usize = 16;

impl<'a> Keys<'a> {
    /// Adds a key; returns the key if it was there already.
    fn replace(&mut self, key: Cow<'a, str>) -> Option<Cow<'a, str>> {
        if self.few.len() < FEW && self.many.is_empty() {
            if self.few.contains(&key) {
                return Some(key);
            }
            self.few.push(key);
            return None;
        }
        self.many.extend(self.few.drain(..));
        self.many.replace(key)
    }
}
