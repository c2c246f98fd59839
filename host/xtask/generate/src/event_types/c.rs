//! C: macros for the names, and for the paths of known payload members.

use super::event::{Event, Member};
use super::{NOTE, words::screaming};

pub(super) fn print(events: &[Event]) -> String {
    let head = format!(
        "/* {NOTE}\n *\n * The canonical events: their names, and JSON pointers to what is known of their payloads. */\n\
         #ifndef HOOKBOX_EVENTS_H\n#define HOOKBOX_EVENTS_H\n"
    );
    head + &events.iter().map(macros).collect::<String>() + "\n#endif\n"
}

fn macros(event: &Event) -> String {
    let Event { name, about, payload, .. } = event;
    let constant = screaming(name);
    let members: String = payload.iter().map(|known| member(&constant, known)).collect();
    format!("\n/* {about} */\n#define HOOKBOX_{constant} \"{name}\"\n{members}")
}

fn member(constant: &str, Member { name, kind, required }: &Member) -> String {
    let words = kind.words();
    let must = if *required { "must" } else { "may" };
    let member = screaming(name);
    format!(
        "/* In its payload {must} be {words}. */\n#define HOOKBOX_{constant}_PAYLOAD_{member} \"/{name}\"\n"
    )
}
