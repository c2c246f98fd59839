//! C: a struct for each payload with known members, and a function that reads it.

use super::NOTE;
use super::event::{Event, Kind, Member};
use super::words::{screaming, snake};

pub(super) fn print(events: &[Event]) -> String {
    let head = format!(
        "/* {NOTE}\n *\n * What is known of the payloads of the canonical events: a type for each, and what reads it. The rest of a \
         payload is the\n * agent's own: `hookbox_json_at` and its like read it.\n *\n * Each reader is false, and its result not to be \
         used, if the event is another one or its payload lacks what it must have. */\n\
         #ifndef HOOKBOX_PAYLOADS_H\n#define HOOKBOX_PAYLOADS_H\n\n#include \"hookbox.h\"\n"
    );
    let payloads: String = events.iter().filter(|event| !event.payload.is_empty()).map(payload).collect();
    head + &payloads + "\n#endif\n"
}

fn payload(event: &Event) -> String {
    let (name, kind) = (event.name, snake(event.name));
    let fields: String = event.payload.iter().map(field).collect();
    let tests: Vec<String> =
        event.payload.iter().filter(|known| known.required).map(|known| test(name, known)).collect();
    let optional: String =
        event.payload.iter().filter(|known| !known.required).map(|known| look(name, known)).collect();
    let all = [vec![format!("hookbox_is(event, HOOKBOX_{})", screaming(name))], tests].concat();
    let read = if optional.is_empty() {
        format!("    return {};\n", all.join(" &&\n           "))
    } else {
        let all = all.join(" &&\n          ");
        format!("    if (!({all})) {{\n        return false;\n    }}\n{optional}    return true;\n")
    };
    format!(
        "\n/* The payload of `{name}`. */\ntypedef struct {{\n{fields}}} hookbox_{kind};\n\n\
         static inline bool hookbox_read_{kind}(const hookbox_event *event, hookbox_{kind} *payload) {{\n{read}}}\n"
    )
}

fn field(Member { name, kind, required }: &Member) -> String {
    let about = match kind {
        Kind::Text => "",
        Kind::Object => "    /* An object, as JSON. */\n",
        Kind::List => "    /* An array, as JSON. */\n",
        Kind::Any => "    /* JSON. */\n",
    };
    let there = if *required {
        String::new()
    } else {
        format!("    /* Is the next one there? */\n    bool has_{name};\n")
    };
    format!("{there}{about}    hookbox_text {name};\n")
}

/// Reads a required member.
fn test(event: &str, known: &Member) -> String {
    format!("{}(event->payload, {}, &payload->{})", reader(known.kind), place(event, known), known.name)
}

/// Reads an optional member.
fn look(event: &str, known: &Member) -> String {
    format!("    payload->has_{} = {};\n", known.name, test(event, known))
}

fn reader(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "hookbox_json_text",
        Kind::Object => "hookbox_json_object",
        Kind::List => "hookbox_json_array",
        Kind::Any => "hookbox_json_at",
    }
}

fn place(event: &str, known: &Member) -> String {
    format!("HOOKBOX_{}_PAYLOAD_{}", screaming(event), screaming(&known.name))
}
