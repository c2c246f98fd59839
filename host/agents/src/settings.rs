//! Settings files that list an agent's hooks, and hookbox's own entry in them. Text in, text out: no file is opened here.
//!
//! Everything that is not hookbox's stays unchanged, comments, order and layout included. Only the braces that get their first member may
//! be reformatted.

#[cfg(feature = "settings")]
pub mod amazon_q;
#[cfg(feature = "settings")]
pub mod cline;
mod command;
#[cfg(feature = "settings")]
mod discarded_hooks;
#[cfg(feature = "settings")]
mod edit;
mod entry_layout;
mod error;
mod fail_closed;
#[cfg(feature = "settings")]
mod installed_entries;
mod launch;
#[cfg(feature = "settings")]
mod namesake;
mod off_change;
mod off_switch;
#[cfg(feature = "settings")]
mod own_entries;
#[cfg(feature = "settings")]
mod plugin;
#[cfg(feature = "settings")]
pub mod proxy;
#[cfg(feature = "settings")]
mod repair;
mod run_conditions;
mod table;
#[cfg(test)]
mod tests;
#[cfg(feature = "settings")]
mod toml;
#[cfg(feature = "settings")]
mod tree;
mod trust;
mod words;

use std::time::Duration;

#[cfg(feature = "settings")]
use self::toml::TomlHooks;
pub use self::{
    command::{OwnCommand, UnfitPath},
    error::SettingsError,
    fail_closed::{LineFrame, entry_timeout},
    launch::{Launch, SetByProject},
    off_change::{SettingsChange, find_turned_off, list_switch_files},
    off_switch::{OffSwitch, SwitchValue, off_switches},
    run_conditions::{TRUSTED_FOLDERS, is_untrusted, switched_off},
    table::{all_settings, find_settings},
    trust::{Trust, find_trust},
    words::quote_word as quoted_word,
};
#[cfg(feature = "settings")]
pub use self::{
    discarded_hooks::explain_discard,
    edit::{Edit, HooksMember, has_empty_hooks, holds_hooks, install_entries, uninstall_entries},
    installed_entries::{Installed, find_entries, find_installed, find_misnamed},
    namesake::find_namesake,
    plugin::is_other_plugin,
};
pub(super) use self::{
    entry_layout::{Shape, TomlForm, Unit},
    fail_closed::FailClosed,
};

use crate::file_rules::FileRules;

/// Largest settings file that is edited, bytes.
pub const MAX_SETTINGS_BYTES: usize = 2 << 20;

/// Settings of one agent.
#[derive(Debug)]
pub struct AgentSettings {
    /// The agent, as in `--agent`; also the name of its dialect.
    pub agent: &'static str,
    /// The folder of the user's file.
    pub user: UserFolder,
    /// The folder of a project's file, relative to the project's root; `None` if the agent reads no project file.
    pub project: Option<&'static str>,
    /// The file in either folder.
    pub file: &'static str,
    /// The events that get the entry by default: those that can block, and those that hooks commonly use.
    pub usual: &'static [&'static str],
    /// Way in which the agent starts an entry's command.
    pub launch: Launch,
    /// Layout of entries.
    pub(super) shape: Shape,
    /// Mechanism that turns a failure of hookbox into a refusal.
    pub(super) fail_closed: FailClosed,
    pub(super) comments: bool,
    /// Requirements without which the agent discards the file.
    pub(super) rules: &'static FileRules,
    /// True if the agent has a list of trusted folders in addition to the file.
    pub(super) trusts_folders: bool,
    /// A file in the same folder whose `hooks` the agent honours only while `file` does not exist.
    pub instead_of: Option<&'static str>,
}

impl AgentSettings {
    /// Creates the settings of an agent with a file of this name in the user's folder. Defaults: no comments, unknown keys allowed, no
    /// project file.
    pub(super) const fn new(
        agent: &'static str,
        (user, file): (UserFolder, &'static str),
        (shape, launch, fail_closed): (Shape, Launch, FailClosed),
        usual: &'static [&'static str],
    ) -> Self {
        Self {
            agent,
            user,
            project: None,
            file,
            usual,
            launch,
            shape,
            fail_closed,
            comments: false,
            rules: &FileRules::NONE,
            trusts_folders: false,
            instead_of: None,
        }
    }

    /// Adds a project's file, in this folder.
    pub(super) const fn with_project_file(mut self, folder: &'static str) -> Self {
        self.project = Some(folder);
        self
    }

    pub(super) const fn with_comments(mut self) -> Self {
        self.comments = true;
        self
    }

    /// Declares requirements without which the agent discards the file.
    pub(super) const fn with_rules(mut self, rules: &'static FileRules) -> Self {
        self.rules = rules;
        self
    }

    /// Declares that the agent has a list of trusted folders in addition to the file.
    pub(super) const fn trusting_folders(mut self) -> Self {
        self.trusts_folders = true;
        self
    }

    /// Sets [`Self::instead_of`].
    pub(super) const fn in_place_of(mut self, file: &'static str) -> Self {
        self.instead_of = Some(file);
        self
    }
}

/// Place of the user's file.
#[derive(Clone, Copy, Debug)]
pub struct UserFolder {
    /// The variable that names the folder itself, wherever the user has moved it.
    pub variable: Option<&'static str>,
    /// Folder that contains `path`.
    pub base: Base,
    /// The folder, unless it was moved.
    pub path: &'static str,
}

pub(super) const fn in_home(path: &'static str) -> UserFolder {
    UserFolder { variable: None, base: Base::Home, path }
}

/// Returns a folder in the home folder, unless this variable names another one.
pub(super) const fn moved_by(variable: &'static str, path: &'static str) -> UserFolder {
    UserFolder { variable: Some(variable), base: Base::Home, path }
}

/// A folder of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The home folder.
    Home,
    /// The folder that this variable names in place of the home folder, or the home folder.
    HomeOr(&'static str),
    /// `XDG_CONFIG_HOME`, by default `~/.config`.
    Config,
}

/// One event that gets hookbox's entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The agent's name for the event.
    pub event: &'a str,
    /// Agent timeout; written if it is a whole number in the agent's unit.
    pub timeout: Option<Duration>,
}

impl AgentSettings {
    /// Returns true if the whole file is hookbox's, so that uninstalling removes it.
    pub fn is_file_of_its_own(&self) -> bool {
        self.shape == Shape::Plugin
    }

    /// Returns the file's list of tables, if it is TOML.
    #[cfg(feature = "settings")]
    fn toml(&self) -> Option<TomlHooks<'_>> {
        match self.shape {
            Shape::Toml(form) => Some(TomlHooks { form, settings: self }),
            _ => None,
        }
    }
}

/// Returns true if this command runs hookbox for the agent. `more` are additional arguments.
pub fn runs_hookbox(command: &str, agent: &str, more: Option<&[String]>) -> bool {
    command::find_hookbox_command(command, more, agent).is_some()
}
