//! Files that a hook runs.

use std::path::{Path, PathBuf};

use crate::hook::{HookSpec, ShellCommand, Target};

/// Maximum number of words of a command, or of folders for modules, that are looked at.
const MAX_WORDS: usize = 64;

/// Returns the files that the hook may run: its component, its module, or the words of its command in each folder that could be theirs.
/// A file need not exist. `cwd` is the folder of the event.
pub(crate) fn program_files(spec: &HookSpec, cwd: &str) -> Vec<PathBuf> {
    match &spec.target {
        Target::Wasm(wasm) => vec![wasm.path.clone()],
        Target::Shell(shell) => {
            let words: Vec<&str> = match &shell.command {
                ShellCommand::Line(line) => line.split(is_separator).collect(),
                ShellCommand::Argv(words) => words.iter().map(String::as_str).collect(),
            };
            let configured_in = spec.origin.file.as_deref().and_then(Path::parent);
            let folders = [shell.cwd.as_deref(), configured_in, Some(Path::new(cwd))];
            let words = words.into_iter().filter(|word| !word.is_empty()).take(MAX_WORDS);
            // `join` with an absolute word is that word.
            words.flat_map(|word| folders.iter().flatten().map(move |folder| folder.join(word))).collect()
        }
        Target::Python(python) => {
            let module = format!("{}.py", python.module.replace('.', "/"));
            python.path.iter().take(MAX_WORDS).map(|folder| Path::new(folder).join(&module)).collect()
        }
        Target::Webhook(_) | Target::Callback => Vec::new(),
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || "'\"".contains(c)
}
