//! `hookbox trust` and `hookbox untrust`.

use clap::Subcommand;
use hookbox::Sha256Digest;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  hookbox trust                # look at each hook of the project here, and say which may run
  hookbox trust lint           # this one
  hookbox trust --review       # show all of them, and ask nothing: `| less` for long scripts
  hookbox trust list           # what is trusted, in all projects

It needs the user at a terminal. What is trusted is what was shown: when a byte of it changes, the hook is untrusted
again.")]
pub(crate) struct TrustArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TrustCommand>,
    /// The names of the hooks [default: all that wait for a review]
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
    /// The names of hooks of the current project
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
