//! Why a settings file was not read or not changed.

use std::{error::Error, fmt, io, path::PathBuf};

use hookbox::dialect::settings::SettingsError;

/// Why a settings file was not read or not changed. It is as it was, if the text does not say where it is now.
#[derive(Debug)]
pub enum FileError {
    /// The system or what the file is stands in the way.
    Io {
        /// The file.
        path: PathBuf,
        /// What was to be done.
        doing: Doing,
        /// Why it was not.
        error: io::Error,
    },
    /// What it says cannot be edited.
    Unfit {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: SettingsError,
    },
    /// It was changed since it was read.
    Changed(PathBuf),
    /// It was changed at each of a hundred tries.
    Busy(PathBuf),
}

/// What is done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Reading it.
    Read,
    /// Writing it.
    Write,
    /// Taking it away.
    Remove,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, doing, error } => {
                let done = match doing {
                    Doing::Read => "read",
                    Doing::Write => "written",
                    Doing::Remove => "removed",
                };
                write!(f, "{} cannot be {done}: {error}", path.display())
            }
            Self::Unfit { path, error } => write!(f, "{}: {error}; nothing was changed", path.display()),
            Self::Changed(path) => {
                write!(f, "{} changed meanwhile and was left as it is; run it again", path.display())
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
