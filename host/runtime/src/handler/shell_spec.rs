//! Checks the configuration of a shell hook, independent of its handler.

use std::fmt;

use crate::hook::{ShellCommand, ShellSpec};

/// Variables that are never passed on: they make a loader or a shell run other code. A name that ends in `_` is a
/// prefix.
pub(super) const DANGEROUS: [&str; 10] = [
    "LD_",
    "DYLD_",
    "BASH_ENV",
    // Defines functions that run in place of programs of the same name.
    "BASH_FUNC_",
    "ENV",
    "IFS",
    "SHELLOPTS",
    "BASHOPTS",
    // A tracing bash expands this text before each command, command substitutions included.
    "PS4",
    // Can make the first allocation of a program fail.
    "GLIBC_TUNABLES",
];

/// Error in the configuration of a shell hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShellSpecError {
    /// The command is empty.
    EmptyCommand,
    /// The command or one of its arguments has a NUL.
    NulInCommand,
    /// Not a valid name of a variable.
    BadVariable(String),
    /// This variable is never passed on.
    DangerousVariable(String),
}

impl fmt::Display for ShellSpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyCommand => f.write_str("the command is empty: name a program to run"),
            Self::NulInCommand => {
                f.write_str("the command holds a NUL character, which no program can be given")
            }
            Self::BadVariable(name) => {
                write!(f, "{name:?} is not a variable name: use letters, digits and `_`")
            }
            Self::DangerousVariable(name) => write!(
                f,
                "`{name}` is never passed on to a hook, since it changes which code programs run: remove it from `env`"
            ),
        }
    }
}

impl std::error::Error for ShellSpecError {}

/// Checks that a hook can be created from `spec`. Returns an error for an empty command, for a NUL in one, and for a
/// variable that changes how programs are loaded or how a shell reads its input.
pub(crate) fn check_shell(spec: &ShellSpec) -> Result<(), ShellSpecError> {
    check_command(&spec.command)?;
    check_names(&spec.env)
}

pub(super) fn check_command(command: &ShellCommand) -> Result<(), ShellSpecError> {
    let words = match command {
        ShellCommand::Line(line) => std::slice::from_ref(line),
        ShellCommand::Argv(words) => words,
    };
    if words.first().is_none_or(|word| word.trim().is_empty()) {
        return Err(ShellSpecError::EmptyCommand);
    }
    if words.iter().any(|word| word.contains('\0')) { Err(ShellSpecError::NulInCommand) } else { Ok(()) }
}

pub(super) fn check_names(variables: &[String]) -> Result<(), ShellSpecError> {
    variables.iter().try_for_each(|name| check_name(name))
}

fn check_name(name: &str) -> Result<(), ShellSpecError> {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.bytes().all(word) {
        return Err(ShellSpecError::BadVariable(name.to_owned()));
    }
    if is_in(&DANGEROUS, name) { Err(ShellSpecError::DangerousVariable(name.to_owned())) } else { Ok(()) }
}

/// Returns true if the name is in the list, where names that end in `_` are prefixes.
pub(super) fn is_in(list: &[&str], name: &str) -> bool {
    list.iter().any(|entry| name == *entry || (entry.ends_with('_') && name.starts_with(entry)))
}
