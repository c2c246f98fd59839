//! The command `setup`, and what it has in common with `install` and `doctor`.

use std::path::PathBuf;

use super::plugin::ConsentArgs;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox setup                             # shows the changes, asks once, writes and tests them
  hookbox setup --dry-run                   # writes nothing
  hookbox setup --agents claude-code,codex --yes
  hookbox setup --remove                    # removes the changes

Writes the guards into ~/.config/hookbox/hooks.toml and hookbox's entries into the settings of each
installed agent. The rest of these files is unchanged, and a second run changes nothing. Then each
agent's entry is tested: it is run with the event for `rm -rf /` and must deny; the command itself
is not run.
Exit code: 0 if every agent is protected, 1 if one is not, 2 if a question needs a terminal or the
command line is wrong.")]
pub(crate) struct SetupArgs {
    /// The agents, separated by commas [default: all that are installed]
    #[arg(long, value_name = "AGENTS", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) consent: ConsentArgs,
    /// Remove hookbox from the agents' settings, and unchanged guards from hooks.toml
    #[arg(long)]
    pub(crate) remove: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
}

/// Facts about the program's own folder.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct ProgramArgs {
    // hookbox's tests start the program where it was built, and that folder may be any: below the temp folder, or below one that
    // others may write to. Users should not need the option, since a disabled warning has no effect; so help,
    // manual and completions leave it out. It is an argument, neither a variable nor a key of a file, since a project can set those
    // two. No entry gets it.
    /// Treat this folder, and those above it, as writable only by you
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) assume_private: Option<PathBuf>,
}
