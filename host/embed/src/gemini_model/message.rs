//! An entry of the SDK's `contents`, and its message in the stable format.

use serde_json::{Value, json};

use super::{NotTranslatable, parts};

/// A message of the stable format: its role and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    role: String,
    text: String,
}

const ROLES: [&str; 3] = ["user", "model", "system"];

impl Message {
    /// Returns the message of this entry; `None` if it has no text.
    pub(super) fn from_entry(entry: &Value) -> Option<Self> {
        let text = collect_texts(entry).concat();
        // The SDK has entries without a role, or with another one; the stable format has three roles.
        let role = entry.get("role").and_then(Value::as_str).filter(|role| ROLES.contains(role));
        (!text.is_empty()).then(|| Self { role: role.unwrap_or("user").to_owned(), text })
    }

    pub(super) fn to_stable(&self) -> Value {
        json!({ "role": self.role, "content": self.text })
    }

    /// Parses the hook's message number `at`; its content is a text or a list of texts.
    pub(super) fn from_stable(message: &Value, at: usize) -> Result<Self, NotTranslatable> {
        let wrong = |member: &str, problem| NotTranslatable::new(format!("messages[{at}].{member}"), problem);
        let role = message.get("role").and_then(Value::as_str).filter(|role| ROLES.contains(role));
        let role = role.ok_or_else(|| wrong("role", "it must be `user`, `model` or `system`"))?;
        let text = match message.get("content") {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Array(list)) => {
                list.iter().map(parts::get_text).collect::<Option<Vec<_>>>().map(|t| t.concat())
            }
            _ => None,
        };
        let text = text
            .ok_or_else(|| wrong("content", "it must be a string, or a list of parts with a `text` each"))?;
        Ok(Self { role: role.to_owned(), text })
    }

    pub(super) fn to_entry(&self) -> Value {
        json!({ "role": self.role, "parts": [parts::build_part(&self.text)] })
    }

    /// Returns the entry with this message in place of its previous one.
    pub(super) fn in_place_of(&self, was: &Self, mut entry: Value) -> Value {
        if self.role != was.role {
            match entry.as_object_mut().filter(|entry| entry.contains_key("parts")) {
                Some(entry) => drop(entry.insert("role".to_owned(), self.role.as_str().into())),
                // A text alone has no place for a role.
                None => return self.to_entry(),
            }
        }
        // The text is distributed over the parts it came from, so that images between them keep their place.
        let spread = parts::spread_text(&collect_texts(&entry), &self.text);
        with_texts(&mut entry, spread);
        entry
    }
}

/// Returns the entry without its text; `None` if it has nothing else.
pub(super) fn strip_text(mut entry: Value) -> Option<Value> {
    let none = collect_texts(&entry).iter().map(|_| None).collect();
    match &entry {
        Value::Object(members) if members.contains_key("parts") => {
            with_texts(&mut entry, none);
            let empty = entry.get("parts").and_then(Value::as_array).is_some_and(Vec::is_empty);
            (!empty).then_some(entry)
        }
        _ => None,
    }
}

/// Returns the texts of an entry: a text, a content with one part or a list of them, or a part.
fn collect_texts(entry: &Value) -> Vec<&str> {
    match (entry, entry.get("parts")) {
        (Value::String(text), _) => vec![text],
        (_, Some(Value::Array(list))) => parts::get_texts(list),
        (_, Some(part)) => parts::get_text(part).into_iter().collect(),
        (_, None) => parts::get_text(entry).into_iter().collect(),
    }
}

fn with_texts(entry: &mut Value, texts: Vec<Option<String>>) {
    if entry.get("parts").is_none() {
        set_text(entry, texts);
        return;
    }
    match entry.get_mut("parts") {
        Some(Value::Array(list)) => parts::replace_texts(list, texts),
        Some(part) => {
            let mut list = vec![part.take()];
            parts::replace_texts(&mut list, texts);
            *part = if list.len() == 1 { list.remove(0) } else { Value::Array(list) };
        }
        None => {}
    }
}

/// Sets the text of an entry that consists of one text.
fn set_text(entry: &mut Value, texts: Vec<Option<String>>) {
    let Some(text) = texts.into_iter().next().flatten() else { return };
    match entry {
        Value::Object(part) => drop(part.insert("text".to_owned(), text.into())),
        other => *other = text.into(),
    }
}
