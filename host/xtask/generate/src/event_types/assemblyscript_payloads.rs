//! `AssemblyScript`: a class for each payload with known members, and its reader.

use super::NOTE;
use super::event::{Event, Kind, Member};
use super::words::{camel, pascal, screaming};

pub(super) fn print(events: &[Event]) -> String {
    let head = format!(
        "// {NOTE}\n//\n// What is known of the payloads of the canonical events: a class for each. The rest of a payload is the agent's \
         own: `json.Json`\n// reads it.\n//\n// `of` is null if the event is another one or its payload lacks what it must have.\n\n\
         import {{ Event }} from \"./event\";\nimport * as events from \"./events\";\nimport {{ Json }} from \"./json\";\n"
    );
    head + &events.iter().filter(|event| !event.payload.is_empty()).map(class).collect::<String>()
}

fn class(event: &Event) -> String {
    let (name, class, constant) = (event.name, pascal(event.name), screaming(event.name));
    let fields: String = event.payload.iter().map(field).collect();
    let reads: String = event.payload.iter().map(|known| read(&constant, known)).collect();
    let given: Vec<String> = event.payload.iter().map(|known| camel(&known.name)).collect();
    let given = given.join(", ");
    format!(
        "\n/** The payload of `{name}`. */\nexport class {class} {{\n  constructor(\n{fields}  ) {{}}\n\n  \
         static of(event: Event): {class} | null {{\n    if (event.name != events.{constant}) return null;\n    \
         const payload = new Json(event.payload);\n{reads}    return new {class}({given});\n  }}\n}}\n"
    )
}

fn field(Member { name, kind, required }: &Member) -> String {
    let about = match kind {
        Kind::Text => "",
        Kind::Object => "    /** An object, as JSON. */\n",
        Kind::List => "    /** An array, as JSON. */\n",
        Kind::Any => "    /** JSON. */\n",
    };
    let kind = if *required { "string" } else { "string | null" };
    format!("{about}    public {}: {kind},\n", camel(name))
}

fn read(constant: &str, Member { name, kind, required }: &Member) -> String {
    let reader = match kind {
        Kind::Text => "textAt",
        Kind::Object => "objectAt",
        Kind::List => "arrayAt",
        Kind::Any => "at",
    };
    let (variable, member) = (camel(name), screaming(name));
    let must = if *required { format!("    if ({variable} === null) return null;\n") } else { String::new() };
    format!("    const {variable} = payload.{reader}(events.{constant}_PAYLOAD_{member});\n{must}")
}
