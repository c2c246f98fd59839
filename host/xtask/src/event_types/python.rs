//! Python: the names as literals, and a `TypedDict` for each payload of which something is known.

use super::event::{Event, Kind, Member};
use super::{
    NOTE,
    words::{pascal, screaming},
};

pub(super) fn print(events: &[Event]) -> String {
    let mut text = format!(
        "# {NOTE}\n\"\"\"The canonical events: their names, and what is known of their payloads.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from typing import Any, Final, Literal, NotRequired, TypedDict\n\nEventName = Literal[\n"
    );
    for event in events {
        text += &format!("    \"{}\",\n", event.name);
    }
    text += "]\n\"\"\"Every canonical name. An event of another is `custom:NAME`.\"\"\"\n\n";
    for event in events {
        text +=
            &format!("{}: Final = \"{}\"\n\"\"\"{}\"\"\"\n", screaming(event.name), event.name, event.about);
    }
    for event in events.iter().filter(|event| !event.payload.is_empty()) {
        let members: String = event.payload.iter().map(member).collect();
        let name = pascal(event.name);
        let about = format!("The payload of `{}`; what else it has is the agent's own.", event.name);
        text += &format!("\n\nclass {name}(TypedDict):\n    \"\"\"{about}\"\"\"\n\n{members}");
    }
    text
}

fn member(Member { name, kind, required }: &Member) -> String {
    let kind = match kind {
        Kind::Text => "str",
        Kind::Object => "dict[str, Any]",
        Kind::List => "list[Any]",
        Kind::Any => "Any",
    };
    match required {
        true => format!("    {name}: {kind}\n"),
        false => format!("    {name}: NotRequired[{kind}]\n"),
    }
}
