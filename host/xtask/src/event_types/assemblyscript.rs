//! AssemblyScript: constants for the names, and for where a payload has what is known of it.

use super::event::{Event, Member};
use super::{NOTE, words::screaming};

pub(super) fn print(events: &[Event]) -> String {
    let mut text = format!(
        "// {NOTE}\n//\n// The canonical events: their names, and JSON pointers to what is known of their payloads.\n"
    );
    for event in events {
        let (constant, name) = (screaming(event.name), event.name);
        text += &format!("\n/** {} */\nexport const {constant}: string = \"{name}\";\n", event.about);
        text += &event.payload.iter().map(|known| member(event, known)).collect::<String>();
    }
    text
}

fn member(event: &Event, Member { name, kind, required }: &Member) -> String {
    let (constant, member) = (screaming(event.name), screaming(name));
    let (must, words) = (if *required { "must" } else { "may" }, kind.words());
    format!(
        "/** In its payload {must} be {words}. */\nexport const {constant}_PAYLOAD_{member}: string = \"/{name}\";\n"
    )
}
