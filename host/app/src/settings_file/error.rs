//! Errors of reading and changing settings files.

use std::{error::Error, fmt, io, path::PathBuf};

use hookbox::agents::settings::SettingsError;

/// Reason why a settings file was not read or not changed. The file is unchanged, unless the text names its new place.
#[derive(Debug)]
pub enum FileError {
    /// The file cannot be accessed, or is not a usable one.
    Io {
        /// The file.
        path: PathBuf,
        /// The attempted operation.
        doing: FileOperation,
        /// The error.
        error: io::Error,
    },
    /// The file's content cannot be edited.
    Unfit {
        /// The file.
        path: PathBuf,
        /// The error.
        error: SettingsError,
    },
    /// The file was changed since it was read.
    Changed(PathBuf),
    /// The file was changed at each of a hundred tries.
    Busy(PathBuf),
}

/// Operation on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileOperation {
    /// Reading.
    Read,
    /// Writing.
    Write,
    /// Removal.
    Remove,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, error } => {
                let done = match doing {
                    FileOperation::Read => "read",
                    FileOperation::Write => "written",
                    FileOperation::Remove => "removed",
                };
                write!(f, "{} cannot be {done}: {error}", path.display())
            }
            Self::Unfit { path, error } => write!(f, "{}: {error}; nothing was changed", path.display()),
            Self::Changed(path) => {
                write!(
                    f,
                    "{} was changed by another program and is unchanged; run the command again",
                    path.display()
                )
            }
            Self::Busy(path) => {
                write!(f, "{} is changed by another program all the time; run it again", path.display())
            }
        }
    }
}

impl Error for FileError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::Unfit { error, .. } => Some(error),
            Self::Changed(_) | Self::Busy(_) => None,
        }
    }
}
