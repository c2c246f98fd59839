//! `hookbox try`.

use std::path::PathBuf;

use super::source::{OwnArgs, SourceArgs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox try tool.before --command 'rm -rf /'
  hookbox try PreToolUse --agent claude-code --tool Read --path ~/.ssh/id_ed25519
  hookbox try tool.after --tool Bash --command ls --output 'README.md'
  hookbox try prompt.submit --prompt 'Delete everything' --json
  hookbox try task.created --agent claude-code --set task_id=t-7
  hookbox try tool.before --agent gemini-cli --command ls --print | hookbox run --agent gemini-cli

An error names the option for each missing member of the event. Wasm hooks are called if the call
has no effect outside the sandbox. Shell hooks, webhooks, and wasm hooks with http, fs.write or kv
are called only with --call-all. Nothing is logged or counted.
Exit code: 0 if the hooks received the event, whatever they answer; 1 if they cannot be called; 2 if
the event is unknown.")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct TryArgs {
    /// A canonical event (`tool.before`, `custom:deploy`), or with --agent an event of that agent (`PreToolUse`)
    #[arg(value_name = "EVENT")]
    pub(crate) event: String,
    /// The agent whose format the event has [default: hookbox's own]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The agent's name of the tool [default for --command: the agent's shell]
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Option<String>,
    /// A shell command
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,
    /// The file that the tool reads or writes
    #[arg(long, value_name = "FILE")]
    pub(crate) path: Option<String>,
    /// The tool's arguments, a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) input: Option<String>,
    /// The tool's result, JSON or text
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) output: Option<String>,
    /// The user's prompt
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: Option<String>,
    /// An additional member, with dots for nested objects; the value is JSON or text; repeatable
    #[arg(long, value_name = "MEMBER=VALUE")]
    pub(crate) set: Vec<String>,
    /// The session id
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The event's folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Print the event in the agent's format without running hooks
    #[arg(long, conflicts_with_all = ["json", "call_all"])]
    pub(crate) print: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Also print the costs, and the answer in the agent's format
    #[arg(long)]
    pub(crate) verbose: bool,
    /// Also call shell hooks and webhooks
    #[arg(long)]
    pub(crate) call_all: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) own: OwnArgs,
}
