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
pub fn build_schema() -> JsonValue {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hookbox hooks",
    });
    merge_members(&mut schema, table_schema(&keys::FILE));
    schema
}

fn table_schema(shape: &Shape) -> JsonValue {
    let properties: Map<_, _> =
        shape.keys.iter().map(|key| (key.name.to_owned(), property_schema(key))).collect();
    let required: Vec<_> = shape.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let one_of: Vec<_> = shape.one_of.iter().map(|key| json!({ "required": [key] })).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        merge_members(&mut schema, json!({ "required": required }));
    }
    if !one_of.is_empty() {
        merge_members(&mut schema, json!({ "oneOf": one_of }));
    } else if shape.needs_a_key() {
        merge_members(&mut schema, json!({ "minProperties": 1 }));
    }
    schema
}

fn property_schema(key: &keys::Key) -> JsonValue {
    let mut schema = json!({ "description": key.doc });
    merge_members(&mut schema, kind_schema(&key.kind));
    schema
}

fn kind_schema(kind: &Kind) -> JsonValue {
    match kind {
        Kind::Name => {
            json!({ "type": "string", "pattern": format!("^[A-Za-z0-9._-]{{1,{MAX_NAME_CHARS}}}$") })
        }
        Kind::Event => {
            let names: Vec<_> = EventName::KNOWN.iter().map(EventName::as_str).collect();
            // The list is for completion only: patterns and agents' own names are valid, too.
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
        Kind::Limit(limit) => limit_schema(*limit),
        Kind::Bytes(SizeRange { min, max, default }) => size_schema(*min, *max, *default),
        Kind::OneOrMore(item) => {
            let list = json!({ "type": "array", "items": kind_schema(item), "minItems": 1 });
            json!({ "anyOf": [kind_schema(item), list] })
        }
        Kind::List(item, least) => {
            json!({ "type": "array", "items": kind_schema(item), "minItems": least })
        }
        Kind::Map(item) => json!({ "type": "object", "additionalProperties": kind_schema(item) }),
        Kind::Table(shape) => table_schema(shape),
        Kind::Entries(shape) => json!({ "type": "array", "items": table_schema(shape) }),
        Kind::Free => json!({ "type": "object" }),
    }
}

fn limit_schema(limit: Limit) -> JsonValue {
    let (min, max, default) = (limit.min(), limit.max(), limit.default_value());
    if limit.unit() == "bytes" {
        return size_schema(min, max, default);
    }
    json!({ "type": "integer", "minimum": min, "maximum": max, "default": default })
}

fn size_schema(min: u64, max: u64, default: u64) -> JsonValue {
    let number = json!({ "type": "integer", "minimum": min, "maximum": max });
    let text = json!({ "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?\\s*([KMGkmg]i?)?[Bb]?$" });
    json!({ "anyOf": [number, text], "default": default })
}

fn merge_members(schema: &mut JsonValue, more: JsonValue) {
    if let (JsonValue::Object(schema), JsonValue::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}
