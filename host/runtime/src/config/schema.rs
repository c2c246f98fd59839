//! The JSON Schema of the file, for editors.

use hookbox_model::{EventName, Limit};
use serde_json::{Map, Value as JsonValue, json};

use super::{
    key::SizeRange,
    keys::{self, Kind, MAX_NAME_CHARS, Shape},
};
use crate::Sha256Digest;

const DURATION: &str = r"^\s*([0-9]+\s*[A-Za-z]+\s*)+$";
const SIZE: &str = r"^[0-9]+(\.[0-9]+)?\s*([KMGTkmgt]i?)?[Bb]$";

/// Returns the schema (draft 2020-12) of a file, generated from the table of keys that [`load`](super::load) reads by.
/// It covers what an editor can complete and check; `load` checks more.
pub fn schema() -> JsonValue {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hookbox hooks",
    });
    merge(&mut schema, table(&keys::FILE));
    schema
}

fn table(shape: &Shape) -> JsonValue {
    let properties: Map<_, _> = shape.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<_> = shape.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let one_of: Vec<_> = shape.one_of.iter().map(|key| json!({ "required": [key] })).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        merge(&mut schema, json!({ "required": required }));
    }
    if !one_of.is_empty() {
        merge(&mut schema, json!({ "oneOf": one_of }));
    } else if shape.needs_a_key() {
        merge(&mut schema, json!({ "minProperties": 1 }));
    }
    schema
}

fn property(key: &keys::Key) -> JsonValue {
    let mut schema = json!({ "description": key.doc });
    merge(&mut schema, value(&key.kind));
    schema
}

fn value(kind: &Kind) -> JsonValue {
    match kind {
        Kind::Name => {
            json!({ "type": "string", "pattern": format!("^[A-Za-z0-9._-]{{1,{MAX_NAME_CHARS}}}$") })
        }
        Kind::Event => {
            let names: Vec<_> = EventName::KNOWN.iter().map(EventName::as_str).collect();
            json!({ "anyOf": [{ "enum": names }, { "type": "string", "minLength": 1 }] })
        }
        Kind::Variable => json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" }),
        Kind::Digest => {
            json!({ "type": "string", "pattern": format!("^[0-9A-Fa-f]{{{}}}$", Sha256Digest::DIGITS) })
        }
        Kind::Text => json!({ "type": "string", "minLength": 1 }),
        Kind::Any => json!({ "type": "string" }),
        Kind::Word(words) => json!({ "enum": words() }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Integer(min, max) if min == max => json!({ "const": min }),
        Kind::Integer(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Kind::Size => json!({ "type": "string", "pattern": SIZE }),
        Kind::Seconds => json!({ "type": "string", "pattern": DURATION }),
        Kind::Duration(limit) => json!({
            "type": "string",
            "pattern": DURATION,
            "default": format!("{}ms", limit.default_value()),
        }),
        Kind::Limit(limit) => limited(*limit),
        Kind::Bytes(SizeRange { min, max, default }) => sized(*min, *max, *default),
        Kind::OneOrMore(item) => {
            let list = json!({ "type": "array", "items": value(item), "minItems": 1 });
            json!({ "anyOf": [value(item), list] })
        }
        Kind::List(item, least) => {
            json!({ "type": "array", "items": value(item), "minItems": least })
        }
        Kind::Map(item) => json!({ "type": "object", "additionalProperties": value(item) }),
        Kind::Table(shape) => table(shape),
        Kind::Entries(shape) => json!({ "type": "array", "items": table(shape) }),
        Kind::Free => json!({ "type": "object" }),
    }
}

fn limited(limit: Limit) -> JsonValue {
    let (min, max, default) = (limit.min(), limit.max(), limit.default_value());
    if limit.unit() == "bytes" {
        return sized(min, max, default);
    }
    json!({ "type": "integer", "minimum": min, "maximum": max, "default": default })
}

fn sized(min: u64, max: u64, default: u64) -> JsonValue {
    let number = json!({ "type": "integer", "minimum": min, "maximum": max });
    let text = json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?\\s*([KMGkmg]i?)?[Bb]?$" });
    json!({ "anyOf": [number, text], "default": default })
}

/// Adds the members of one object to another.
fn merge(schema: &mut JsonValue, more: JsonValue) {
    if let (JsonValue::Object(schema), JsonValue::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}
