//! Rust: a constant for each name, and a type for each payload of which something is known. Who uses none pays for none.

use super::event::{Event, Kind, Member};
use super::{
    NOTE,
    words::{pascal, screaming},
};

pub(super) fn print(events: &[Event]) -> String {
    let mut text = format!(
        "//! The canonical events: their names, and what is known of their payloads, for [`Event::payload_as`].\n\
         //!\n//! [`Event::payload_as`]: crate::Event::payload_as\n// {NOTE}\n\n\
         use serde::Deserialize;\nuse serde_json::{{Map, Value}};\n"
    );
    for event in events {
        let (constant, name) = (screaming(event.name), event.name);
        text += &format!("\n/// {}\npub const {constant}: &str = \"{name}\";\n", event.about);
    }
    for event in events.iter().filter(|event| !event.payload.is_empty()) {
        let (kind, constant) = (pascal(event.name), screaming(event.name));
        let members: String = event.payload.iter().map(member).collect();
        text += &format!(
            "\n/// The payload of [`{constant}`]; what else it has is the agent's own.\n\
             #[derive(Clone, Debug, PartialEq, Deserialize)]\npub struct {kind} {{\n{members}}}\n"
        );
    }
    text
}

fn member(Member { name, kind, required }: &Member) -> String {
    let words = kind.words();
    let kind = match kind {
        Kind::Text => "String",
        Kind::Object => "Map<String, Value>",
        Kind::List => "Vec<Value>",
        Kind::Any => "Value",
    };
    match required {
        true => format!("    /// Must be there: {words}.\n    pub {name}: {kind},\n"),
        false => format!("    /// May be there: {words}.\n    pub {name}: Option<{kind}>,\n"),
    }
}
