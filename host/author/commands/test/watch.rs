//! Builds and runs again whenever a file of the project has changed, until it is interrupted.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

use hookbox_manifest::plugin_toml::Build;

use super::{Fault, Printer, TestArgs, TestedPlugin};
use crate::{commands::build, exit::ExitStatus, printer::DIM, sources};

/// Pause between two checks of the files.
const PAUSE: Duration = Duration::from_millis(200);

/// State of a file: path, time and length.
type Stamp = (PathBuf, Option<SystemTime>, u64);

pub(super) fn watch_files(
    args: &TestArgs,
    (place, names): (Option<&Path>, &[String]),
    printer: &Printer,
) -> Result<ExitStatus, Fault> {
    // An error in the command line is reported once.
    let before = collect_stamps(&TestedPlugin::find_at(place)?);
    let (mut seen, mut sources) = build_anew(place, printer).unwrap_or(before);
    loop {
        if let Err(fault) = super::run(args, (place, names), printer) {
            fault.print_error(printer);
        }
        printer.print_note(&format!("{DIM}waiting for a change; press Ctrl-C to exit{DIM:#}"));
        let now = wait_for_change(place, &seen)?;
        let built = if now.1 == sources { None } else { build_anew(place, printer) };
        // The state before the build: a change during the build starts another one.
        (seen, sources) = built.unwrap_or(now);
    }
}

/// Builds a project that states how it is built; errors are reported, and the tests run with the existing plugin. Returns the state
/// after a build by a command, which may write files anywhere in the folder.
fn build_anew(place: Option<&Path>, printer: &Printer) -> Option<(Vec<Stamp>, Vec<Stamp>)> {
    let subject = TestedPlugin::find_at(place).ok()?;
    let project = subject.project.as_ref()?;
    if let Err(fault) = build::make_plugin(project, None, printer) {
        fault.print_error(printer);
    }
    let is_by_command = matches!(project.build, Some(Build::Command(_)));
    is_by_command.then(|| collect_stamps(&subject))
}

/// Waits until a file has changed. While `plugin.toml` is invalid no change is detected.
fn wait_for_change(place: Option<&Path>, seen: &[Stamp]) -> Result<(Vec<Stamp>, Vec<Stamp>), Fault> {
    loop {
        thread::sleep(PAUSE);
        if let Ok(subject) = TestedPlugin::find_at(place) {
            let now = collect_stamps(&subject);
            if now.0 != seen {
                return Ok(now);
            }
        }
    }
}

/// Returns all files that a run depends on, and those of them that a build depends on.
fn collect_stamps(subject: &TestedPlugin) -> (Vec<Stamp>, Vec<Stamp>) {
    let mut all = Vec::new();
    if let Some(project) = &subject.project {
        stamp_folder(&project.folder, &mut all);
    } else {
        stamp_file(&subject.component, &mut all);
        stamp_folder(&subject.fixtures, &mut all);
    }
    all.sort();
    let is_source = |stamp: &&Stamp| {
        !(stamp.0.starts_with(&subject.fixtures) && stamp.0.extension().is_some_and(|end| end == "json"))
    };
    let sources = all.iter().filter(is_source).cloned().collect();
    (all, sources)
}

fn stamp_folder(folder: &Path, all: &mut Vec<Stamp>) {
    for file in sources::list_files_below(folder) {
        stamp_file(&file, all);
    }
}

fn stamp_file(path: &Path, all: &mut Vec<Stamp>) {
    if let Ok(status) = fs::metadata(path) {
        all.push((path.to_owned(), status.modified().ok(), status.len()));
    }
}
