//! Rust: a constant for each name, and a type for each payload with known members. Unused ones cost nothing.

use super::event::{Event, Kind, Member};
use super::{
    NOTE,
    words::{to_pascal_case, to_screaming_snake_case},
};

pub(super) fn print_events(events: &[Event]) -> String {
    let head = format!(
        "//! The canonical events: their names, and what is known of their payloads, for [`Event::payload_as`].\n\
         //!\n//! [`Event::payload_as`]: crate::Event::payload_as\n// {NOTE}\n\n\
         use serde::Deserialize;\nuse serde_json::{{Map, Value}};\n"
    );
    let constants: String = events.iter().map(print_constant).collect();
    let payloads: String =
        events.iter().filter(|event| !event.payload.is_empty()).map(print_payload).collect();
    head + &constants + &payloads
}

fn print_constant(event: &Event) -> String {
    let Event { name, about, .. } = event;
    format!("\n/// {about}\npub const {}: &str = \"{name}\";\n", to_screaming_snake_case(name))
}

fn print_payload(event: &Event) -> String {
    let (kind, constant) = (to_pascal_case(event.name), to_screaming_snake_case(event.name));
    let members: String = event.payload.iter().map(print_member).collect();
    format!(
        "\n/// The payload of [`{constant}`]; what else it has is the agent's own.\n\
         #[derive(Clone, Debug, PartialEq, Deserialize)]\npub struct {kind} {{\n{members}}}\n"
    )
}

fn print_member(Member { name, kind, required }: &Member) -> String {
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
