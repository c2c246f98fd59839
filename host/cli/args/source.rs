//! Where hooks come from, for every command that reads them.

use std::path::PathBuf;

/// Where hooks come from.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SourceArgs {
    /// One more configuration file, for this session only
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// An agent's own hook file instead of hookbox's.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OwnArgs {
    /// Run the agent's own hook file as the agent would, and nothing else; several in the order given
    #[arg(long = "source", value_name = "FILE", conflicts_with = "config")]
    pub(crate) files: Vec<PathBuf>,
}
