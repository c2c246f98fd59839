//! `hookbox control`.

use super::{run::PlaceArgs, source::SourceArgs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox control < from-claude-code > to-claude-code

A message is a line of JSON of at most 32 MiB. The command exits at the end of standard input or
after a signal, and stops running hooks. Errors are printed to standard error.

Exit code: 0 at the end of the input; 1 if Claude Code rejected the hooks, if the output failed, or
after a signal.")]
pub(crate) struct ControlArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
}
