//! Programs whose output is made for `eval`: `eval "$(ssh-agent -s)"`.

use crate::{arg::Arg, call::Call, scope::Scope};

/// Programs, and the first argument with which they print settings for a shell; without one, whatever the arguments.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("brew", &["shellenv"]),
    ("conda", &["shell.bash", "shell.posix", "shell.zsh"]),
    ("direnv", &["export", "hook"]),
    ("fnm", &["env"]),
    ("mise", &["activate", "env", "hook-env"]),
    ("nodenv", &["init"]),
    ("opam", &["env"]),
    ("pyenv", &["init", "virtualenv-init"]),
    ("rbenv", &["init"]),
    ("ssh-agent", &[]),
    ("starship", &["init"]),
    ("zoxide", &["init"]),
];
/// Folders that such a program may be named in.
const FOLDERS: &[&str] =
    &["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];

/// Whether a command prints such settings, and is a program that this command line has not written.
pub(super) fn is_printed(call: &Call, scope: &Scope) -> bool {
    let Some(path) = call.words.first().and_then(Arg::literal) else { return false };
    let (folder, name) = path.rsplit_once('/').map_or((None, path), |(folder, name)| (Some(folder), name));
    let known = PROGRAMS.iter().find(|(program, _)| *program == name);
    let Some((_, subcommands)) = known else { return false };
    let asked = subcommands.is_empty()
        || call.args().first().and_then(Arg::literal).is_some_and(|first| subcommands.contains(&first));
    let written = scope.files.keys().any(|file| file.rsplit('/').next() == Some(name));
    asked
        && !written
        && folder.is_none_or(|folder| FOLDERS.contains(&folder))
        && call.args().iter().all(|arg| arg.literal().is_some())
}
