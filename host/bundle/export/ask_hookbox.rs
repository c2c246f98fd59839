//! The program of a bundle that an agent starts: it runs hookbox; without hookbox it reports that and blocks every event that
//! can be blocked.

use hookbox::{
    Response,
    agents::{Dialect, settings::quoted_word},
    model::EventName,
};

use super::Title;

/// The script without the answers, which replace `@AGENT@` and `@REFUSALS@`.
const SCRIPT: &str = include_str!("ask_hookbox.sh");

/// Returns the script for this agent. It does not change with a release of the plugins.
pub(super) fn format_script(
    dialect: &dyn Dialect,
    title: &Title,
    events: &[(&'static str, EventName)],
) -> String {
    let arms: String = events.iter().map(|(name, event)| format_arm(dialect, title, name, event)).collect();
    SCRIPT
        .replace("@AGENT@", dialect.name())
        .replace("@MESSAGE@", &quoted_word(&format_missing_message(title)))
        .replace("@REFUSALS@\n", &arms)
}

/// Returns the message for a user without hookbox.
fn format_missing_message(title: &Title) -> String {
    format!(
        "the plugin {} needs hookbox, which is not installed: install hookbox, or remove the plugin",
        title.name
    )
}

/// Returns the script's answer to one event without hookbox.
fn format_arm(dialect: &dyn Dialect, title: &Title, name: &str, event: &EventName) -> String {
    let refusal = match event {
        event if is_gate(event) => {
            let written =
                Response::of_failure(Some(dialect), Some(name), &format_missing_message(title)).written;
            let texts = [(&written.stdout, ""), (&written.stderr, " >&2")];
            let texts = texts.into_iter().filter(|(text, _)| !text.is_empty());
            let prints = texts.map(|(text, to)| format!("printf '%s' {}{to}; ", quoted_word(text)));
            let prints: String = prints.collect();
            format!("{prints}exit {}", written.exit)
        }
        // For the user, without blocking.
        EventName::SessionStart => "printf '%s\\n' \"$message\" >&2; exit 1".to_owned(),
        _ => "exit 0".to_owned(),
    };
    format!("    {name}) {refusal} ;;\n")
}

/// Returns true for events before an action. An agent that is kept from stopping, or from starting, would be of no use at all.
fn is_gate(event: &EventName) -> bool {
    matches!(
        event,
        EventName::ToolBefore
            | EventName::PermissionRequest
            | EventName::PromptSubmit
            | EventName::ModelRequest
    )
}

/// Returns the answer to one event for systems with neither a POSIX shell nor hookbox.
pub(super) fn format_powershell(dialect: &dyn Dialect, title: &Title, event: &str) -> String {
    let of = dialect.events().into_iter().find(|(name, _)| *name == event).map(|(_, event)| event);
    if !of.as_ref().is_some_and(is_gate) {
        return "exit 0".to_owned();
    }
    let written = Response::of_failure(Some(dialect), Some(event), &format_missing_message(title)).written;
    let output = if written.stdout.is_empty() { &written.stderr } else { &written.stdout };
    // PowerShell reads two quotes within a quoted text as one.
    format!("Write-Output '{}'; exit {}", output.trim_end().replace('\'', "''"), written.exit)
}
