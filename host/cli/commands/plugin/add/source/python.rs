//! One file in Python: hookbox-author makes the plugin of it, with the tools that its user has.
//!
//! Only here, at a terminal, where a person names the file: what an event calls never starts other people's tools.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use hookbox_platform::signals::HeldBack;
use tempfile::TempDir;

use crate::commands::plugin::{added::shown, beside};

/// What was built, in a folder that goes with it.
pub(super) struct Built {
    pub(super) folder: TempDir,
    pub(super) file: PathBuf,
}

pub(super) fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py") && path.is_file()
}

pub(super) fn build(script: &Path) -> Result<Built, String> {
    // Dropped last: whoever ends this leaves no folder behind.
    let held = HeldBack::begin();
    let folder = TempDir::with_prefix("hookbox-");
    let folder =
        folder.map_err(|error| format!("there is no folder for what is built meanwhile: {error}"))?;
    let file = folder.path().join(script.with_extension("wasm").file_name().unwrap_or_default());
    // An absolute path is no option.
    let script = std::path::absolute(script).unwrap_or_else(|_| script.to_owned());
    let words = [script.as_os_str(), OsStr::new("--out"), file.as_os_str()];
    if beside::build(&words, folder.path(), &held)? {
        return Ok(Built { folder, file });
    }
    Err(format!("nothing was added: no plugin could be built of {}, as reported above", shown(&script)))
}
