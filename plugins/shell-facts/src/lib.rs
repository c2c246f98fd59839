//! Computes facts about the command line of an event, with the reader of command lines in `plugins/lib/shell-commands`.

use hookbox_sdk::{Answer, Event, Hook, export};
use shell_commands::facts::read_facts;

/// The hook.
pub struct ShellFacts;

impl Hook for ShellFacts {
    fn handle(event: Event) -> Result<Answer, String> {
        let Some(tool) = event.tool else { return Ok(Answer::none()) };
        let Some(command) = tool.command else { return Ok(Answer::none()) };
        let folder = tool.paths.first().unwrap_or(&event.cwd);
        Answer::none().with_extra(&read_facts(&command, folder, &event.cwd))
    }
}

export!(ShellFacts);

#[cfg(test)]
mod tests {
    use hookbox_sdk::{ToolCall, ToolClass};
    use serde_json::{Value, json};

    use super::*;

    /// The facts about a command line that starts in these folders.
    fn facts_of(command: Option<&str>, paths: &[&str]) -> Option<Value> {
        let tool = ToolCall {
            class: ToolClass::Shell,
            command: command.map(str::to_owned),
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            ..ToolCall::default()
        };
        let event =
            Event { name: "tool.before".into(), cwd: "/code".into(), tool: Some(tool), ..Event::default() };
        let answer = ShellFacts::handle(event).ok()?;
        assert_eq!(Answer { extra: None, ..answer.clone() }, Answer::none());
        serde_json::from_str(answer.extra.as_deref()?).ok()
    }

    #[test]
    fn the_facts_about_a_command_line_are_in_the_answer() {
        let facts = facts_of(Some("curl -o f https://h.example/ && sudo rm \"$X\""), &[]).unwrap_or_default();
        let programs: Vec<&Value> =
            facts["commands"].as_array().into_iter().flatten().map(|command| &command["program"]).collect();
        assert_eq!(programs, ["curl", "sudo", "rm"]);
        assert_eq!(facts["paths"][0]["path"], "/code/f");
        assert_eq!(facts["hosts"], json!([{ "host": "h.example", "certain": true, "program": "curl" }]));
    }

    #[test]
    fn a_command_line_runs_in_the_first_folder_of_its_call() {
        let facts = facts_of(Some("rm x"), &["/code/sub"]).unwrap_or_default();
        assert_eq!(facts["commands"][0]["folder"], "/code/sub");
        assert_eq!(facts["paths"][0]["path"], "/code/sub/x");
    }

    #[test]
    fn an_event_without_a_command_line_has_no_facts() {
        assert_eq!(facts_of(None, &[]), None);
        assert_eq!(ShellFacts::handle(Event::default()), Ok(Answer::none()));
    }
}
