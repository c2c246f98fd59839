//! Serialisation of JSON inside a record that keeps every byte.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::value::RawValue;

use crate::Json;

/// Writes the value as it is. Some values are written as a string with their text in it: strings, `null`, which would be read as an
/// absent value, and text with blanks around it or line breaks, since a record is one line, and a reader of JSON drops the blanks between
/// values.
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.as_str();
        let may_stand = !text.starts_with('"') && text != "null" && !text.contains(['\n', '\r']);
        let raw = may_stand.then(|| serde_json::from_str::<&RawValue>(text).ok()).flatten();
        // A raw value has lost the blanks around it, which belong to the text.
        match raw.filter(|raw| raw.get().len() == text.len()) {
            Some(raw) => raw.serialize(serializer),
            None => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let json = if raw.get().starts_with('"') {
            Self::parse(&serde_json::from_str::<String>(raw.get()).map_err(de::Error::custom)?)
        } else {
            Self::parse(raw.get())
        };
        json.map_err(|error| de::Error::custom(format!("hookbox cannot read this JSON: {error}")))
    }
}

/// Accepts an object.
pub(crate) fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
    let json = Json::deserialize(deserializer)?;
    match json.members() {
        Some(_) => Ok(json),
        None => Err(de::Error::custom("this must be an object")),
    }
}
