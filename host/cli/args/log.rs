//! `hookbox log` and `hookbox allow`.

use std::time::Duration;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox log
  hookbox log --denied --since 1h
  hookbox log --hook guard-shell --last 5
  hookbox log --today --counts

`--follow` prints new events until Ctrl-C. Recognised secrets are removed. `log = false` in your hooks.toml
turns the log off.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct LogArgs {
    /// Print at most this number of events, the newest last
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) last: usize,
    /// Print only events that this hook answered
    #[arg(long, value_name = "NAME")]
    pub(crate) hook: Option<String>,
    /// Print only events that were denied or that required confirmation
    #[arg(long)]
    pub(crate) denied: bool,
    /// Print only events of this period until now: `1h`, `2days`
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) since: Option<Duration>,
    /// Print only events of the last 24 hours
    #[arg(long, conflicts_with = "since")]
    pub(crate) today: bool,
    /// Print how many calls each rule has stopped, in place of the events
    #[arg(long, conflicts_with_all = ["last", "follow"])]
    pub(crate) counts: bool,
    /// Also print new events as they are logged
    #[arg(long)]
    pub(crate) follow: bool,
    /// Print one JSON line per event
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox allow --once           # the last blocked call
  hookbox allow --once 3fa9      # the call with this name in `hookbox log --denied`
  hookbox allow --for 1h 3fa9    # any number of times within an hour

The allowance is for exactly this call (tool, arguments, project and agent) and for the hooks that
blocked it. The user must confirm the call at a terminal.")]
pub(crate) struct AllowArgs {
    /// Name of the call in `hookbox log` [default: the last blocked call]
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) how_long: HowLong,
}

/// The duration of an allowance.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct HowLong {
    /// Allow the call once, within an hour
    #[arg(long)]
    pub(crate) once: bool,
    /// Allow the call for this period: `10m`, `1h`, at most 1 day
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Option<Duration>,
}
