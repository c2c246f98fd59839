//! Changes of the files that a hook runs, after which a tripped hook is called again.

use std::path::{Path, PathBuf};

use hookbox_model::Tier;
use hookbox_platform::file::{FileKind, FileStatus};

use crate::hook::{HookSpec, ShellCommand, Target};

/// Maximum number of words of a command that are checked.
const MOST_WORDS: usize = 64;

/// Returns true if a file that the hook runs has changed since this time, in milliseconds since the Unix epoch. An untrusted hook could
/// change its own file whenever it failed, so for those it is always false.
pub(super) fn has_changed(spec: &HookSpec, cwd: &str, since: u64) -> bool {
    if spec.origin.tier == Tier::Unknown {
        return false;
    }
    let named = spec.origin.file.as_deref().and_then(Path::parent);
    let files: Vec<PathBuf> = match &spec.target {
        Target::Wasm(wasm) => vec![wasm.path.clone()],
        Target::Shell(shell) => {
            let words: Vec<&str> = match &shell.command {
                ShellCommand::Line(line) => line.split(is_no_part_of_a_word).collect(),
                ShellCommand::Argv(words) => words.iter().map(String::as_str).collect(),
            };
            let folders = [shell.cwd.as_deref(), named, Some(Path::new(cwd))];
            let words = words.into_iter().filter(|word| !word.is_empty()).take(MOST_WORDS);
            words.flat_map(|word| folders.iter().flatten().map(move |folder| folder.join(word))).collect()
        }
        Target::Python(python) => {
            let module = format!("{}.py", python.module.replace('.', "/"));
            python.path.iter().take(MOST_WORDS).map(|folder| Path::new(folder).join(&module)).collect()
        }
        Target::Webhook(_) | Target::Callback => Vec::new(),
    };
    files.iter().filter_map(|file| changed(file)).any(|changed| changed >= since)
}

fn is_no_part_of_a_word(c: char) -> bool {
    c.is_whitespace() || "'\"".contains(c)
}

/// When anything about a file changed, in milliseconds since the Unix epoch.
fn changed(file: &Path) -> Option<u64> {
    let (seconds, nanos) = FileStatus::at(file).ok().filter(|file| file.kind == FileKind::Plain)?.changed;
    u64::try_from(seconds.saturating_mul(1000).saturating_add(nanos / 1_000_000)).ok()
}
