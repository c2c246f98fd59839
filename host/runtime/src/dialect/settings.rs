//! The settings files in which agents are told their hooks, and hookbox's own entry in them. Text in, text out: no
//! file is opened here.
//!
//! Everything that is not hookbox's stays as it is, comments, order and layout included. Only the braces that get
//! their first member may be laid out anew.

pub mod cline;
pub mod cocode;
mod command;
mod edit;
mod error;
mod installed;
mod launch;
mod mend;
mod own;
mod shape;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod trust;
mod words;

use std::time::Duration;

use self::shape::Shape;
pub use self::{
    command::{OwnCommand, UnfitPath},
    edit::{Edit, HooksMember, has_empty_hooks, install, uninstall},
    error::SettingsError,
    installed::{Installed, installed, misnamed},
    launch::{Launch, SetByProject},
    table::{all, named},
    trust::{Trust, trust},
    words::quoted as quoted_word,
};

/// Largest settings file that is edited, bytes.
pub const MAX_SETTINGS_BYTES: usize = 2 << 20;

/// One agent's settings.
#[derive(Debug)]
pub struct AgentSettings {
    /// The agent, as in `--agent`; also the name of its dialect.
    pub agent: &'static str,
    /// The folder of the user's file.
    pub user: UserFolder,
    /// The folder of a project's file, from the project's root.
    pub project: &'static str,
    /// The file in either folder.
    pub file: &'static str,
    /// The events that get the entry if nobody names others: those that can block, and those that hooks commonly use.
    pub usual: &'static [&'static str],
    /// How the agent starts an entry's command.
    pub launch: Launch,
    /// How entries are written.
    shape: Shape,
    /// Does the agent read comments?
    comments: bool,
}

/// Where the user's file is.
#[derive(Clone, Copy, Debug)]
pub struct UserFolder {
    /// The variable by which the user moves the folder.
    pub variable: Option<&'static str>,
    /// What `path` is in.
    pub base: Base,
    /// The folder, unless it was moved.
    pub path: &'static str,
}

/// A folder of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The home folder.
    Home,
    /// `XDG_CONFIG_HOME`, by default `~/.config`.
    Config,
}

/// One event that gets hookbox's entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The agent's name for the event.
    pub event: &'a str,
    /// How long the agent waits; written if it is whole in the agent's unit.
    pub timeout: Option<Duration>,
}

/// Does this command run hookbox for the agent? `more` are arguments beside it.
pub(crate) fn runs_hookbox(command: &str, agent: &str, more: Option<&[String]>) -> bool {
    command::find(command, more, agent).is_some()
}
