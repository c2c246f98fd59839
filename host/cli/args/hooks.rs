//! `hookbox hooks`.

use clap::Subcommand;

#[derive(Debug, clap::Args)]
pub(crate) struct HooksArgs {
    #[command(subcommand)]
    pub(crate) command: HooksCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// List the hooks of the file, in their order
    List(HookListArgs),
    /// Add a hook behind the others
    Add(HookAddArgs),
    /// Remove all hooks of exactly this pattern
    Remove(HookRemoveArgs),
    /// Remove all hooks
    Clear(HookFileArgs),
}

/// Which hook file.
#[derive(Debug, clap::Args)]
pub(crate) struct HookFileArgs {
    /// The agent: code-forge
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// The file of the project around the current folder; the user's if not given
    #[arg(long)]
    pub(crate) project: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox hooks list --agent code-forge --project")]
pub(crate) struct HookListArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox hooks add --agent code-forge session:start 'notify-send Code-Forge'
  hookbox hooks add --agent code-forge --project --timeout 30 'tool:post_execute:write' 'git add -A'

The rest of the file stays; it is laid out as Code-Forge does.")]
pub(crate) struct HookAddArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// Which events it is for: `tool:pre_execute:bash`, `tool:*`, `session:start,session:end`, `*`
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
    /// A command line for the shell
    #[arg(value_name = "COMMAND")]
    pub(crate) command: String,
    /// Seconds, 0.1 to 300; 10 if not given
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// Where it runs; the event's folder if not given
    #[arg(long, value_name = "DIR")]
    pub(crate) working_dir: Option<String>,
    /// A variable for it; several
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// What it is for, for people
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Not called until the file says otherwise
    #[arg(long)]
    pub(crate) disabled: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox hooks remove --agent code-forge session:start

Exit code: 1 if there is no such hook.")]
pub(crate) struct HookRemoveArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// The pattern, as the file has it
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
}
