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

It must be said at a terminal, by a person. What is trusted is what was shown: when a byte of it changes, the hook is a stranger's
again.")]
pub(crate) struct TrustArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TrustCommand>,
    /// The hooks of these names; all that wait if not given
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
    /// Show the hooks with all that they run, also those that are trusted, and ask nothing
    #[arg(long)]
    pub(crate) review: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// List the hooks that are trusted, in all projects, and whether they are what was trusted
    List,
}

#[derive(Debug, clap::Args)]
#[group(id = "untrusted", required = true, multiple = true)]
pub(crate) struct UntrustArgs {
    /// The hooks of these names, of the project here
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
    /// All hooks of the project here
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
}

/// Hooks of a project that are trusted without a person at a terminal.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct TrustHookArgs {
    /// Trust a hook of the project for this time alone, if it is this: what `hookbox trust --review` shows as its digest
    #[arg(long = "trust-hook", value_name = "sha256:HEX", value_parser = digest)]
    pub(crate) hooks: Vec<Sha256Digest>,
}

fn digest(text: &str) -> Result<Sha256Digest, String> {
    let hex = text.strip_prefix("sha256:").unwrap_or(text);
    let wrong = "it must be `sha256:` and 64 hexadecimal digits, as `hookbox trust --review` shows them";
    Sha256Digest::parse(hex).ok_or_else(|| wrong.to_owned())
}
