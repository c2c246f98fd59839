//! `hookbox confine`.

use std::{ffi::OsString, iter, path::PathBuf};

use clap::Parser;

use super::run::PlaceArgs;

/// `hookbox confine` alone.
#[derive(Debug, Parser)]
#[command(
    name = "hookbox confine",
    bin_name = "hookbox confine",
    max_term_width = 100,
    about = "Run a command confined to a profile"
)]
struct ConfineCommand {
    #[command(flatten)]
    args: ConfineArgs,
}

impl ConfineArgs {
    /// Parses the words after `confine`. Help and errors end the process.
    pub(super) fn of_words(words: impl Iterator<Item = OsString>) -> Self {
        ConfineCommand::parse_from(iter::once("hookbox confine".into()).chain(words)).args
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox confine -- npm test
  hookbox confine --profile tests -- sh -c 'make check'

The built-in profile `project` allows writing to the project and to temporary files, allows reading
the system and the usual folders of tools, and denies the network. `[confine.NAME]` in your
hooks.toml defines a profile, with the keys of a hook's `confine`.
Exit codes: the command's own; 125 if it cannot be confined, 126 if it cannot be run, 127 if it is
not found.")]
pub(crate) struct ConfineArgs {
    /// Name of the profile
    #[arg(long, value_name = "NAME", default_value = "project")]
    pub(crate) profile: String,
    /// The project's folder [default: the project around the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
    /// The command and its arguments
    // All words after the first one belong to the command; options of hookbox are before it.
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
