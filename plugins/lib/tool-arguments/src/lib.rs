//! Reader for the arguments of tools that no table lists: a tool of an MCP server may run commands, or read and write
//! files.
//!
//! The guards judge the commands and paths found here like a shell's commands and a file tool's files. They are found
//! by names of arguments and the form of their values; a tool only reads if its name states that and its arguments
//! contain nothing more.

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

/// Commands, paths and folders found among the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Found {
    /// Commands that the call may run.
    pub commands: Vec<Command>,
    /// Possible files, as written, and below each folder that is named next to them.
    pub paths: Vec<String>,
    /// Less likely files, for callers that must not miss one: names below folders, patterns, and files of a patch that
    /// may be a text.
    pub maybe_paths: Vec<String>,
    /// Files that an option, a statement or code names within a text: a tool may write them, whatever it is called.
    pub embedded_paths: Vec<String>,
    /// The folders that commands are said to run in, as they are written.
    pub run_in: Vec<String>,
    /// Folders that are named, and in which they may run.
    pub may_run_in: Vec<String>,
    /// The name of the tool itself, if it is an argument of one that calls others.
    pub tool: Option<String>,
    /// True if there were more values than the bounds allow to examine.
    pub is_cut: bool,
    /// True if the arguments contain something that a tool which only reads does not need.
    has_more: bool,
    /// True if the arguments contain an operation for which a language server may change files.
    has_effect: bool,
    /// True if a file is named.
    has_path: bool,
    /// True if an address on another machine is named.
    has_address: bool,
}

/// Returns the path on this machine that a URL names (`file:///path`), or `None`.
pub fn local_path(url: &str) -> Option<String> {
    path::of_url(url)
}

/// Returns true if a text has one of the formats for changes of files.
pub fn is_patch(text: &str) -> bool {
    !patch::files(text, 1).is_empty()
}

/// Reads the arguments of a call, a JSON object, within the bounds of a plugin.
pub fn read(tool: &str, input: &str) -> Found {
    Reader::new(tool, Bounds::PLUGIN).read(input)
}

/// Looks through all that an agent may tell a tool.
pub fn read_whole(tool: &str, input: &str) -> Found {
    Reader::new(tool, Bounds::HOST).read(input)
}

impl Found {
    /// Returns true if a tool of this name only reads when it is passed these arguments. It may run a command
    /// nevertheless.
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
        name::reads(called) && !self.has_more && !downloads
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
