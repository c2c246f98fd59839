//! Changes JSON text and leaves the rest of it as it is: order, numbers and escapes too.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Change of a member.
pub(crate) enum Change {
    /// Keeps the member.
    Nothing,
    /// Removes the member.
    Drop,
    /// Replaces the value.
    To(String),
}

impl Change {
    /// A new value, if there is one.
    pub(crate) fn to(value: Option<String>) -> Self {
        value.map_or(Self::Nothing, Self::To)
    }
}

/// Returns the object in `text` with changed members; `None` if nothing changes or the text is not an object.
pub(crate) fn members(text: &str, change: impl Fn(&str, &RawValue) -> Change) -> Option<String> {
    let Members(members) = serde_json::from_str(text).ok()?;
    let mut changed = false;
    let mut kept: Vec<String> = Vec::with_capacity(members.len());
    for (key, value) in members {
        let new = match change(&key, value) {
            Change::Nothing => None,
            Change::Drop => {
                changed = true;
                continue;
            }
            Change::To(value) => Some(value),
        };
        changed |= new.is_some();
        let key = serde_json::to_string(&key).ok()?;
        kept.push(format!("{key}:{}", new.as_deref().unwrap_or(value.get())));
    }
    changed.then(|| format!("{{{}}}", kept.join(",")))
}

/// Returns the list in `text` with changed elements; `None` if nothing changes or the text is not a list.
pub(crate) fn elements(text: &str, change: impl Fn(&RawValue) -> Option<String>) -> Option<String> {
    let elements: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    let new: Vec<Option<String>> = elements.iter().map(|element| change(element)).collect();
    if new.iter().all(Option::is_none) {
        return None;
    }
    let both = elements.iter().zip(&new);
    let kept: Vec<&str> = both.map(|(old, new)| new.as_deref().unwrap_or(old.get())).collect();
    Some(format!("[{}]", kept.join(",")))
}

/// An object's members in their order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dropped(text: &str) -> Option<String> {
        members(text, |key, _| if key == "x" { Change::Drop } else { Change::Nothing })
    }

    #[test]
    fn members_go_and_the_others_keep_their_order_and_spelling() {
        assert_eq!(dropped(r#"{"b":1e2,"x":0,"\"a":[ 1 ]}"#).as_deref(), Some(r#"{"b":1e2,"\"a":[ 1 ]}"#));
        assert_eq!(dropped(r#"{"x":0}"#).as_deref(), Some("{}"));
    }

    #[test]
    fn without_a_change_there_is_no_new_text() {
        for text in [r#"{"a":1}"#, "{}", "[]", "3", "{", ""] {
            assert_eq!(dropped(text), None, "{text}");
        }
    }

    #[test]
    fn elements_are_changed_one_by_one() {
        let change = |element: &RawValue| (element.get() == "1").then(|| "2".to_owned());
        assert_eq!(elements(r#"[1, "1",1.0]"#, change).as_deref(), Some(r#"[2,"1",1.0]"#));
        assert_eq!(elements("[3]", change), None);
        assert_eq!(elements(r#"{"a":1}"#, change), None);
    }
}
