//! TypeScript: a type for each event, discriminated by its name.

use std::fmt::Write as _;

use super::event::{Event, Kind, Member, Tool};
use super::{NOTE, words::to_pascal_case};

pub(super) fn print_events(events: &[Event]) -> String {
    let mut text =
        format!("// {NOTE}\n\nimport type {{ EventOf, Json, Payload, ToolCall }} from \"./hookbox.js\";\n");
    for event in events {
        text += &print_interface(event);
    }
    text += "\n/** Every event that has a canonical name. `event.name` tells which it is. */\nexport type KnownEvent =\n";
    let names: Vec<String> =
        events.iter().map(|event| format!("  | {}", to_pascal_case(event.name))).collect();
    text + &names.join("\n") + ";\n"
}

fn print_interface(event: &Event) -> String {
    let (name, kind) = (event.name, to_pascal_case(event.name));
    let mut text =
        format!("\n/** {} */\nexport interface {kind} extends EventOf<\"{name}\"> {{", event.about);
    let tool = match event.tool {
        Tool::Perhaps => "",
        Tool::Called => "\n  readonly tool: ToolCall;",
        Tool::Answered => "\n  readonly tool: ToolCall & { readonly output: Json };",
    };
    text += tool;
    if !event.payload.is_empty() {
        let members: Vec<String> = event.payload.iter().map(print_member).collect();
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n  readonly payload: Payload & {{ {} }};", members.join("; "));
    }
    text += if tool.is_empty() && event.payload.is_empty() { "}\n" } else { "\n}\n" };
    text
}

fn print_member(Member { name, kind, required }: &Member) -> String {
    let kind = match kind {
        Kind::Text => "string",
        Kind::Object => "{ readonly [member: string]: Json }",
        Kind::List => "readonly Json[]",
        Kind::Any => "Json",
    };
    let mark = if *required { "" } else { "?" };
    format!("readonly {name}{mark}: {kind}")
}
