//! Wraps commands that an agent runs exactly as a hook rewrote them in `hookbox confine … -- sh -c '…'`.
//!
//! Only agents for which that is certain are supported. Agents that ask again for a rewritten call, ignore a rewrite, or run a list of
//! commands are excluded, and then the user is asked.

mod quote;

use std::path::Path;

use hookbox_core::interfaces::ConfineError;
use hookbox_model::{Event, EventName, Json, ToolClass};

use self::quote::join_words;
use super::{
    agent_facts::AgentFacts,
    agent_list,
    tools::{COMMAND, find_sole_command},
};

/// Longest line that is made: agents hand it to a shell as one argument, of which systems take 128 KiB.
const MAX_LINE_BYTES: usize = 100 << 10;

/// The calls of an agent that it runs as a hook leaves them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunsRewritten {
    /// The agent's names for the event; empty for any.
    pub(crate) events: &'static [&'static str],
    /// Names of the tools; empty for any tool that runs a shell command.
    pub(crate) tools: &'static [&'static str],
    /// The shell in which it runs a command.
    pub(crate) shell: Shell,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Shell {
    Posix,
    /// bash, which the agent runs itself, or the user's own shell, for which its model writes.
    Bash,
}

impl Shell {
    /// Returns the shell's file. An absolute path, so that the folders of `PATH` have no influence.
    fn program(self) -> &'static str {
        const BASH: [&str; 2] = ["/bin/bash", "/usr/bin/bash"];
        let bash = || BASH.into_iter().find(|file| Path::new(file).exists());
        match self {
            Self::Posix => None,
            Self::Bash => bash(),
        }
        .unwrap_or("/bin/sh")
    }
}

/// Returns the arguments of the event's tool call with its command started through these words, and all other arguments unchanged.
pub(super) fn started_by(words: &[String], event: &Event) -> Result<Json, ConfineError> {
    let Some(tool) = event.tool.as_ref().filter(|_| event.name == EventName::ToolBefore) else {
        return Err(ConfineError::from_reason("only a command that is about to run can be"));
    };
    if tool.class != ToolClass::Shell {
        return Err(ConfineError::from_reason("the call is not that of a shell's command"));
    }
    let runs = agent_list::find_facts(&event.agent)
        .and_then(|facts| find_rewrite(facts, &event.agent_event, &tool.name));
    let Some(runs) = runs else {
        let why = format!("it is not sure that {} runs this as a hook changes it", name_agent(&event.agent));
        return Err(ConfineError::from_reason(why));
    };
    let members = tool.input.members().unwrap_or_default();
    // The agent might run another text than the one that is changed.
    let Some(command) = find_sole_command(&members) else {
        return Err(ConfineError::from_reason(
            "the call says what it runs in more than one text, or in none",
        ));
    };
    // An argument of a process ends at a NUL: the shell would run a part of the command.
    if command.contains('\0') {
        return Err(ConfineError::from_reason("the command has a character in it that no argument can have"));
    }
    let shell = [runs.shell.program(), "-c", &command];
    let started = join_words(words.iter().map(String::as_str).chain(shell));
    if started.len() > MAX_LINE_BYTES {
        return Err(ConfineError::from_reason("the command is too long to be an argument"));
    }
    let started = serde_json::Value::from(started).to_string();
    let rest = members.iter().map(|(key, value)| match key {
        // The other members keep their text: the agent compares or shows some of them, such as a description.
        COMMAND => (key, started.as_str()),
        key => (key, value.get()),
    });
    Ok(Json::from_members(rest))
}

fn find_rewrite(facts: &AgentFacts, event: &str, tool: &str) -> Option<RunsRewritten> {
    let is_it = |runs: &RunsRewritten| {
        let is_among = |names: &[&str], name| names.is_empty() || names.contains(&name);
        is_among(runs.events, event) && is_among(runs.tools, tool)
    };
    // Without a row the agent may ask again, or ignore the rewrite and run the command unconfined.
    facts.runs_rewritten.filter(is_it)
}

/// Returns the name if it is a supported agent's; any other name comes from the sender.
fn name_agent(name: &str) -> &str {
    agent_list::find_facts(name).map_or("this agent", AgentFacts::name)
}
