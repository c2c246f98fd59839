//! The account that runs this process, from the system's list of users (`/etc/passwd`).
//!
//! The C library is not used: the program is linked statically, and glibc's `getpwuid` would load the machine's own modules for it, of
//! another version and from paths in variables. Users who are only in a directory service are not found; their home is in the entry
//! (`--home`).

#[cfg(on_unix)]
pub(crate) mod unix;

use std::{fmt, path::PathBuf};

/// A user's entry in the system's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The user's name.
    pub name: String,
    /// The home folder.
    pub home: PathBuf,
    /// The shell that the user has chosen.
    pub shell: PathBuf,
}

impl Account {
    /// Returns the account of the process's effective user; `None` if the system's list does not have it, or there is no list.
    pub fn of_this_user() -> Option<Self> {
        #[cfg(on_unix)]
        return Self::find_effective();
        #[cfg(not(on_unix))]
        return None;
    }
}

/// The effective user of this process, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User(Option<u32>);

impl User {
    /// Returns the current user.
    pub fn current() -> Self {
        #[cfg(on_unix)]
        return Self(Some(unix::effective_user()));
        #[cfg(not(on_unix))]
        return Self(None);
    }
}

impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("of this process"),
        }
    }
}

/// Returns the folder with the sockets of this user's session, the expected value of `XDG_RUNTIME_DIR`; `None` without such a folder.
pub fn session_folder() -> Option<PathBuf> {
    #[cfg(on_unix)]
    return unix::session_folder();
    #[cfg(not(on_unix))]
    return None;
}
