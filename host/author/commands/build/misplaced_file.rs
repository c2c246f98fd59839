//! A file where a project's folder belongs.

use std::path::Path;

use hookbox::sandbox::script::Language;

use crate::{
    environment,
    exit::Fault,
    printer::to_plain_line,
    project::{MANIFEST, NEW_PROJECT},
};

/// Refuses a file, with advice on the right command.
pub(super) fn check_kind(at: &Path) -> Result<(), Fault> {
    let file = environment::current_folder().join(at);
    if !file.is_file() {
        return Ok(());
    }
    let is_of_project = file.with_file_name(MANIFEST).is_file();
    let shown = to_plain_line(&at.display().to_string());
    Err(Fault::Usage(if is_of_project {
        format!(
            "{shown} is a file, and this command needs the project's folder: hookbox plugin build {}",
            folder_of(at)
        )
    } else if Language::from_path(&file).is_some() {
        format!("{shown} is a script, which hookbox runs without a build: hookbox plugin add {shown}")
    } else {
        format!(
            "{shown} is a file without a {MANIFEST} next to it, and only Python (`.py`) and core modules (`.wasm`) can be built from a single file; {NEW_PROJECT}"
        )
    }))
}

/// Returns the folder in the form in which its author would type it.
fn folder_of(at: &Path) -> String {
    let folder = at.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    to_plain_line(&folder.display().to_string())
}
