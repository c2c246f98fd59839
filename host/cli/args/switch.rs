//! `hookbox disable` and `hookbox enable`.

use std::time::Duration;

/// Which hooks.
#[derive(Debug, clap::Args)]
#[group(id = "which", required = true, multiple = true)]
pub(crate) struct SwitchArgs {
    /// The hook of this name: of the project around the current folder, else of your own file
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// In the project around the current folder only; without NAME: all hooks that it brings
    #[arg(long)]
    pub(crate) project: bool,
    /// All hooks that any project brings
    #[arg(long, conflicts_with_all = ["name", "project"])]
    pub(crate) all_projects: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox disable guard-shell --for 1h         # a hook of yours, for an hour
  hookbox disable guard-shell --project        # in the project here only
  hookbox disable slow-check                   # one hook of the project here
  hookbox disable --project --for 1h           # all hooks of the project here
  hookbox disable --all-projects

It must be said at a terminal, by a person. The administrator's hooks stay on.")]
pub(crate) struct DisableArgs {
    #[command(flatten)]
    pub(crate) what: SwitchArgs,
    /// For how long: `1h`, `2days`; until `hookbox enable` if not given
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Option<Duration>,
}
