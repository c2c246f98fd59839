//! Plausibility of this machine's clock. It decides whether keys have expired: a clock that is set back makes them valid again.

use std::time::SystemTime;

use hookbox_app::sidecars;
use hookbox_trust::statement::format_time;

use super::added_plugins::Added;
use crate::printer::{Printer, WARNING};

/// Warns if the clock is before the creation of an existing plugin: it was set back, or another machine's clock was ahead.
/// Since either is possible, this is only a warning.
pub(super) fn warn_if_set_back(added: &Added, printer: &Printer) {
    let Some((name, made)) = find_latest_creation(added).filter(|(_, made)| *made > SystemTime::now()) else {
        return;
    };
    printer.print_note(&format!(
        "{WARNING}warning{WARNING:#}: this machine's clock is before {}, the date of the installed `{name}`: expired or revoked keys may be accepted; check the clock",
        format_time(made)
    ));
}

/// Returns the latest creation among the existing plugins, by the statements next to the files. A project's are ignored, since
/// it could state any time.
fn find_latest_creation(added: &Added) -> Option<(&str, SystemTime)> {
    let rows = added.lock.iter().filter(|_| added.home.project().is_none());
    let made = rows.filter_map(|row| {
        let release = sidecars::read_statement(&added.locate_file(row)).ok()?;
        Some((row.name.as_str(), release.issued))
    });
    made.max_by_key(|(_, made)| *made)
}
