//! Hooks for Code-Forge that come with hookbox: `docs/reference/templates/code-forge-hooks.json`.

use super::hooks_json::{Hook, HooksFile, HooksFileError};

/// The file with the templates.
const FILE: &str = include_str!("../../../../docs/reference/templates/code-forge-hooks.json");

/// The names of the templates, in the order of the file.
pub const TEMPLATES: [&str; 3] = ["audit-log", "notification", "git-commit"];

/// Returns the hook of the template with this name.
///
/// # Errors
///
/// The file that was compiled in cannot be read.
pub fn find_template(name: &str) -> Result<Option<Hook>, HooksFileError> {
    let file = HooksFile::parse(FILE)?;
    let at = TEMPLATES.iter().position(|known| *known == name);
    Ok(at.and_then(|at| file.hooks().get(at).cloned()))
}
