//! Python: the names as literals, and a `TypedDict` for each payload with known members.

use super::event::{Event, Kind, Member};
use super::{
    NOTE,
    words::{to_pascal_case, to_screaming_snake_case},
};

pub(super) fn print_events(events: &[Event]) -> String {
    let head = format!(
        "# {NOTE}\n\"\"\"The canonical events: their names, and what is known of their payloads.\"\"\"\n\n\
         from typing import Any, Final, Literal, NotRequired, TypedDict\n"
    );
    let names: String = events.iter().map(print_literal).collect();
    let about = "\"\"\"Every canonical name. An event of another is `custom:NAME`.\"\"\"";
    let constants: String = events.iter().map(print_constant).collect();
    let payloads: String =
        events.iter().filter(|event| !event.payload.is_empty()).map(print_payload).collect();
    format!("{head}\nEventName = Literal[\n{names}]\n{about}\n\n{constants}{payloads}")
}

fn print_literal(event: &Event) -> String {
    format!("    \"{}\",\n", event.name)
}

fn print_constant(event: &Event) -> String {
    let Event { name, about, .. } = event;
    format!("{}: Final = \"{name}\"\n\"\"\"{about}\"\"\"\n", to_screaming_snake_case(name))
}

fn print_payload(event: &Event) -> String {
    let members: String = event.payload.iter().map(print_member).collect();
    let about = format!("The payload of `{}`; what else it has is the agent's own.", event.name);
    format!("\n\nclass {}(TypedDict):\n    \"\"\"{about}\"\"\"\n\n{members}", to_pascal_case(event.name))
}

fn print_member(Member { name, kind, required }: &Member) -> String {
    let kind = match kind {
        Kind::Text => "str",
        Kind::Object => "dict[str, Any]",
        Kind::List => "list[Any]",
        Kind::Any => "Any",
    };
    if *required { format!("    {name}: {kind}\n") } else { format!("    {name}: NotRequired[{kind}]\n") }
}
