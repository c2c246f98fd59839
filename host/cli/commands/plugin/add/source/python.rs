//! A single Python file: hookbox-author makes the plugin, with the tools that the user has installed.
//!
//! This happens only at a terminal, where the user names the file: events never start other programs' build tools.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use hookbox_platform::signals::ShutdownDelay;
use tempfile::TempDir;

use crate::commands::plugin::{added_plugins::format_path, companions};

/// The built file, in a folder that is removed when this is dropped.
pub(super) struct Built {
    pub(super) folder: TempDir,
    pub(super) file: PathBuf,
}

pub(super) fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py") && path.is_file()
}

pub(super) fn build_plugin(script: &Path) -> Result<Built, String> {
    // Dropped last, so that an interrupted build leaves no folder behind.
    let delay = ShutdownDelay::begin_delay();
    let folder = TempDir::with_prefix("hookbox-");
    let folder =
        folder.map_err(|error| format!("cannot create a temporary folder for the build: {error}"))?;
    let file = folder.path().join(script.with_extension("wasm").file_name().unwrap_or_default());
    // An absolute path cannot be taken for an option.
    let script = std::path::absolute(script).unwrap_or_else(|_| script.to_owned());
    let words = [script.as_os_str(), OsStr::new("--out"), file.as_os_str()];
    if companions::build_plugin(&words, folder.path(), &delay)? {
        return Ok(Built { folder, file });
    }
    Err(format!(
        "nothing was added: no plugin could be built from {}, as reported above",
        format_path(&script)
    ))
}
