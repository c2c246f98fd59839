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
    /// The agent whose own hook file is checked
    #[arg(long, value_name = "NAME", requires = "files")]
    pub(crate) agent: Option<String>,
    /// The project's folder; the current one if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The plugins of a folder that `hookbox export` made, and nothing else
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
  hookbox list --agent run-claude --source ~/.config/run-claude/hooks.yaml")]
pub(crate) struct ListArgs {
    /// The agent whose own hook file is listed
    #[arg(long, value_name = "NAME", requires = "files")]
    pub(crate) agent: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The project's folder; the current one if not given
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
    /// The event; standard input if not given
    #[arg(value_name = "FILE")]
    pub(crate) event: Option<PathBuf>,
    /// A shell's command line in place of an event: what if an agent ran it here? With --agent as that agent tells it
    #[arg(long, value_name = "LINE", conflicts_with = "event", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,
    /// The agent whose dialect is spoken
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Call shell hooks and webhooks too
    #[arg(long)]
    pub(crate) call_all: bool,
    /// Run the hooks this often in one process, and show what a later call costs
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
    /// The project's folder; the current one if not given
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
    /// The dialect; all if not given
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
