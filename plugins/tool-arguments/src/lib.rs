//! What the arguments of a tool that no table knows may mean: an MCP server's may run commands, or read and write files.
//!
//! The guards judge what is found here as they judge a shell's commands and a file tool's files. Names of arguments and the form of
//! their values tell; a tool's name, and that it is told no more, tell whether it only reads.

mod asked;
mod command;
mod embedded;
mod folder;
mod name;
mod patch;
mod path;
mod reader;
mod typed;

pub use command::Command;
pub use name::reads;
pub use typed::typed;

use reader::{Bounds, Reader};

/// What was found among the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What may be run.
    pub commands: Vec<Command>,
    /// What may be files, as it is written, and below each folder that is named beside it.
    pub paths: Vec<String>,
    /// What may be files for who wants to miss none: names below folders, patterns, and files of a patch that may be a text.
    pub maybe_paths: Vec<String>,
    /// Files that an option, a statement or code names within a text: a tool may write them, whatever it is called.
    pub embedded_paths: Vec<String>,
    /// The folders that commands are said to run in, as they are written.
    pub run_in: Vec<String>,
    /// Folders that are named, and in which they may run.
    pub may_run_in: Vec<String>,
    /// The name of the tool itself, if it is an argument of one that calls others.
    pub tool: Option<String>,
    /// Whether there was more than could be looked at.
    pub is_cut: bool,
    /// Whether something is told that a tool need not know which only reads.
    says_more: bool,
    /// Whether something is told that a language's server may change files for.
    has_effect: bool,
    /// Whether a file is named, and where something else comes from.
    has_path: bool,
    has_address: bool,
}

/// The path on this machine that a URL is: `file:///path`. Nothing if it is none.
pub fn local_path(url: &str) -> Option<String> {
    path::of_url(url)
}

/// Whether a text is one of the forms in which changes of files are written.
pub fn is_patch(text: &str) -> bool {
    !patch::files(text, 1).is_empty()
}

/// Looks through the arguments of a call, a JSON object, as far as a plugin may.
pub fn read(tool: &str, input: &str) -> Found {
    Reader::new(tool, Bounds::PLUGIN).read(input)
}

/// Looks through all that an agent may tell a tool.
pub fn read_whole(tool: &str, input: &str) -> Found {
    Reader::new(tool, Bounds::HOST).read(input)
}

impl Found {
    /// Whether a tool of this name does no more than read, when it is told this. It may run a command none the less.
    pub fn only_reads(&self, tool: &str) -> bool {
        if self.is_cut {
            return false;
        }
        if name::is_language_server(tool) {
            return !self.has_effect;
        }
        // Any call may have an argument that is called so.
        let called = self.tool.as_deref().filter(|_| name::calls_another(tool)).unwrap_or(tool);
        let downloads = self.has_path && self.has_address;
        name::reads(called) && !self.says_more && !downloads
    }

    /// The folders in which commands may run, for an agent that works in this one.
    pub fn folders(&self, cwd: &str) -> Vec<String> {
        let full = |folder: &String| {
            if folder.starts_with(['/', '~']) { folder.clone() } else { format!("{cwd}/{folder}") }
        };
        if self.run_in.is_empty() {
            return [cwd.to_owned()].into_iter().chain(self.may_run_in.iter().map(full)).collect();
        }
        self.run_in.iter().map(full).collect()
    }
}
