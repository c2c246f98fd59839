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
    about = "Run a command that is kept from what its profile does not give it"
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

The profile `project` is there without being written: it may write the project and temporary files, read the system and the usual
places of tools, and has no network. `[confine.NAME]` in your hooks.toml makes others, with the keys of a hook's `confine`.
Exit codes: the command's own; 125 if it cannot be confined, 126 if it cannot be run, 127 if it is not there.")]
pub(crate) struct ConfineArgs {
    /// The name of the profile
    #[arg(long, value_name = "NAME", default_value = "project")]
    pub(crate) profile: String,
    /// The project's folder [default: the project around the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
    /// The command and its arguments
    // From its first word on all is the command's; what has a hyphen before that is an option of ours, or wrong.
    #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
