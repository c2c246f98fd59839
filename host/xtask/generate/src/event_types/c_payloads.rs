//! C: a struct for each payload with known members, and a function that reads it.

use super::NOTE;
use super::event::{Event, Kind, Member};
use super::words::{to_screaming_snake_case, to_snake_case};

pub(super) fn print_payloads(events: &[Event]) -> String {
    let head = format!(
        "/* {NOTE}\n *\n * What is known of the payloads of the canonical events: a type for each, and what reads it. The rest of a \
         payload is the\n * agent's own: `hookbox_json_at` and its like read it.\n *\n * Each reader is false, and its result not to be \
         used, if the event is another one or its payload lacks what it must have. */\n\
         #ifndef HOOKBOX_PAYLOADS_H\n#define HOOKBOX_PAYLOADS_H\n\n#include \"hookbox.h\"\n"
    );
    let payloads: String =
        events.iter().filter(|event| !event.payload.is_empty()).map(print_payload).collect();
    head + &payloads + "\n#endif\n"
}

fn print_payload(event: &Event) -> String {
    let (name, kind) = (event.name, to_snake_case(event.name));
    let fields: String = event.payload.iter().map(print_field).collect();
    let tests: Vec<String> = event
        .payload
        .iter()
        .filter(|known| known.required)
        .map(|known| print_required_read(name, known))
        .collect();
    let optional: String = event
        .payload
        .iter()
        .filter(|known| !known.required)
        .map(|known| print_optional_read(name, known))
        .collect();
    let all = [vec![format!("hookbox_is(event, HOOKBOX_{})", to_screaming_snake_case(name))], tests].concat();
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

fn print_field(Member { name, kind, required }: &Member) -> String {
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
fn print_required_read(event: &str, known: &Member) -> String {
    format!(
        "{}(event->payload, {}, &payload->{})",
        select_reader(known.kind),
        format_pointer_macro(event, known),
        known.name
    )
}

/// Reads an optional member.
fn print_optional_read(event: &str, known: &Member) -> String {
    format!("    payload->has_{} = {};\n", known.name, print_required_read(event, known))
}

fn select_reader(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => "hookbox_json_text",
        Kind::Object => "hookbox_json_object",
        Kind::List => "hookbox_json_array",
        Kind::Any => "hookbox_json_at",
    }
}

fn format_pointer_macro(event: &str, known: &Member) -> String {
    format!("HOOKBOX_{}_PAYLOAD_{}", to_screaming_snake_case(event), to_screaming_snake_case(&known.name))
}
