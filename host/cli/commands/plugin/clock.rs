//! Whether this machine's clock can be right. Keys end and are revoked by it: whoever sets it back has them count again.

use std::time::SystemTime;

use hookbox_files::beside;
use hookbox_trust::statement::written;

use super::added::Added;
use crate::printer::{Printer, WARNING};

/// Tells when the clock stands before the making of a plugin that is here already: that time has passed, or somebody else's clock was
/// ahead. Only a warning, since either may be so.
pub(super) fn warn_if_set_back(added: &Added, printer: &Printer) {
    let Some((name, made)) = newest(added).filter(|(_, made)| *made > SystemTime::now()) else { return };
    printer.note(&format!(
        "{WARNING}warning{WARNING:#}: this machine's clock stands before {}, when `{name}` was made, which is here already: keys that are over or revoked by now \
         may count; look at the clock",
        written(made)
    ));
}

/// What was made last of what is here, as the statements beside the files say. A project's say what the project likes.
fn newest(added: &Added) -> Option<(&str, SystemTime)> {
    let rows = added.lock.iter().filter(|_| added.home.project().is_none());
    let made = rows.filter_map(|row| {
        let release = beside::statement(&added.file(row)).ok()?;
        Some((row.name.as_str(), release.issued))
    });
    made.max_by_key(|(_, made)| *made)
}
