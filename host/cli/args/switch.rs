//! `hookbox disable` and `hookbox enable`.

use std::time::Duration;

/// A selection of hooks.
#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = true)]
pub(crate) struct SwitchArgs {
    /// Name of a hook in the current project or in your own file
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Only in the project around the current folder; without NAME, all its hooks
    #[arg(long)]
    pub(crate) here: bool,
    /// All hooks of all projects
    #[arg(long, conflicts_with_all = ["name", "here"])]
    pub(crate) all_projects: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox disable guard-shell --for 1h         # a hook of yours, for an hour
  hookbox disable guard-shell --here           # only in the current project
  hookbox disable slow-check                   # one hook of the current project
  hookbox disable --here --for 1h              # all hooks of the current project
  hookbox disable --all-projects

The user must run this command at a terminal. The administrator's hooks stay enabled.")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    pub(crate) what: SwitchArgs,
    /// Duration, such as `1h` or `2days` [default: until `hookbox enable`]
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Option<Duration>,
}
