//! Rust: a constant for each name, and a type for each payload with known members. Unused ones cost nothing.

use super::event::{Event, Kind, Member};
use super::{
    NOTE,
    words::{pascal, screaming},
};

pub(super) fn print(events: &[Event]) -> String {
    let head = format!(
        "//! The canonical events: their names, and what is known of their payloads, for [`Event::payload_as`].\n\
         //!\n//! [`Event::payload_as`]: crate::Event::payload_as\n// {NOTE}\n\n\
         use serde::Deserialize;\nuse serde_json::{{Map, Value}};\n"
    );
    let constants: String = events.iter().map(constant).collect();
    let payloads: String = events.iter().filter(|event| !event.payload.is_empty()).map(payload).collect();
    head + &constants + &payloads
}

fn constant(event: &Event) -> String {
    let Event { name, about, .. } = event;
    format!("\n/// {about}\npub const {}: &str = \"{name}\";\n", screaming(name))
}

fn payload(event: &Event) -> String {
    let (kind, constant) = (pascal(event.name), screaming(event.name));
    let members: String = event.payload.iter().map(member).collect();
    format!(
        "\n/// The payload of [`{constant}`]; what else it has is the agent's own.\n\
         #[derive(Clone, Debug, PartialEq, Deserialize)]\npub struct {kind} {{\n{members}}}\n"
    )
}

fn member(Member { name, kind, required }: &Member) -> String {
    let words = kind.words();
    let kind = match kind {
        Kind::Text => "String",
        Kind::Object => "Map<String, Value>",
        Kind::List => "Vec<Value>",
        Kind::Any => "Value",
    };
    if *required {
        return format!("    /// Must be there: {words}.\n    pub {name}: {kind},\n");
    }
    format!("    /// May be there: {words}.\n    pub {name}: Option<{kind}>,\n")
}
