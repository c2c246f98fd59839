//! `hookbox plugin outdated`: lists fetched plugins with a newer release, and whether `update` would accept it.

use hookbox::sandbox::inspect::identify_file;
use hookbox_app::{places::Places, plugin_lock::LockedPlugin};

use super::{
    added_plugins::{self, Added},
    clock::warn_if_set_back,
    fetch::{self, Fetched},
    trust_decision::{self, GivenConsent, JudgedPlugin},
    update::{describe_version, other_plugin, other_publisher, print_warnings},
};
use crate::{
    args::OutdatedArgs, commands::install::report_result, exit::ExitStatus, printer::Printer,
    report::sanitize_line,
};

pub(super) fn list_outdated(args: &OutdatedArgs, printer: &Printer) -> ExitStatus {
    let places = super::find_places();
    let added = added_plugins::select_home(args.here, &places).and_then(|home| Added::read(home, &places));
    let added = match added {
        Ok(added) => added,
        Err(stopped) => return report_result(Err(stopped), printer),
    };
    warn_if_set_back(&added, printer);
    let mut status = ExitStatus::Success;
    for row in added.lock.iter().filter(|row| fetch::is_remote(&row.source)) {
        let (has, name) = (describe_version(row), &row.name);
        match Fetched::fetch_newest(row, &places) {
            Err(why) => {
                printer.print_line(&format!("{name}  {has}: unknown: {}", sanitize_line(&why)));
                status = ExitStatus::Problems;
            }
            Ok(newest) if newest.component.as_str() == row.sha256 => {
                printer.print_line(&format!("{name}  {has} is the newest"));
                print_warnings(&newest, printer);
                if let Some(why) = added.explain_refusal(row) {
                    printer.print_error(&format!("`{name}`: {}", sanitize_line(&why)));
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
                    None => find_refusal(row, &newest, &added, &places)
                        .map_or_else(String::new, |why| format!(", refused: {}", sanitize_line(&why))),
                };
                printer.print_line(&format!("{name}  {has} -> {}{but}", sanitize_line(&what)));
                // A script learns from the exit code that something is outdated.
                status = ExitStatus::Problems;
            }
        }
    }
    status
}

/// Returns the reason why `update` would reject the release, if it would.
fn find_refusal(row: &LockedPlugin, newest: &Fetched, added: &Added, places: &Places) -> Option<String> {
    if !trust_decision::is_same_publisher(row, Some(newest)) {
        return Some(other_publisher(row, newest));
    }
    let Ok(Ok(manifest)) = identify_file(&newest.file()).map(|there| there.manifest) else {
        return Some("its description of itself cannot be parsed".to_owned());
    };
    let judged = JudgedPlugin {
        component: &newest.component,
        manifest: manifest.as_ref(),
        fetched: Some(newest),
        project: added.home.project(),
        lock: &added.lock,
    };
    judged.find_refusal(GivenConsent { unsigned: row.signer.is_none(), allow_downgrade: false }, places)
}
