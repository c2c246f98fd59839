//! The commands that look and change nothing: `check`, `list`, `explain`, `doctor`, `dialects`.

use std::path::PathBuf;

use super::{
    setup::ProgramArgs,
    source::{OwnArgs, SourceArgs},
    trust::TrustHookArgs,
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox check                     # the user's file and that of the project here
  hookbox check --config new.toml   # and one more
  hookbox check --agent run-claude --source ~/.config/run-claude/hooks.yaml
  hookbox check --bundle ~/.claude/plugins/cache/acme

Exit code: 0 if all is well (warnings included), 1 if anything is wrong.")]
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

Wasm hooks are called if that has no effect outside the sandbox. Shell hooks, webhooks, and those with http, fs.write or kv
are only called with --call-all.")]
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
    /// Also call shell hooks and webhooks
    #[arg(long)]
    pub(crate) call_all: bool,
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
Each agent on this machine is looked at: what its settings say of hookbox, what could keep it from
asking, and what it is answered about a recorded `rm -rf /`, which nothing runs.

Exit code: 0 if everything is in order, 1 if something is wrong: an agent that is here asks nothing,
no hook could stop anything, a file is broken. What is odd may be meant.")]
pub(crate) struct DoctorArgs {
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

An event marked `unsure` is known at second hand only.")]
pub(crate) struct DialectsArgs {
    /// The agent [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
