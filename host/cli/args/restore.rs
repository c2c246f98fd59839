//! `hookbox restore`.

use super::plugin::ConsentArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox restore               # shows each change, and asks whether to undo it
  hookbox restore --dry-run     # shows the changes
  hookbox restore --accept      # shows each change, and asks whether to keep it

For hookbox's configuration, decisions and plugins, and its entries in agents' settings: the state
to return to is that after your last `hookbox` command that changed the file. After you have edited
hooks.toml yourself, `--accept` makes your text that state. The user must run `--accept` at a terminal.
Exit code: 0 if no change is left, 1 if one is, 2 if a question needs a terminal.")]
pub(crate) struct RestoreArgs {
    /// Keep the changes: the present files become the state to return to
    #[arg(long)]
    pub(crate) accept: bool,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
}
