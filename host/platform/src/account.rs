//! Who runs this process, by the system's list of users (`/etc/passwd`).
//!
//! No library is asked: the program is linked statically, and glibc's `getpwuid` would load the machine's own modules for it,
//! of another version and by variables that say where. Users whom only a directory service knows are not found; their home
//! stands in the entry (`--home`).

#[cfg(on_unix)]
pub(crate) mod unix;

use std::{fmt, path::PathBuf};

/// What the system knows of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// What the user is called.
    pub name: String,
    /// The home folder.
    pub home: PathBuf,
    /// The shell that the user has chosen.
    pub shell: PathBuf,
}

impl Account {
    /// That of the user whose rights this process has; `None` if the system's list does not have it, or there is none.
    pub fn of_this_user() -> Option<Self> {
        #[cfg(on_unix)]
        return Self::listed();
        #[cfg(not(on_unix))]
        return None;
    }
}

/// The user whose rights this process has, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User(Option<u32>);

impl User {
    /// The one of now.
    pub fn current() -> Self {
        #[cfg(on_unix)]
        return Self(Some(unix::user()));
        #[cfg(not(on_unix))]
        return Self(None);
    }
}

/// The number.
impl fmt::Display for User {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => write!(f, "{number}"),
            None => f.write_str("of this process"),
        }
    }
}

/// The folder with the sockets of this user's session, which is what `XDG_RUNTIME_DIR` should say; `None` if there is none.
pub fn session_folder() -> Option<PathBuf> {
    #[cfg(on_unix)]
    return unix::session_folder();
    #[cfg(not(on_unix))]
    return None;
}
