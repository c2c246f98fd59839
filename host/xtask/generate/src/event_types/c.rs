//! C: macros for the names, and for the paths of known payload members.

use super::event::{Event, Member};
use super::{NOTE, words::to_screaming_snake_case};

pub(super) fn print_events(events: &[Event]) -> String {
    let head = format!(
        "/* {NOTE}\n *\n * The canonical events: their names, and JSON pointers to what is known of their payloads. */\n\
         #ifndef HOOKBOX_EVENTS_H\n#define HOOKBOX_EVENTS_H\n"
    );
    head + &events.iter().map(print_macros).collect::<String>() + "\n#endif\n"
}

fn print_macros(event: &Event) -> String {
    let Event { name, about, payload, .. } = event;
    let constant = to_screaming_snake_case(name);
    let members: String = payload.iter().map(|known| print_member(&constant, known)).collect();
    format!("\n/* {about} */\n#define HOOKBOX_{constant} \"{name}\"\n{members}")
}

fn print_member(constant: &str, Member { name, kind, required }: &Member) -> String {
    let words = kind.words();
    let must = if *required { "must" } else { "may" };
    let member = to_screaming_snake_case(name);
    format!(
        "/* In its payload {must} be {words}. */\n#define HOOKBOX_{constant}_PAYLOAD_{member} \"/{name}\"\n"
    )
}
