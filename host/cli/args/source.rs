//! Arguments for the sources of hooks.

use std::path::PathBuf;

/// The source of the hooks.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct SourceArgs {
    /// An additional configuration file for this session
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// An agent's own hook file in place of hookbox's, or in addition to them.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OwnArgs {
    /// Run only this hook file, as the agent would; repeatable, in order
    #[arg(long = "source", value_name = "FILE", conflicts_with = "config", group = "own_files")]
    pub(crate) files: Vec<PathBuf>,
    /// Run only the agent's hook files at their usual places: the user's, with `all` also the project's
    #[arg(
        long = "own",
        group = "own_files",
        value_name = "WHICH",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "user",
        conflicts_with_all = ["config", "files"]
    )]
    pub(crate) usual: Option<Usual>,
    /// With --source or --own: run hookbox's hooks too, in one chain with the agent's
    #[arg(long, requires = "own_files")]
    pub(crate) with_hookbox: bool,
}

/// A selection of an agent's own hook files: the user's, or also the project's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Usual {
    User,
    All,
}

impl OwnArgs {
    /// Returns true if only the agent's own files are selected, and none of hookbox's.
    pub(crate) fn is_alone(&self) -> bool {
        !self.with_hookbox && (!self.files.is_empty() || self.usual.is_some())
    }
}
