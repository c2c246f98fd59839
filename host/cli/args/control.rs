//! `hookbox control`.

use super::{run::PlaceArgs, source::SourceArgs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox control < from-claude-code > to-claude-code

A message is a line of JSON of at most 32 MiB. The end of standard input ends everything, and so does a signal: hooks
under way are ended, too. Errors are printed on standard error.

Exit code: 0 at the end of the input; 1 if Claude Code took no hooks, if it could not be written to, or after a signal.")]
pub(crate) struct ControlArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
}
