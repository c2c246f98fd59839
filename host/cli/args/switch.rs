//! `hookbox disable` and `hookbox enable`.

use std::time::Duration;

/// Which hooks of projects.
#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = false)]
pub(crate) struct SwitchArgs {
    /// The hook of this name, of the project around the current folder
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// All hooks of the project around the current folder
    #[arg(long)]
    pub(crate) project: bool,
    /// All hooks of all projects
    #[arg(long)]
    pub(crate) all_projects: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox disable slow-check            # one hook of the project here
  hookbox disable --project --for 1h    # all of its hooks, for an hour
  hookbox disable --all-projects

Hooks of your own are switched off by `enabled = false` in their entries. It must be said at a terminal.")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    pub(crate) what: SwitchArgs,
    /// For how long: `1h`, `2days`; until `hookbox enable` if not given
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Option<Duration>,
}
