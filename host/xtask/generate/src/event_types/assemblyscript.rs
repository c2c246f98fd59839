//! `AssemblyScript`: constants for the names, and for the paths of known payload members.

use super::event::{Event, Member};
use super::{NOTE, words::to_screaming_snake_case};

pub(super) fn print_events(events: &[Event]) -> String {
    let head = format!(
        "// {NOTE}\n//\n// The canonical events: their names, and JSON pointers to what is known of their payloads.\n"
    );
    head + &events.iter().map(print_constants).collect::<String>()
}

fn print_constants(event: &Event) -> String {
    let Event { name, about, payload, .. } = event;
    let constant = to_screaming_snake_case(name);
    let members: String = payload.iter().map(|known| print_member(&constant, known)).collect();
    format!("\n/** {about} */\nexport const {constant}: string = \"{name}\";\n{members}")
}

fn print_member(constant: &str, Member { name, kind, required }: &Member) -> String {
    let member = to_screaming_snake_case(name);
    let (must, words) = (if *required { "must" } else { "may" }, kind.words());
    format!(
        "/** In its payload {must} be {words}. */\nexport const {constant}_PAYLOAD_{member}: string = \"/{name}\";\n"
    )
}
