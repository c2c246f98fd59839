//! The variables, the working folder and the program of this process. The only reader of the environment.
//!
//! Who starts an agent's hook may have been told by a project which variables to set, so nothing of this decides where
//! `hookbox run` finds configuration, state or programs: see [`crate::places`].

use std::{env, ffi::OsString, path::PathBuf};

/// A variable as it is.
pub(crate) fn variable(name: &str) -> Option<OsString> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    env::var_os(name)
}

/// A variable that is text.
pub(crate) fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

/// All variables that are text.
pub(crate) fn all() -> impl Iterator<Item = (String, String)> {
    #[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
    let variables = env::vars_os();
    variables.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// The folder that this process works in.
pub(crate) fn current_folder() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// The file that this process runs, without links.
pub(crate) fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// The compiler beside this program.
pub(crate) fn compiler() -> Option<PathBuf> {
    Some(program()?.parent()?.join("hookbox-compile"))
}
