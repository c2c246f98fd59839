//! `--locked`: checks that everything is as in `hookbox.lock`. Nothing is fetched or written, and the user is not asked.

use std::path::Path;

use hookbox_files::plugin_lock::LockedPlugin;

use super::{
    add::source::Source,
    added::{Added, shown},
    fetch::{self, Picked},
};
use crate::{
    commands::agent_change::{Stopped, problem},
    diagnostic::plural,
    printer::{ERROR, Printer},
    report::plain,
};

/// Checks all plugins, or the one from this source, which must exist.
pub(super) fn check(added: &Added, source: Option<&str>, printer: &Printer) -> Result<(), Stopped> {
    let lock = shown(&added.home.lock_file());
    let meant = source.map(Meant::by).transpose()?;
    let is_meant = |row: &&LockedPlugin| meant.as_ref().is_none_or(|meant| meant.is(row));
    let rows: Vec<_> = added.lock.iter().filter(is_meant).collect();
    if let Some(source) = source.filter(|_| rows.is_empty()) {
        return Err(problem(format!(
            "{lock} has no plugin from {}, and with --locked none is added",
            plain(source)
        )));
    }
    let mut wrong: Vec<_> = rows
        .iter()
        .flat_map(|row| added.doubts(row).into_iter().map(|doubt| format!("`{}`: {doubt}", row.name)))
        .collect();
    if source.is_none() {
        wrong.extend(unlocked(added));
    }
    for wrong in &wrong {
        printer.line(&format!("{ERROR}wrong{ERROR:#}     {}", plain(wrong)));
    }
    if wrong.is_empty() {
        printer.line(&format!("as {lock} says: {}", plural(rows.len(), "plugin")));
        return Ok(());
    }
    Err(problem(format!("it is not as {lock} says, and with --locked nothing is changed")))
}

/// Returns hooks that call a file of the store or of `plugins` without a row.
fn unlocked(added: &Added) -> Vec<String> {
    let places = [
        Some(added.home.file(hookbox_files::plugin_lock::PLUGINS)),
        added.store.as_ref().map(|store| store.folder().to_owned()),
    ];
    let places: Vec<_> = places.into_iter().flatten().collect();
    let hooks = added.loaded.hooks.iter().chain(&added.loaded.disabled);
    let is_unlocked = |hook: &&hookbox::HookSpec| {
        let Some(wasm) = hook.wasm() else { return false };
        places.iter().any(|place| wasm.path.starts_with(place))
            && !added.lock.iter().any(|row| added.file(row) == wasm.path)
    };
    hooks
        .filter(is_unlocked)
        .map(|hook| format!("`{}` calls a plugin that hookbox.lock does not have", hook.name))
        .collect()
}

/// Meaning of a source: a row that came from there, with the version and digest that it names.
enum Meant {
    Fetched(Picked),
    /// The SHA-256 of the file.
    File(String),
}

impl Meant {
    fn by(source: &str) -> Result<Self, Stopped> {
        if fetch::is_remote(source) {
            return Ok(Self::Fetched(fetch::picked(source)));
        }
        let file = Source::read(Path::new(source)).map_err(problem)?;
        Ok(Self::File(file.sha256.as_str().to_owned()))
    }

    fn is(&self, row: &LockedPlugin) -> bool {
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
