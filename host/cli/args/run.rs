//! `hookbox run`.

use std::{ffi::OsString, iter, path::PathBuf, time::Duration};

use clap::Parser;

use hookbox_app::places::{self, NamedPlaces, NotAbsolute};

use super::{
    source::{OwnArgs, SourceArgs},
    trust::TrustHookArgs,
};

const RUN_EXAMPLES: &str = "\
Examples:
  hookbox run --agent claude-code < event.json
  echo '{\"event\":\"session.start\"}' | hookbox run --agent native
  hookbox run --agent claude-code --source .claude/settings.json < event.json
  hookbox run --agent claude-code --own < event.json
  hookbox run --agent claude-code --own --with-hookbox < event.json

The project is found from the event's working directory. Without --agent, the agent is determined
from the input.
Exit code: as the agent's protocol requires; for the native dialect 0, or 2 for a deny.";

/// The places of hookbox's files. Environment variables do not change them: a project may set variables for its agents.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Places")]
pub(crate) struct PlaceArgs {
    /// The home folder [default: from the user database]
    #[arg(long, value_name = "DIR", value_parser = parse_absolute_path)]
    pub(crate) home: Option<PathBuf>,
    /// The folder of `hookbox/hooks.toml` [default: ~/.config]
    #[arg(long, value_name = "DIR", value_parser = parse_absolute_path)]
    pub(crate) config_home: Option<PathBuf>,
    /// The folder for state [default: ~/.local/state]
    #[arg(long, value_name = "DIR", value_parser = parse_absolute_path)]
    pub(crate) state_home: Option<PathBuf>,
    /// The folder for compiled plugins [default: ~/.cache]
    #[arg(long, value_name = "DIR", value_parser = parse_absolute_path)]
    pub(crate) cache_home: Option<PathBuf>,
}

fn parse_absolute_path(path: &str) -> Result<PathBuf, NotAbsolute> {
    places::require_absolute(path)
}

impl From<&PlaceArgs> for NamedPlaces {
    fn from(args: &PlaceArgs) -> Self {
        let PlaceArgs { home, config_home, state_home, cache_home } = args.clone();
        Self { home, config: config_home, cache: cache_home, state: state_home }
    }
}

/// `hookbox run` alone.
#[derive(Debug, Parser)]
#[command(name = "hookbox run", bin_name = "hookbox run", version, max_term_width = 100, after_help = RUN_EXAMPLES)]
#[command(about = "Answer one event: event on standard input, the agent's own answer on standard output")]
struct RunCommand {
    #[command(flatten)]
    args: RunArgs,
}

impl RunArgs {
    /// Parses the words after `run`. Help and errors end the process.
    pub(super) fn of_words(words: impl Iterator<Item = OsString>) -> Self {
        RunCommand::parse_from(iter::once("hookbox run".into()).chain(words)).args
    }
}

#[derive(Debug, clap::Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    /// The agent that sends the event
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The agent's timeout for the hook, `5s` or `500ms` [default: the agent's own default]
    // Entries that an earlier build wrote have the old name.
    #[arg(long, alias = "patience", value_name = "DURATION", value_parser = humantime::parse_duration)]
    pub(crate) agent_timeout: Option<Duration>,
    /// Append the result of each hook to this file, as one JSON line
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Run only the plugins of a folder that `hookbox export` wrote
    #[arg(
        long,
        value_name = "DIR",
        value_parser = parse_absolute_path,
        requires = "agent",
        conflicts_with_all = ["config", "files", "usual"]
    )]
    pub(crate) bundle: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) trusted: TrustHookArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
}
