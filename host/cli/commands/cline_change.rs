//! A change of Cline's folder of executable files.

use std::path::{Path, PathBuf};

use hookbox::{
    agents::settings::{OwnCommand, cline},
    config::did_you_mean,
};
use hookbox_app::{
    install_record::OriginalFile,
    settings_file::{FileError, Kind, Location},
};
use hookbox_platform::file::is_run_by_owner;

use super::{
    agent_change::{CommandError, SettingsOwner, problem_error, usage_error},
    change_consent,
};
use crate::{printer::Printer, report};

pub(super) struct ClineChange {
    folder: PathBuf,
    files: Vec<FileChange>,
    before: OriginalFile,
}

struct FileChange {
    location: Location,
    found: String,
    /// Blank if the file is to be removed.
    text: String,
}

/// New text of one of Cline's files, if it changes; or the reason why it cannot.
type NewText = Option<Result<String, &'static str>>;

/// Returns the new text of an event's file, given its current text.
type MakeText<'a> = &'a dyn Fn(&'static str, &str) -> NewText;

/// Prepares files for these events, or for the default ones; an error if one of them exists and is not hookbox's.
pub(super) fn prepare_install(
    place: &SettingsOwner,
    events: &[String],
    command: &OwnCommand,
) -> Result<ClineChange, CommandError> {
    ClineChange::for_events(place, &choose_events(events)?, &|event, there| {
        plan_installation(there, &cline::format_script(command, event))
    })
}

/// Prepares the removal of every file of hookbox's.
pub(super) fn prepare_uninstall(place: &SettingsOwner) -> Result<ClineChange, CommandError> {
    ClineChange::for_events(place, &list_known_events(), &|_, there| taken_away(there))
}

/// Returns the events that can be named on the command line, by the names of their files.
fn list_known_events() -> Vec<&'static str> {
    cline::USUAL.iter().chain(cline::OTHER).copied().collect()
}

fn choose_events(named: &[String]) -> Result<Vec<&'static str>, CommandError> {
    if named.is_empty() {
        return Ok(cline::USUAL.to_vec());
    }
    let known = list_known_events();
    let choose = |event: &String| {
        let event = event.trim();
        known.iter().copied().find(|known| *known == event).ok_or_else(|| {
            usage_error(format!(
                "unknown event `{}`; {}",
                report::sanitize_line(event),
                did_you_mean(event, &known)
            ))
        })
    };
    named.iter().map(choose).collect()
}

fn plan_installation(there: &str, script: &str) -> NewText {
    match there {
        there if there == script => None,
        there if there.trim().is_empty() || cline::is_own(there) => Some(Ok(script.to_owned())),
        _ => Some(Err(
            "it is another program's hook, and Cline calls one file for each name in a folder; call it from hooks.toml \
             instead (`shell`), or select the other events with --events",
        )),
    }
}

fn taken_away(there: &str) -> NewText {
    cline::is_own(there).then(|| Ok(String::new()))
}

impl ClineChange {
    fn for_events(
        place: &SettingsOwner,
        events: &[&'static str],
        becomes: MakeText<'_>,
    ) -> Result<Self, CommandError> {
        let folder = match place {
            SettingsOwner::User(folder) => folder.clone(),
            SettingsOwner::Project(root) => root.join(cline::PROJECT),
        };
        // Only a folder that hookbox made is removed with its files.
        let before = if folder.exists() { OriginalFile::Other } else { OriginalFile::no_file(&folder) };
        let mut files = Vec::new();
        for event in events {
            let location = match place {
                SettingsOwner::User(folder) => Location::User(folder.join(event)),
                SettingsOwner::Project(root) => {
                    Location::Project { root: root.clone(), folder: cline::PROJECT, file: event }
                }
            };
            files.extend(FileChange::for_location(location, &|there| becomes(event, there))?);
        }
        Ok(Self { folder, files, before })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn before(&self) -> OriginalFile {
        self.before
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.files.is_empty()
    }

    pub(super) fn show(&self, printer: &Printer) {
        for FileChange { location, found, text } in &self.files {
            let path = report::sanitize_line(&location.path().display().to_string());
            if found == text {
                printer.print_line(&format!("{path} is to be executable again"));
                continue;
            }
            let after = Some(text).filter(|text| !text.trim().is_empty()).map(String::as_str);
            change_consent::show_change(&path, found, after, printer);
        }
    }

    /// Writes the changes; returns the number of changed files.
    pub(super) fn write(&self) -> Result<usize, FileError> {
        for FileChange { location, found, text } in &self.files {
            if text.trim().is_empty() {
                location.remove_file(found, text)?;
            } else {
                location.replace_text(found, text, Kind::Program)?;
            }
        }
        Ok(self.files.len())
    }
}

impl FileChange {
    fn for_location(
        location: Location,
        becomes: &dyn Fn(&str) -> NewText,
    ) -> Result<Option<Self>, CommandError> {
        let found = location.read().map_err(problem_error)?;
        let text = match becomes(&found) {
            // Cline skips a file that is not executable.
            None if cline::is_own(&found) && !is_run_by_owner(&location.path()) => found.clone(),
            None => return Ok(None),
            Some(Ok(text)) => text,
            Some(Err(why)) => {
                return Err(problem_error(format!(
                    "{}: {why}; nothing was changed",
                    location.path().display()
                )));
            }
        };
        Ok(Some(Self { location, found, text }))
    }
}
