//! What the arguments of a tool that no table knows may mean: an MCP server's may run commands, or read and write files.
//!
//! The guards judge what is found here as they judge a shell's commands and a file tool's files. Names of arguments and the form of
//! their values tell; a tool's name tells whether it only reads.

mod command;
mod name;
mod patch;
mod path;

use serde_json::Value;

pub use command::Command;
pub use name::only_reads;

/// How deep values may stand in lists, objects and texts of each other.
const MAX_DEPTH: usize = 16;
/// How many values are looked at.
const MAX_VALUES: usize = 4096;

/// What was found among the arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What may be run.
    pub commands: Vec<Command>,
    /// What may be files, as it is written, and below each folder that is named beside it.
    pub paths: Vec<String>,
    /// The folder that commands run in, as it is written.
    pub folder: Option<String>,
    /// The name of the tool itself, if it is an argument of one that calls others.
    pub tool: Option<String>,
    /// Whether there was more than could be looked at.
    pub is_cut: bool,
    values: usize,
}

/// The path on this machine that a URL is: `file:///path`. Nothing if it is none.
pub fn local_path(url: &str) -> Option<String> {
    path::of_url(url)
}

/// Whether a text is one of the forms in which changes of files are written.
pub fn is_patch(text: &str) -> bool {
    !patch::files(text).is_empty()
}

/// Looks through the arguments of a call: a JSON object.
pub fn read(input: &str) -> Found {
    let mut found = Found::default();
    if let Ok(value) = serde_json::from_str(input) {
        found.value("", &value, 0);
    }
    found.join_folders();
    found
}

impl Found {
    fn value(&mut self, key: &str, value: &Value, depth: usize) {
        self.values += 1;
        self.is_cut |= self.values > MAX_VALUES || depth > MAX_DEPTH;
        if self.is_cut {
            return;
        }
        match value {
            Value::String(text) => self.text(key, text, depth),
            Value::Array(items) => {
                self.commands.extend(command::of_words(key, items));
                for item in items {
                    self.value(key, item, depth + 1);
                }
            }
            Value::Object(members) => {
                self.commands.extend(command::of_program(members));
                for (member, value) in members {
                    self.paths.extend(path::of_member(key, member));
                    self.value(&name::folded(member), value, depth + 1);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// A text is what it says, unless it is JSON: agents hand arguments on as text.
    fn text(&mut self, key: &str, text: &str, depth: usize) {
        // What is written into a file may be JSON, too.
        if !path::is_text(key)
            && text.trim_start().starts_with(['[', '{'])
            && let Ok(value @ (Value::Array(_) | Value::Object(_))) = serde_json::from_str(text)
        {
            self.value(key, &value, depth + 1);
        }
        self.commands.extend(command::of_text(key, text));
        self.paths.extend(path::of_text(key, text));
        if !path::is_text(key) {
            self.paths.extend(patch::files(text));
        }
        if key == "toolname" {
            self.tool = Some(text.to_owned());
        }
        if self.folder.is_none() && command::is_folder(key) {
            self.folder = Some(text.to_owned());
        }
    }

    /// A file may be told by a folder and what is below it.
    fn join_folders(&mut self) {
        let folders: Vec<String> =
            self.paths.iter().filter(|path| !path.is_empty()).take(8).cloned().collect();
        let below = |folder: &String| {
            let paths =
                self.paths.iter().filter(|path| *path != folder && !path.starts_with(['/', '~'])).take(64);
            paths.map(|path| format!("{folder}/{path}")).collect::<Vec<_>>()
        };
        let joined: Vec<String> = folders.iter().flat_map(below).collect();
        self.paths.extend(joined);
    }
}
