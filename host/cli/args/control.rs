//! `hookbox control`.

use super::{run::PlaceArgs, source::SourceArgs};

#[derive(Debug, clap::Args)]
#[command(
    long_about = "Speak the Agent SDK's control protocol: Claude Code's side of it on standard input, the hooks' on standard output\n\
                  \n\
                  Registers a callback for each event that the SDK has, and answers each call by the user's hooks, as \
                  `hookbox run` would. What is about no hook (user messages, permission requests, MCP) is not this \
                  program's: such requests are answered with an error, so a program that has them, too, keeps the \
                  protocol and asks the library."
)]
#[command(after_help = "\
Example:
  hookbox control < from-claude-code > to-claude-code

A message is a line of JSON of at most 32 MiB. Its end is the end of standard input; a signal ends it, too, and with it the
hooks under way. What goes wrong is told on standard error.
Exit code: 0 at the end of the stream, 1 if Claude Code did not take the hooks, could not be written to, or a signal came.")]
pub(crate) struct ControlArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
}
