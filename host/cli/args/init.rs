//! `hookbox init`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox init

Writes .hookbox/hooks.toml of the project, with a comment for each key and no hook. An existing file
is never replaced.
Exit code: 0 if the file was written, 1 if it exists or cannot be written, 2 if the folder is not a project.")]
pub(crate) struct InitArgs {
    /// The project's folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
}
