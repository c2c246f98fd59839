//! `hookbox log` and `hookbox allow`.

use std::time::Duration;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox log
  hookbox log --denied --since 1h
  hookbox log --hook guard-shell --last 5

Secrets are taken out as far as they can be told. `log = false` in your hooks.toml keeps nothing.")]
pub(crate) struct LogArgs {
    /// How many events at most, the newest last
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) last: usize,
    /// Only those about which this hook said something
    #[arg(long, value_name = "NAME")]
    pub(crate) hook: Option<String>,
    /// Only those that were denied, or asked about
    #[arg(long)]
    pub(crate) denied: bool,
    /// Only those of this time: `1h`, `2days`
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) since: Option<Duration>,
    /// As JSON, a line for each
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox allow --once           # what was stopped last
  hookbox allow --once 3fa9      # this one, as `hookbox log --denied` names it
  hookbox allow --for 1h 3fa9    # as often as it comes within an hour

It holds for exactly this call (tool, arguments, project and agent) and for the hooks that stopped it. It must be said at a
terminal, by a person, who is shown the call and asked.")]
pub(crate) struct AllowArgs {
    /// Which call: its name in `hookbox log`; the one that was stopped last if not given
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    #[command(flatten)]
    pub(crate) how_long: HowLong,
}

/// For how long a call is allowed.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct HowLong {
    /// One time, within an hour
    #[arg(long)]
    pub(crate) once: bool,
    /// As often as it comes in this time: `10m`, `1h`; 1 day at most
    #[arg(long = "for", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) lasts: Option<Duration>,
}
