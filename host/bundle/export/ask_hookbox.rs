//! The program of a bundle that an agent starts: it finds hookbox, and where there is none it says so and blocks what can be blocked.

use hookbox::{
    Response,
    dialect::{Dialect, settings::quoted_word},
    model::EventName,
};

use super::Title;

/// Everything but the answers. `@AGENT@` and `@REFUSALS@` are put in.
const SCRIPT: &str = include_str!("ask_hookbox.sh");

/// The script for this agent. It is the same for every release of the plugins.
pub(super) fn script(dialect: &dyn Dialect, title: &Title, events: &[(&'static str, EventName)]) -> String {
    let arms: String = events.iter().map(|(name, event)| arm(dialect, title, name, event)).collect();
    SCRIPT
        .replace("@AGENT@", dialect.name())
        .replace("@MESSAGE@", &quoted_word(&message(title)))
        .replace("@REFUSALS@\n", &arms)
}

/// The line for a person who has no hookbox.
fn message(title: &Title) -> String {
    format!(
        "hookbox is not installed, and the plugin {} is nothing without it: install hookbox, or remove the plugin",
        title.name
    )
}

/// What is said about one event without hookbox.
fn arm(dialect: &dyn Dialect, title: &Title, name: &str, event: &EventName) -> String {
    let refusal = match event {
        event if is_gate(event) => {
            let written = Response::of_failure(Some(dialect), Some(name), &message(title)).written;
            let texts = [(&written.stdout, ""), (&written.stderr, " >&2")];
            let texts = texts.into_iter().filter(|(text, _)| !text.is_empty());
            let said = texts.map(|(text, to)| format!("printf '%s' {}{to}; ", quoted_word(text)));
            let said: String = said.collect();
            format!("{said}exit {}", written.exit)
        }
        // For the person, and for nobody to wait for.
        EventName::SessionStart => "printf '%s\\n' \"$message\" >&2; exit 1".to_owned(),
        _ => "exit 0".to_owned(),
    };
    format!("    {name}) {refusal} ;;\n")
}

/// Is it before something happens? An agent that is kept from stopping, or from beginning, would be of no use at all.
fn is_gate(event: &EventName) -> bool {
    matches!(
        event,
        EventName::ToolBefore
            | EventName::PermissionRequest
            | EventName::PromptSubmit
            | EventName::ModelRequest
    )
}

/// The same for one event where there is no POSIX shell, and no hookbox either.
pub(super) fn powershell(dialect: &dyn Dialect, title: &Title, event: &str) -> String {
    let of = dialect.events().into_iter().find(|(name, _)| *name == event).map(|(_, event)| event);
    if !of.as_ref().is_some_and(is_gate) {
        return "exit 0".to_owned();
    }
    let written = Response::of_failure(Some(dialect), Some(event), &message(title)).written;
    let said = if written.stdout.is_empty() { &written.stderr } else { &written.stdout };
    format!("Write-Output '{}'; exit {}", said.trim_end().replace('\'', "''"), written.exit)
}
