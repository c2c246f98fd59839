//! Facts about the command line of an event, as a handler gets them.

use std::{fmt, future::Future, pin::Pin, sync::Arc};

use hookbox_model::{Event, ShellFacts, ShellLanguage};

/// Words in the names of tools that run no POSIX shell, in lower case, with their language. An agent states the language only by the name
/// of its tool.
const OTHER_SHELLS: [(&str, ShellLanguage); 3] = [
    ("powershell", ShellLanguage::Powershell),
    ("pwsh", ShellLanguage::Powershell),
    ("cmd.exe", ShellLanguage::Cmd),
];

/// A command line, with the folders that its meaning depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// Its language.
    pub language: ShellLanguage,
    /// Its text.
    pub command: String,
    /// The folder that it starts in.
    pub folder: String,
    /// The folder that the agent works in.
    pub workspace: String,
}

impl CommandLine {
    /// Creates a command line of a POSIX shell that starts in the folder that the agent works in.
    pub fn new(command: &str, folder: &str) -> Self {
        Self {
            language: ShellLanguage::Posix,
            command: command.to_owned(),
            folder: folder.to_owned(),
            workspace: folder.to_owned(),
        }
    }

    /// Returns the command line of an event, if it has one. It starts in the first folder of its call, otherwise in the event's.
    pub fn from_event(event: &Event) -> Option<Self> {
        let tool = event.tool.as_ref()?;
        let command = tool.command.as_deref()?;
        let folder = tool.paths.first().unwrap_or(&event.cwd);
        Some(Self {
            language: language_of(&tool.name),
            folder: folder.clone(),
            ..Self::new(command, &event.cwd)
        })
    }
}

/// Returns the language of the command lines of a tool.
fn language_of(tool: &str) -> ShellLanguage {
    let tool = tool.to_ascii_lowercase();
    let other = OTHER_SHELLS.iter().find(|(word, _)| tool.contains(word));
    other.map_or(ShellLanguage::Posix, |(_, language)| *language)
}

/// Facts being computed.
pub type FactsFuture<'a> = Pin<Box<dyn Future<Output = Result<Arc<ShellFacts>, FactsNotSent>> + Send + 'a>>;

/// Source of the facts about the command lines of one event.
pub trait FactsSource: fmt::Debug + Send + Sync + 'static {
    /// Returns the facts about this command line of the event. They are computed once for all hooks; facts that cannot be computed have
    /// an undetermined part with the reason.
    fn find_facts<'a>(&'a self, line: &'a CommandLine) -> FactsFuture<'a>;
}

/// Error in a process that computes no facts: the host has not sent them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactsNotSent;

impl fmt::Display for FactsNotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the facts of the event were not sent")
    }
}

impl std::error::Error for FactsNotSent {}

#[cfg(test)]
mod tests {
    use hookbox_model::{EventName, Json, ToolCall, ToolClass};

    use super::*;

    fn event_of(tool: &str, command: Option<&str>, paths: &[&str]) -> Event {
        let tool = ToolCall {
            name: tool.to_owned(),
            class: ToolClass::Shell,
            command: command.map(str::to_owned),
            paths: paths.iter().map(|path| (*path).to_owned()).collect(),
            input: Json::empty_object(),
            output: None,
        };
        Event { cwd: "/code".to_owned(), tool: Some(tool), ..Event::new(EventName::ToolBefore, "native") }
    }

    #[test]
    fn a_command_line_starts_in_the_first_folder_of_its_call_or_in_that_of_the_event() {
        let line = CommandLine::from_event(&event_of("Bash", Some("ls"), &[]));
        assert_eq!(line, Some(CommandLine::new("ls", "/code")));
        let line = CommandLine::from_event(&event_of("Bash", Some("ls"), &["/code/sub"])).unwrap();
        assert_eq!((line.folder.as_str(), line.workspace.as_str()), ("/code/sub", "/code"));
        assert_eq!(CommandLine::from_event(&event_of("Read", None, &["/code/a"])), None);
    }

    #[test]
    fn the_name_of_the_tool_states_the_language() {
        let language = |tool| CommandLine::from_event(&event_of(tool, Some("ls"), &[])).unwrap().language;
        assert_eq!(language("PowerShell"), ShellLanguage::Powershell);
        assert_eq!(language("write_powershell"), ShellLanguage::Powershell);
        assert_eq!(language("cmd.exe"), ShellLanguage::Cmd);
        assert_eq!(language("run_shell_command"), ShellLanguage::Posix);
    }
}
