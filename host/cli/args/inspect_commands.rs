//! Commands that change nothing: `check`, `list`, `explain`, `doctor`, `dialects`.

use std::path::PathBuf;

use super::{
    setup::ProgramArgs,
    source::{OwnArgs, SourceArgs},
    trust::TrustHookArgs,
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox check                     # the user's file and the current project's
  hookbox check --config new.toml   # and an additional file
  hookbox check --agent run-claude --source ~/.config/run-claude/hooks.yaml
  hookbox check --bundle ~/.claude/plugins/cache/acme

Exit code: 0 if no error was found (warnings are allowed), otherwise 1.")]
pub(crate) struct CheckArgs {
    /// Check this agent's own hook file
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    pub(crate) agent: Option<String>,
    /// The project's folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// Check only the plugins of a folder that `hookbox export` wrote
    #[arg(long, value_name = "DIR", conflicts_with_all = ["agent", "config", "files"])]
    pub(crate) bundle: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) trusted: TrustHookArgs,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox list
  hookbox list --agent code-forge
  hookbox list --agent run-claude --source ~/.config/run-claude/hooks.yaml")]
pub(crate) struct ListArgs {
    /// List this agent's own hook file
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    pub(crate) agent: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The project's folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox explain --command 'rm -rf build'
  hookbox explain < event.json
  hookbox explain --agent claude-code --json event.json

Wasm hooks are called if the call has no effect outside the sandbox. Shell hooks, webhooks, and wasm
hooks with http, fs.write or kv are called only with --call-all.")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command")]
pub(crate) struct ExplainArgs {
    /// A file with the event [default: standard input]
    #[arg(value_name = "FILE")]
    pub(crate) event: Option<PathBuf>,
    /// A shell command in place of an event; with --agent, as an event of that agent
    #[arg(long, value_name = "LINE", conflicts_with = "event", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,
    /// The agent that sent the event
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Also print the costs, and the answer in the agent's format
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Also call shell hooks and webhooks
    #[arg(long)]
    pub(crate) call_all: bool,
    /// Show the facts about the command line that hooks get
    #[arg(long)]
    pub(crate) facts: bool,
    /// Run the hooks this many times in one process, and show the cost of a later call
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000), hide_default_value = true)]
    pub(crate) calls: u32,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Checks each agent on this machine: hookbox's entries in its settings, obstacles that keep the agent
from calling hookbox, and the answer to a recorded `rm -rf /`, which is not run.

Exit code: 0 if nothing is wrong, 1 if an installed agent does not call hookbox, no hook can block
anything, or a file is broken. A result marked `odd` may be intended.")]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The project's folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) program: ProgramArgs,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox dialects
  hookbox dialects claude-code --json

An event marked `unsure` is taken from secondary sources and not verified.")]
pub(crate) struct DialectsArgs {
    /// The agent [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
