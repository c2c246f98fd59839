//! `hookbox plugin outdated`: lists fetched plugins with a newer release, and whether `update` would accept it.

use hookbox::sandbox::inspect::identify;
use hookbox_files::{places::Places, plugin_lock::LockedPlugin};

use super::{
    added::{self, Added},
    clock::warn_if_set_back,
    fetch::{self, Fetched},
    trusted::{self, Judged, Words},
    update::{of, other_plugin, other_publisher, warn},
};
use crate::{
    args::OutdatedArgs, commands::install::ended, exit::ExitStatus, printer::Printer, report::plain,
};

pub(super) fn outdated(args: &OutdatedArgs, printer: &Printer) -> ExitStatus {
    let places = super::places();
    let added = added::home(args.project, &places).and_then(|home| Added::read(home, &places));
    let added = match added {
        Ok(added) => added,
        Err(stopped) => return ended(Err(stopped), printer),
    };
    warn_if_set_back(&added, printer);
    let mut status = ExitStatus::Success;
    for row in added.lock.iter().filter(|row| fetch::is_remote(&row.source)) {
        let (has, name) = (of(row), &row.name);
        match Fetched::again(row, &places) {
            Err(why) => {
                printer.line(&format!("{name}  {has}: unknown: {}", plain(&why)));
                status = ExitStatus::Problems;
            }
            Ok(newest) if newest.component.as_str() == row.sha256 => {
                printer.line(&format!("{name}  {has} is the newest"));
                warn(&newest, printer);
                if let Some(why) = added.refused(row) {
                    printer.error(&format!("`{name}`: {}", plain(&why)));
                    status = ExitStatus::Problems;
                }
            }
            Ok(newest) => {
                let release = newest.release.as_ref();
                let what = release.map_or_else(
                    || "another, unsigned file".to_owned(),
                    |release| format!("{} (release {})", release.version, release.seq),
                );
                let other = release.and_then(|release| other_plugin(row, Some(&release.name)));
                let is_moved = release.is_some_and(|release| Some(release.seq) == row.seq);
                let but = match other {
                    Some(why) => format!(", which is another plugin: {why}"),
                    None if is_moved => {
                        ", which is another file of the same release: its `seq` was not counted up, or the tag was moved"
                            .to_owned()
                    }
                    None => refusal(row, &newest, &added, &places)
                        .map_or_else(String::new, |why| format!(", refused: {}", plain(&why))),
                };
                printer.line(&format!("{name}  {has} -> {}{but}", plain(&what)));
                status = ExitStatus::Problems;
            }
        }
    }
    status
}

/// Returns the reason why `update` would reject the release, if it would.
fn refusal(row: &LockedPlugin, newest: &Fetched, added: &Added, places: &Places) -> Option<String> {
    if !trusted::is_same_publisher(row, Some(newest)) {
        return Some(other_publisher(row, newest));
    }
    let Ok(Ok(manifest)) = identify(&newest.file()).map(|there| there.manifest) else {
        return Some("it says of itself what hookbox does not understand".to_owned());
    };
    let judged = Judged {
        component: &newest.component,
        manifest: manifest.as_ref(),
        fetched: Some(newest),
        project: added.home.project(),
        lock: &added.lock,
    };
    judged.refusal(Words { unsigned: row.signer.is_none(), allow_downgrade: false }, places)
}
