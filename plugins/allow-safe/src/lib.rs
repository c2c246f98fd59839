//! The plugin `allow-safe`, which allows a shell command if the facts about its command line prove that it only reads, or writes only
//! inside the project. It never denies and never asks: where something is not proven, it has no opinion.

mod decide;
mod names;
mod options;
mod places;
mod policy;
mod programs;
mod scripts;
mod variables;
mod wrappers;

use hookbox_sdk::{Answer, Event, Hook, ToolClass, export};
use shell_commands::facts::read_facts;

pub use decide::find_doubt;
pub use policy::{Config, Policy};

/// The code of every allow.
const CODE: &str = "safe-command";
/// The text of every allow.
const TEXT: &str = "the command only reads, or writes only inside the project";
/// The longest command line that is judged, in bytes.
const MAX_LINE: usize = 64 * 1024;

/// Returns the first doubt about a command line that runs in a folder, for an agent that works in `workspace`; none if it is safe.
pub fn judge(command: &str, folder: &str, workspace: &str, policy: &Policy) -> Option<String> {
    if command.len() > MAX_LINE {
        return Some(format!("the command line is longer than {MAX_LINE} bytes"));
    }
    find_doubt(&read_facts(command, folder, workspace), workspace, policy)
}

/// The hook.
pub struct AllowSafe;

impl Hook for AllowSafe {
    fn handle(event: Event) -> Result<Answer, String> {
        let policy = Policy::new(&hookbox_sdk::config::<Config>()?)?;
        let Some(tool) = event.tool.filter(|tool| tool.class == ToolClass::Shell && tool.output.is_none())
        else {
            return Ok(Answer::none());
        };
        let Some(command) = tool.command else { return Ok(Answer::none()) };
        // The folders that the call names are where it runs.
        let folders = if tool.paths.is_empty() { vec![event.cwd.clone()] } else { tool.paths };
        let is_safe = folders.iter().all(|folder| judge(&command, folder, &event.cwd, &policy).is_none());
        Ok(if is_safe { Answer::allow(CODE, TEXT) } else { Answer::none() })
    }
}

export!(AllowSafe);
