//! Reasons why the content of a hook is not known before it runs.

use std::{io, path::PathBuf, sync::Arc};

use thiserror::Error;

use super::MAX_FILES;
use crate::command_files::MAX_DEPTH;

/// Advice on how to replace a word that is not known.
const INSTEAD: &str = "write the path as it is (`argv = [\"sh\", \"scripts/check.sh\"]`), or put the command into a script of the project and \
                       name that";

/// Reason why the content of a hook is not known, so that the hook cannot be trusted.
#[derive(Clone, Debug, Error)]
pub enum ContentError {
    /// The hook is in Python, or a callback.
    #[error("it may load anything later, and cannot be trusted as it is")]
    Unbounded,
    /// This component is outside of the project.
    #[error("{} is not in the project", .0.display())]
    Outside(PathBuf),
    /// This word of the command is a link out of the project.
    #[error(
        "`{}` is a link that leads out of the project, to a file that was not reviewed; name the file itself, or put it into the project",
        .0.escape_debug()
    )]
    LinkOut(String),
    /// A file cannot be read, is too long, or is not a plain file.
    #[error("{}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error.
        #[source]
        error: Arc<io::Error>,
    },
    /// The name of this file is not UTF-8.
    #[error("{}: its name is not UTF-8", .0.display())]
    FileName(PathBuf),
    /// The hook names too many files.
    #[error("it names more than {MAX_FILES} files")]
    TooManyFiles,
    /// The path of the project is not UTF-8.
    #[error("the project's path is not UTF-8")]
    ProjectPath,
    /// A word of the command is expanded when the command runs.
    #[error("`{}` has {expansion}, so which file it names is not known before it runs: {INSTEAD}", .word.escape_debug())]
    Expanded {
        /// The word.
        word: String,
        /// Description of the expansion in it.
        expansion: &'static str,
    },
    /// This word of the command sets the folders of programs.
    #[error("`{}` decides which programs run: {INSTEAD}", .0.escape_debug())]
    SearchPath(String),
    /// This command of the line changes the folder.
    #[error("`{0}` goes to another folder, where its paths name other files: use `cwd`, or {INSTEAD}")]
    ChangedFolder(String),
    /// Command lines are nested too deeply.
    #[error("it has more than {MAX_DEPTH} command lines within each other: {INSTEAD}")]
    TooDeep,
}

impl ContentError {
    pub(super) fn for_file(path: impl Into<PathBuf>, error: io::Error) -> Self {
        Self::Unreadable { path: path.into(), error: Arc::new(error) }
    }
}
