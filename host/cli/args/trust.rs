//! `hookbox trust` and `hookbox untrust`.

use clap::Subcommand;
use hookbox::Sha256Digest;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  hookbox trust                # review each hook of the current project, and choose which may run
  hookbox trust lint           # review one hook
  hookbox trust --review       # show all hooks without a question: `| less` for long scripts
  hookbox trust list           # list the trusted hooks of all projects

The user must confirm at a terminal. Trust is for the content that was shown: after any change of
it, the hook is untrusted again.")]
pub(crate) struct TrustArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TrustCommand>,
    /// Names of the hooks [default: all that need a review]
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
    /// Show all hooks with the files that they run, without asking
    #[arg(long)]
    pub(crate) review: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// List the trusted hooks of all projects, and whether they have changed
    List,
}

#[derive(Debug, clap::Args)]
#[group(id = "untrusted", required = true, multiple = true)]
pub(crate) struct UntrustArgs {
    /// Names of hooks of the current project
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
    /// All hooks of the current project
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
}

/// Project hooks that are trusted for one run, without a terminal.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TrustHookArgs {
    /// Trust a project hook for this run, by the digest that `hookbox trust --review` shows; repeatable
    #[arg(long = "trust-hook", value_name = "sha256:HEX", value_parser = parse_digest)]
    pub(crate) hooks: Vec<Sha256Digest>,
}

fn parse_digest(text: &str) -> Result<Sha256Digest, String> {
    let hex = text.strip_prefix("sha256:").unwrap_or(text);
    let wrong = "it must be `sha256:` and 64 hexadecimal digits, as `hookbox trust --review` shows them";
    Sha256Digest::parse(hex).ok_or_else(|| wrong.to_owned())
}
