//! hookbox's files that a removal of hookbox leaves: listed, and if requested the state is removed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox_app::places::Places;

use super::super::agent_change::open_install_record;
use crate::{
    environment,
    findings::Level,
    printer::{DIM, ERROR, Printer},
    report::sanitize_line,
};

const PURGED: &str = "; `hookbox uninstall --purge` removes it";

/// Returns the existing folders that `--purge` removes: the state, and the compiled plugins.
pub(super) fn find_purged(places: &Places) -> Vec<PathBuf> {
    places.state().into_iter().chain(cache_folder(places)).filter(|folder| is_there(folder)).collect()
}

fn cache_folder(places: &Places) -> Option<PathBuf> {
    Some(places.cache()?.parent()?.to_owned())
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Removes these folders, continuing after an error; returns true if all were removed.
pub(super) fn remove_folders(folders: &[PathBuf], printer: &Printer) -> bool {
    let mut is_well = true;
    for folder in folders {
        let shown = sanitize_line(&folder.display().to_string());
        match fs::remove_dir_all(folder) {
            Ok(()) => printer.print_line(&format!("removed: {shown}")),
            Err(error) => {
                is_well = false;
                printer.add_finding(Level::Wrong, &shown, &format!("it cannot be removed: {error}"));
                printer.print_line(&format!("{ERROR}wrong{ERROR:#}   cannot remove {shown}: {error}"));
            }
        }
    }
    is_well
}

/// Prints what is still on the machine, each with its content.
pub(super) fn print_leftovers(places: &Places, printer: &Printer) {
    let entry = |path: String| {
        (path, "had entries of hookbox's: `hookbox uninstall AGENT` in its project removes them".to_owned())
    };
    let recorded = open_install_record(places).map(|record| record.paths()).unwrap_or_default();
    let files = [
        (places.user_config(), "hooks of yours".to_owned()),
        (places.data(), "plugins that you have added".to_owned()),
        (places.state(), format!("log, trust and stored data{PURGED}")),
        (cache_folder(places), format!("compiled plugins{PURGED}")),
        (
            environment::find_program(),
            "the program; remove it in the way in which you installed it".to_owned(),
        ),
    ];
    let files =
        files.into_iter().filter_map(|(path, what)| Some((path.filter(|path| is_there(path))?, what)));
    let files = files.map(|(path, what)| (path.display().to_string(), what));
    for (path, what) in recorded.into_iter().map(entry).chain(files) {
        printer.add_finding(Level::Left, &path, &what);
        printer.print_line(&format!("{DIM}left{DIM:#}    {}: {what}", sanitize_line(&path)));
    }
}
