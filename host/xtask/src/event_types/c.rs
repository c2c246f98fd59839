//! C: macros for the names, and for where a payload has what is known of it.

use super::event::{Event, Member};
use super::{NOTE, words::screaming};

pub(super) fn print(events: &[Event]) -> String {
    let mut text = format!(
        "/* {NOTE}\n *\n * The canonical events: their names, and JSON pointers to what is known of their payloads. */\n\
         #ifndef HOOKBOX_EVENTS_H\n#define HOOKBOX_EVENTS_H\n"
    );
    for event in events {
        let (constant, name) = (screaming(event.name), event.name);
        text += &format!("\n/* {} */\n#define HOOKBOX_{constant} \"{name}\"\n", event.about);
        text += &event.payload.iter().map(|known| member(event, known)).collect::<String>();
    }
    text + "\n#endif\n"
}

fn member(event: &Event, Member { name, kind, required }: &Member) -> String {
    let (constant, words) = (screaming(event.name), kind.words());
    let must = if *required { "must" } else { "may" };
    let member = screaming(name);
    format!(
        "/* In its payload {must} be {words}. */\n#define HOOKBOX_{constant}_PAYLOAD_{member} \"/{name}\"\n"
    )
}
