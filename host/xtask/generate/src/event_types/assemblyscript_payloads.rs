//! `AssemblyScript`: a class for each payload with known members, and its reader.

use super::NOTE;
use super::event::{Event, Kind, Member};
use super::words::{to_camel_case, to_pascal_case, to_screaming_snake_case};

pub(super) fn print_payloads(events: &[Event]) -> String {
    let head = format!(
        "// {NOTE}\n//\n// What is known of the payloads of the canonical events: a class for each. The rest of a payload is the agent's \
         own: `json.Json`\n// reads it.\n//\n// `of` is null if the event is another one or its payload lacks what it must have.\n\n\
         import {{ Event }} from \"./event\";\nimport * as events from \"./events\";\nimport {{ Json }} from \"./json\";\n"
    );
    head + &events.iter().filter(|event| !event.payload.is_empty()).map(print_class).collect::<String>()
}

fn print_class(event: &Event) -> String {
    let (name, class, constant) =
        (event.name, to_pascal_case(event.name), to_screaming_snake_case(event.name));
    let fields: String = event.payload.iter().map(print_field).collect();
    let reads: String = event.payload.iter().map(|known| print_reader(&constant, known)).collect();
    let given: Vec<String> = event.payload.iter().map(|known| to_camel_case(&known.name)).collect();
    let given = given.join(", ");
    format!(
        "\n/** The payload of `{name}`. */\nexport class {class} {{\n  constructor(\n{fields}  ) {{}}\n\n  \
         static of(event: Event): {class} | null {{\n    if (event.name != events.{constant}) return null;\n    \
         const payload = new Json(event.payload);\n{reads}    return new {class}({given});\n  }}\n}}\n"
    )
}

fn print_field(Member { name, kind, required }: &Member) -> String {
    let about = match kind {
        Kind::Text => "",
        Kind::Object => "    /** An object, as JSON. */\n",
        Kind::List => "    /** An array, as JSON. */\n",
        Kind::Any => "    /** JSON. */\n",
    };
    // JSON members, too, are handed over as text.
    let kind = if *required { "string" } else { "string | null" };
    format!("{about}    public {}: {kind},\n", to_camel_case(name))
}

fn print_reader(constant: &str, Member { name, kind, required }: &Member) -> String {
    let reader = match kind {
        Kind::Text => "textAt",
        Kind::Object => "objectAt",
        Kind::List => "arrayAt",
        Kind::Any => "at",
    };
    let (variable, member) = (to_camel_case(name), to_screaming_snake_case(name));
    let must = if *required { format!("    if ({variable} === null) return null;\n") } else { String::new() };
    format!("    const {variable} = payload.{reader}(events.{constant}_PAYLOAD_{member});\n{must}")
}
