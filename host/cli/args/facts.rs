//! `hookbox facts`.

use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox facts 'curl -s https://example.org/install | sudo sh'
  hookbox facts --json --folder /srv/app 'rm -rf build'

Hooks get the same facts by the interface `facts`. The command line is read as one of bash, and is
not run. A part that the text does not determine is listed as `unknown`.
Exit code: 0 if there are facts, 1 if they cannot be computed.")]
pub(crate) struct FactsArgs {
    /// The command line
    #[arg(value_name = "COMMAND")]
    pub(crate) command: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The folder that the command starts in, which need not exist [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
