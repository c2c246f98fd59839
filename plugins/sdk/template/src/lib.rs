use hookbox_sdk::{Answer, Event, Hook, export, log};
use serde::Deserialize;

/// Settings of the hook: `config = { denied = ["rm -rf /"] }`. A misspelt key is an error.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    denied: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { denied: vec!["rm -rf /".to_owned()] }
    }
}

struct DenyCommands;

impl Hook for DenyCommands {
    fn handle(event: Event) -> Result<Answer, String> {
        let Some(command) = event.tool.and_then(|tool| tool.command) else {
            return Ok(Answer::none());
        };
        let settings: Settings = hookbox_sdk::config()?;
        log::info(format!("saw {command}"));
        if settings.denied.iter().any(|denied| denied == command.trim()) {
            return Ok(Answer::deny("denied-command", format!("{} is not run here", command.trim())));
        }
        Ok(Answer::none())
    }
}

export!(DenyCommands);

/// Natively, by `cargo test`. What is in `tests/` runs in the sandbox, by `hookbox plugin test`.
#[cfg(test)]
mod tests {
    use hookbox_sdk::{ToolCall, testing};

    use super::*;

    fn answer(command: &str) -> Result<Answer, String> {
        let tool = ToolCall { command: Some(command.to_owned()), ..Default::default() };
        DenyCommands::handle(Event { tool: Some(tool), ..Default::default() })
    }

    #[test]
    fn what_is_denied_is_for_the_configuration_to_say() {
        assert_eq!(answer("ls"), Ok(Answer::none()));
        testing::set_config(r#"{"denied": ["ls"]}"#);
        assert_eq!(answer("ls"), Ok(Answer::deny("denied-command", "ls is not run here")));
    }
}
