//! `hookbox status`.

use std::path::PathBuf;

use super::setup::ProgramArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox status
  hookbox status --json

Shows on one screen the agents, the hooks in force, the calls stopped in the last 24 hours by rule,
the hooks that wait for trust, the last event of each agent, and the next steps. It reads files
alone; `hookbox doctor` tests the installation.
Exit code: 0 whatever the status is, 2 if the command line is wrong.")]
pub(crate) struct StatusArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The project's folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
}
