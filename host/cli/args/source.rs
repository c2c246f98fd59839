//! Where hooks come from, for every command that reads them.

use std::path::PathBuf;

/// The source of the hooks.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SourceArgs {
    /// An additional configuration file for this session
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// An agent's own hook file in place of hookbox's.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OwnArgs {
    /// Run only this hook file, as the agent would; repeatable, in order
    #[arg(long = "source", value_name = "FILE", conflicts_with = "config")]
    pub(crate) files: Vec<PathBuf>,
}
