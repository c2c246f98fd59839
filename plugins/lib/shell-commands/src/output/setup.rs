//! Programs whose output is made for `eval`: `eval "$(ssh-agent -s)"`.

use super::READERS;
use crate::{arg::Arg, call::Call, scope::Scope, wrapper::is_interpreter};

/// Programs that print settings whatever their arguments are.
const PROGRAMS: &[&str] = &["dircolors", "gpg-agent", "keychain", "lesspipe", "ssh-agent"];
/// Arguments that make a program print settings for a shell, or completions.
const VERBS: &[&str] = &[
    "--eval",
    "--generate-shell-completion",
    "--print-completion",
    "--shell-completion",
    "activate",
    "completion",
    "completions",
    "docker-env",
    "env",
    "export",
    "generate-completion",
    "generate-shell-completion",
    "hook",
    "hook-env",
    "init",
    "shell-completion",
    "shell-init",
    "shell.bash",
    "shell.posix",
    "shell.zsh",
    "shellenv",
    "virtualenv-init",
];
/// Programs that print their arguments, or run them.
const PRINTERS: &[&str] = &["awk", "env", "gawk", "jq", "mawk", "sed", "yq"];

/// Folders that such a program may be named in.
const FOLDERS: &[&str] =
    &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];

/// Returns true if a command prints such settings, and its program was not written by this command line: a program
/// could do itself whatever it prints.
pub(super) fn is_printed(call: &Call, scope: &Scope) -> bool {
    let Some(path) = call.words.first().and_then(Arg::literal) else { return false };
    let (folder, name) = path.rsplit_once('/').map_or((None, path), |(folder, name)| (Some(folder), name));
    let has_verb = call.args().iter().take(3).any(|arg| VERBS.contains(&arg.as_str()));
    let written = scope.files.keys().any(|file| file.rsplit('/').next() == Some(name));
    let plain = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=@+,".contains(c));
    let prints = PRINTERS.contains(&name) || READERS.contains(&name) || is_interpreter(name);
    (has_verb || PROGRAMS.contains(&name))
        && !prints
        && !written
        && folder.is_none_or(|folder| FOLDERS.contains(&folder))
        && call.args().iter().all(|arg| arg.literal().is_some_and(plain))
}
