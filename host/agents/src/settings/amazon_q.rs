//! Amazon Q's CLI, and Kiro's CLI 2, take hooks from an agent's file, which the user creates and names: hookbox has no file there to edit,
//! so it prints the entries to write, and checks whether they are present.

use serde_json::{Map, Value, json};

use super::{
    Installed, OwnCommand,
    fail_closed::{FailClosed, LineFrame, is_before_action},
    installed_entries::of_line,
};

/// The agent, as in `--agent`.
pub const AGENT: &str = "amazon-q";

/// The folders of the user's agents, in the home folder: Amazon Q's and Kiro's.
pub const FOLDERS: [&str; 2] = [".aws/amazonq/cli-agents", ".kiro/agents"];

/// The events that get an entry.
const USUAL: [&str; 5] = ["agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"];
/// Events about a tool, whose entries name their tools.
const OF_TOOLS: [&str; 2] = ["preToolUse", "postToolUse"];
/// Timeout of an entry, milliseconds.
const TIMEOUT: u64 = 30_000;

/// Returns the member `hooks` of an agent's file, a line for each event.
pub fn format_hooks(command: &OwnCommand) -> String {
    let entry = |event: &str| {
        let mut entry = Map::new();
        // `*` matches every tool, those of MCP servers included.
        if OF_TOOLS.contains(&event) {
            entry.insert("matcher".to_owned(), "*".into());
        }
        entry.insert("command".to_owned(), line_frame(event).wrap_line(&command.to_line(AGENT)).into());
        entry.insert("timeout_ms".to_owned(), TIMEOUT.into());
        format!("  {}: {}", Value::from(event), json!([entry]))
    };
    format!("\"hooks\": {{\n{}\n}}", USUAL.map(entry).join(",\n"))
}

/// Returns the text around the command line for this event.
fn line_frame(event: &str) -> LineFrame {
    match FailClosed::SH {
        FailClosed::Line(frame) if is_before_action(AGENT, event) => frame,
        _ => LineFrame::NONE,
    }
}

/// The text of an agent's file is not JSON.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct NotJson(serde_json::Error);

/// Returns hookbox's entries in an agent's file.
///
/// # Errors
///
/// The file is not JSON.
pub fn find_installed(text: &str) -> Result<Vec<Installed>, NotJson> {
    let file: Value = serde_json::from_str(text).map_err(NotJson)?;
    let events = file.get("hooks").and_then(Value::as_object);
    let mut found = Vec::new();
    for (event, entries) in events.into_iter().flatten() {
        let lines =
            entries.as_array().into_iter().flatten().filter_map(|entry| entry.get("command")?.as_str());
        found.extend(lines.filter_map(|line| {
            let fails_open = !line_frame(event).is_around(line);
            of_line(event, line, (AGENT, fails_open))
        }));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_is_to_be_written_is_found_again() {
        let command = OwnCommand::new(Path::new("/opt/my tools/hookbox"), &[]).unwrap();
        let file = format!("{{\"name\": \"mine\", {}}}", format_hooks(&command));
        let found = find_installed(&file).unwrap();
        assert!(file.contains("exit 2; }"), "{file}");
        assert!(found.iter().all(|entry| !entry.fails_open), "{file}");
        assert_eq!(found.into_iter().map(|entry| entry.event).collect::<Vec<_>>(), USUAL);
        let old = r#"{"hooks": {"preToolUse": [{"command": "/opt/hookbox run --agent amazon-q"}]}}"#;
        assert!(find_installed(old).unwrap()[0].fails_open);
        assert_eq!(find_installed(r#"{"hooks": {"stop": [{"command": "say done"}]}}"#).unwrap(), Vec::new());
        assert_eq!(find_installed("{}").unwrap(), Vec::new());
        assert!(find_installed("{").is_err());
    }
}
