//! `hookbox confine`.

use std::{ffi::OsString, path::PathBuf};

use super::run::PlaceArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox confine -- npm test
  hookbox confine --profile tests -- sh -c 'make check'

The profile `project` is there without being written: it may write the project and temporary files, read the system and the usual
places of tools, and has no network. `[confine.NAME]` in your hooks.toml makes others, with the keys of a hook's `confine`.
Exit codes: the command's own; 125 if it cannot be confined, 126 if it cannot be run, 127 if it is not there.")]
pub(crate) struct ConfineArgs {
    /// The profile
    #[arg(long, value_name = "NAME", default_value = "project")]
    pub(crate) profile: String,
    /// The project's folder; found from the current folder if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}
