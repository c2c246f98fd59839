//! `hookbox hooks`.

use clap::Subcommand;
use hookbox::agents::code_forge::templates::TEMPLATES;

#[derive(Debug, clap::Args)]
pub(crate) struct HooksArgs {
    #[command(subcommand)]
    pub(crate) command: HooksCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HooksCommand {
    /// List the hooks of the file in order
    List(HookListArgs),
    /// Add a hook at the end
    Add(HookAddArgs),
    /// Remove all hooks with exactly this pattern
    Remove(HookRemoveArgs),
    /// Remove all hooks
    Clear(HookFileArgs),
}

/// The hook file.
#[derive(Debug, clap::Args)]
pub(crate) struct HookFileArgs {
    /// The agent: code-forge
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: String,
    /// Use the file of the project around the current folder
    #[arg(long)]
    pub(crate) here: bool,
    /// Show the changes without writing them
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox hooks list --agent code-forge --here")]
pub(crate) struct HookListArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hookbox hooks add --agent code-forge --template audit-log
  hookbox hooks add --agent code-forge session:start 'notify-send Code-Forge'
  hookbox hooks add --agent code-forge --here --timeout 30 'tool:post_execute:write' 'git add -A'

The rest of the file is unchanged; the file is formatted as by Code-Forge.")]
pub(crate) struct HookAddArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// The events: `tool:pre_execute:bash`, `tool:*`, `session:start,session:end`, `*`
    #[arg(value_name = "PATTERN", required_unless_present = "template")]
    pub(crate) pattern: Option<String>,
    /// A command line for the shell
    #[arg(value_name = "COMMAND", required_unless_present = "template")]
    pub(crate) command: Option<String>,
    /// A built-in hook, in place of a pattern and a command
    #[arg(
        long,
        value_name = "NAME",
        value_parser = clap::builder::PossibleValuesParser::new(TEMPLATES),
        conflicts_with_all = ["pattern", "command", "working_dir", "env", "description"]
    )]
    pub(crate) template: Option<String>,
    /// Timeout in seconds, 0.1 to 300 [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<f64>,
    /// The folder in which the command runs [default: the event's folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) working_dir: Option<String>,
    /// An environment variable for the command; repeatable
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    /// A description
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Add the hook disabled
    #[arg(long)]
    pub(crate) disabled: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  hookbox hooks remove --agent code-forge session:start

Exit code: 1 if the file does not have this hook.")]
pub(crate) struct HookRemoveArgs {
    #[command(flatten)]
    pub(crate) file: HookFileArgs,
    /// The pattern, exactly as in the file
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: String,
}
