//! `AssemblyScript`: constants for the names, and for the paths of known payload members.

use super::event::{Event, Member};
use super::{NOTE, words::screaming};

pub(super) fn print(events: &[Event]) -> String {
    let head = format!(
        "// {NOTE}\n//\n// The canonical events: their names, and JSON pointers to what is known of their payloads.\n"
    );
    head + &events.iter().map(constants).collect::<String>()
}

fn constants(event: &Event) -> String {
    let Event { name, about, payload, .. } = event;
    let constant = screaming(name);
    let members: String = payload.iter().map(|known| member(&constant, known)).collect();
    format!("\n/** {about} */\nexport const {constant}: string = \"{name}\";\n{members}")
}

fn member(constant: &str, Member { name, kind, required }: &Member) -> String {
    let member = screaming(name);
    let (must, words) = (if *required { "must" } else { "may" }, kind.words());
    format!(
        "/** In its payload {must} be {words}. */\nexport const {constant}_PAYLOAD_{member}: string = \"/{name}\";\n"
    )
}
