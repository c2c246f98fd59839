//! `--locked`: checks that everything is as in `hookbox.lock`. Nothing is fetched or written, and the user is not asked.

use std::path::Path;

use hookbox_app::plugin_lock::LockedPlugin;

use super::{
    add::source::Source,
    added_plugins::{Added, format_path},
    fetch::{self, Picked},
};
use crate::{
    commands::agent_change::{CommandError, problem_error},
    diagnostic::format_count,
    printer::{ERROR, Printer},
    report::sanitize_line,
};

/// Checks all plugins, or the one from this source, which must exist.
pub(super) fn check_plugins(
    added: &Added,
    source: Option<&str>,
    printer: &Printer,
) -> Result<(), CommandError> {
    let lock = format_path(&added.home.plugin_lock_path());
    let meant = source.map(RowSource::from_source).transpose()?;
    let is_meant = |row: &&LockedPlugin| meant.as_ref().is_none_or(|meant| meant.matches_row(row));
    let rows: Vec<_> = added.lock.iter().filter(is_meant).collect();
    if let Some(source) = source.filter(|_| rows.is_empty()) {
        return Err(problem_error(format!(
            "{lock} has no plugin from {}, and with --locked none is added",
            sanitize_line(source)
        )));
    }
    let mut wrong: Vec<_> = rows
        .iter()
        .flat_map(|row| added.list_problems(row).into_iter().map(|doubt| format!("`{}`: {doubt}", row.name)))
        .collect();
    // The check of a single source is not about other hooks.
    if source.is_none() {
        wrong.extend(find_unlocked_hooks(added));
    }
    for wrong in &wrong {
        printer.print_line(&format!("{ERROR}wrong{ERROR:#}     {}", sanitize_line(wrong)));
    }
    if wrong.is_empty() {
        printer.print_line(&format!("as in {lock}: {}", format_count(rows.len(), "plugin")));
        return Ok(());
    }
    Err(problem_error(format!("it differs from {lock}, and --locked changes nothing")))
}

/// Returns hooks that call a file of the store or of `plugins` without a row.
fn find_unlocked_hooks(added: &Added) -> Vec<String> {
    let places = [
        Some(added.home.file_path(hookbox_app::plugin_lock::PLUGINS)),
        added.store.as_ref().map(|store| store.folder().to_owned()),
    ];
    let places: Vec<_> = places.into_iter().flatten().collect();
    let hooks = added.loaded.hooks.iter().chain(&added.loaded.disabled);
    let is_unlocked = |hook: &&hookbox::HookSpec| {
        let Some(wasm) = hook.wasm() else { return false };
        places.iter().any(|place| wasm.path.starts_with(place))
            && !added.lock.iter().any(|row| added.locate_file(row) == wasm.path)
    };
    hooks
        .filter(is_unlocked)
        .map(|hook| format!("`{}` calls a plugin that hookbox.lock does not have", hook.name))
        .collect()
}

/// Meaning of a source: a row that came from there, with the version and digest that it names.
enum RowSource {
    Fetched(Picked),
    /// The SHA-256 of the file.
    File(String),
}

impl RowSource {
    fn from_source(source: &str) -> Result<Self, CommandError> {
        if fetch::is_remote(source) {
            return Ok(Self::Fetched(fetch::parse_source(source)));
        }
        let file = Source::from_file(Path::new(source)).map_err(problem_error)?;
        Ok(Self::File(file.sha256.as_str().to_owned()))
    }

    fn matches_row(&self, row: &LockedPlugin) -> bool {
        match self {
            Self::Fetched(Picked { place, version, digest }) => {
                row.source == *place
                    && version.as_ref().is_none_or(|version| row.version.as_ref() == Some(version))
                    && digest.as_ref().is_none_or(|digest| row.manifest.as_ref() == Some(digest))
            }
            Self::File(sha256) => row.sha256 == *sha256,
        }
    }
}
