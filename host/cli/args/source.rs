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
    /// The same for the files where the agent has them: the user's, with `all` the project's too
    #[arg(
        long = "own",
        value_name = "WHICH",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "user",
        conflicts_with_all = ["config", "files"]
    )]
    pub(crate) usual: Option<Usual>,
}

/// Which of an agent's own hook files: the user's, or the project's after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Usual {
    User,
    All,
}

impl OwnArgs {
    /// Are the agent's own files meant, and none of hookbox's?
    pub(crate) fn is_given(&self) -> bool {
        !self.files.is_empty() || self.usual.is_some()
    }
}
