//! Facts about a command line, for rules over what its commands do in place of its text.
//!
//! The types mirror the interface `facts` of `wit/`, and are the same as JSON.

mod access;
mod address;
mod client_options;
mod clients;
mod code;
mod contact;
mod recorder;
mod types;
mod words;

#[cfg(feature = "facts")]
use crate::{
    arg::is_mark,
    budget::Budget,
    policy::{Config, Policy},
    readings,
    walk::Walker,
};

pub use self::types::{
    AccessKind, FactWord, Facts, HostContact, PathAccess, ShellLanguage, SimpleCommand, Undetermined,
    UnknownReason,
};
pub(crate) use self::{
    recorder::{Place, Recorder},
    words::join_words,
};

/// Maximum number of commands.
pub const MAX_COMMANDS: usize = 1024;
/// Maximum number of words of one command, and of each of its other lists.
pub const MAX_WORDS: usize = 1024;
/// Maximum number of accesses to paths.
pub const MAX_PATHS: usize = 4096;
/// Maximum number of hosts.
pub const MAX_HOSTS: usize = 256;
/// Maximum number of undetermined parts.
pub const MAX_UNDETERMINED: usize = 256;
/// Maximum length of the text of an undetermined part, in characters.
pub const MAX_TEXT: usize = 200;
/// Maximum size of all texts, in bytes.
pub const MAX_BYTES: usize = 1024 * 1024;

/// Returns the facts about a command line of a POSIX shell or bash that starts in a folder, for an agent that works in `workspace`.
#[cfg(feature = "facts")]
pub fn read_facts(command: &str, folder: &str, workspace: &str) -> Facts {
    let mut recorder = Recorder::new(command);
    if command.contains(is_mark) {
        // The characters would be mistaken for unknown parts.
        recorder.note_unknown(UnknownReason::Syntax, command);
        return recorder.into_facts();
    }
    let Ok(policy) = Policy::new(&Config::default()) else { return describe_unread(ShellLanguage::Posix) };
    let budget = Budget::of_a_plugin();
    for read in readings(command) {
        let (filled, mut found) =
            Walker::walk_facts(&read, (folder, workspace), (&policy, &budget), recorder);
        recorder = filled;
        recorder.add_accesses(&mut found);
    }
    recorder.into_facts()
}

/// Returns the facts about a command line of a language that has no reader: nothing is determined.
pub fn describe_unread(language: ShellLanguage) -> Facts {
    let unread = Undetermined { reason: UnknownReason::Language, text: String::new() };
    Facts { language, undetermined: vec![unread], ..Facts::default() }
}
