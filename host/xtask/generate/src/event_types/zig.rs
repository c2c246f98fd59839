//! Zig: a constant for each name, and a struct for `std.json` for each payload with known members.

use super::event::{Event, Kind, Member};
use super::{
    NOTE,
    words::{to_pascal_case, to_snake_case},
};

pub(super) fn print_events(events: &[Event]) -> String {
    let head = format!(
        "// {NOTE}\n\n//! The canonical events: their names, and what is known of their payloads. The rest of a payload is the\n\
         //! agent's own: read it with `.{{ .ignore_unknown_fields = true }}`.\n\nconst std = @import(\"std\");\n"
    );
    let constants: String = events.iter().map(print_constant).collect();
    let payloads: String =
        events.iter().filter(|event| !event.payload.is_empty()).map(print_payload).collect();
    head + &constants + &payloads
}

fn print_constant(event: &Event) -> String {
    let Event { name, about, .. } = event;
    format!("\n/// {about}\npub const {} = \"{name}\";\n", to_snake_case(name))
}

fn print_payload(event: &Event) -> String {
    let members: String = event.payload.iter().map(print_member).collect();
    let (kind, name) = (to_pascal_case(event.name), event.name);
    format!("\n/// The payload of `{name}`.\npub const {kind} = struct {{\n{members}}};\n")
}

/// Members that are keywords of the language.
const KEYWORDS: [&str; 1] = ["error"];

fn print_member(Member { name, kind, required }: &Member) -> String {
    let kind = match kind {
        Kind::Text => "[]const u8",
        Kind::List => "[]const std.json.Value",
        Kind::Object | Kind::Any => "std.json.Value",
    };
    let name = if KEYWORDS.contains(&name.as_str()) { format!("@\"{name}\"") } else { name.clone() };
    if *required { format!("    {name}: {kind},\n") } else { format!("    {name}: ?{kind} = null,\n") }
}
