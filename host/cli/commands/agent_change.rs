//! A change of an agent's settings of either kind: computed first, then shown, then written.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use hookbox::{
    agents::settings::{self, AgentSettings, OwnCommand, UserFolder, cline, proxy},
    config::did_you_mean,
};
use hookbox_app::{
    install_record::{InstallRecord, OriginalFile},
    places::Places,
};

use super::{
    cline_change::{self, ClineChange},
    settings_change::{self, SettingsChange},
};
use crate::{args::SettingsArgs, environment, exit::ExitStatus, printer::Printer, report};

/// Reason why a command stopped, and its exit status.
pub(super) type CommandError = (ExitStatus, String);

pub(super) fn usage_error(message: String) -> CommandError {
    (ExitStatus::Usage, message)
}

pub(super) fn problem_error(message: impl fmt::Display) -> CommandError {
    (ExitStatus::Problems, message.to_string())
}

/// An agent into which hookbox can be installed, by the kind of its settings.
#[derive(Clone, Copy)]
pub(super) enum InstallableAgent {
    Settings(&'static AgentSettings),
    /// A folder of programs.
    Cline,
}

pub(super) enum SettingsOwner {
    /// The user's, in this folder.
    User(PathBuf),
    Project(PathBuf),
}

impl SettingsOwner {
    /// Returns the root of the project, if the settings are a project's.
    pub(super) fn project(&self) -> Option<&Path> {
        match self {
            Self::User(_) => None,
            Self::Project(root) => Some(root),
        }
    }
}

impl InstallableAgent {
    pub(super) fn from_name(name: &str) -> Result<Self, CommandError> {
        if name == cline::AGENT {
            return Ok(Self::Cline);
        }
        settings::find_settings(name).map(Self::Settings).ok_or_else(|| {
            let proxies = proxy::all_proxies().map(|proxy| proxy.agent);
            let known: Vec<_> = settings::all_settings()
                .map(|settings| settings.agent)
                .chain([cline::AGENT])
                .chain(proxies)
                .collect();
            usage_error(format!(
                "no settings of an agent `{}` are known; {}",
                report::sanitize_line(name),
                did_you_mean(name, &known)
            ))
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Settings(settings) => settings.agent,
            Self::Cline => cline::AGENT,
        }
    }

    /// Returns the events for which `install` writes entries by default.
    pub(super) fn usual(self) -> &'static [&'static str] {
        match self {
            Self::Settings(settings) => settings.usual,
            Self::Cline => cline::USUAL,
        }
    }

    fn user(self) -> &'static UserFolder {
        match self {
            Self::Settings(settings) => &settings.user,
            Self::Cline => &cline::USER,
        }
    }

    /// Returns the settings that the command line selects.
    pub(super) fn locate_settings(
        self,
        args: &SettingsArgs,
        places: &Places,
    ) -> Result<SettingsOwner, CommandError> {
        if args.place.here {
            return project_root(places).map(SettingsOwner::Project);
        }
        users_folder(places, self.user()).map(SettingsOwner::User)
    }

    /// Prepares a change that adds entries for these events, or for the default ones.
    pub(super) fn prepare_install<'a>(
        self,
        (place, events): (&SettingsOwner, &'a [String]),
        command: &OwnCommand,
    ) -> Result<AgentChange<'a>, CommandError> {
        let what = match self {
            Self::Settings(settings) => {
                AnyChange::Settings(settings_change::prepare_install(settings, (place, events), command)?)
            }
            Self::Cline => AnyChange::Cline(cline_change::prepare_install(place, events, command)?),
        };
        Ok(AgentChange { agent: self, what, is_install: true })
    }

    /// Prepares a change that removes every entry of hookbox's.
    pub(super) fn prepare_uninstall(
        self,
        place: &SettingsOwner,
        places: &Places,
    ) -> Result<AgentChange<'static>, CommandError> {
        let what = match self {
            Self::Settings(settings) => {
                AnyChange::Settings(settings_change::prepare_uninstall(settings, place, places)?)
            }
            Self::Cline => AnyChange::Cline(cline_change::prepare_uninstall(place)?),
        };
        Ok(AgentChange { agent: self, what, is_install: false })
    }
}

pub(super) struct AgentChange<'a> {
    pub(super) agent: InstallableAgent,
    what: AnyChange<'a>,
    is_install: bool,
}

enum AnyChange<'a> {
    Settings(SettingsChange<'a>),
    Cline(ClineChange),
}

impl AgentChange<'_> {
    /// Returns the path of the file, or of Cline's folder.
    pub(super) fn path(&self) -> PathBuf {
        match &self.what {
            AnyChange::Settings(change) => change.location().path(),
            AnyChange::Cline(change) => change.folder().to_owned(),
        }
    }

    pub(super) fn place(&self) -> String {
        report::sanitize_line(&self.path().display().to_string())
    }

    /// Returns the text of the settings file after the change; `None` for Cline.
    pub(super) fn text(&self) -> Option<(&'static AgentSettings, &str)> {
        match (&self.what, self.agent) {
            (AnyChange::Settings(change), InstallableAgent::Settings(settings)) => {
                Some((settings, change.text()))
            }
            _ => None,
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        match &self.what {
            AnyChange::Settings(change) => change.is_nothing(),
            AnyChange::Cline(change) => change.is_nothing(),
        }
    }

    pub(super) fn show(&self, printer: &Printer) {
        match &self.what {
            AnyChange::Settings(change) => change.show(printer),
            AnyChange::Cline(change) => change.show(printer),
        }
    }

    /// Writes the change, and reports it: what was done, or that another hookbox has done it.
    pub(super) fn write_change(&self, places: &Places, printer: &Printer) -> Result<(), CommandError> {
        let count = match &self.what {
            AnyChange::Settings(change) => change.write(),
            AnyChange::Cline(change) => change.write(),
        };
        let count = count.map_err(problem_error)?;
        // The change was computed before the question, and the file may have changed since.
        if count == 0 {
            let place = self.place();
            printer.print_line(&format!("nothing is left to do: another hookbox has changed {place}"));
            return Ok(());
        }
        let done = if self.is_install { "installed for" } else { "removed from" };
        let events = if count == 1 { "event" } else { "events" };
        printer.print_line(&format!("{done} {count} {events}: {}", self.place()));
        self.record_former_state(places);
        Ok(())
    }

    /// Records the state before hookbox. A second installation does not, since its former state is hookbox's own doing.
    fn record_former_state(&self, places: &Places) {
        let Some(record) = open_install_record(places) else { return };
        let path = self.path();
        match (self.is_install, self.before()) {
            (true, Some(before)) if before != OriginalFile::Other || record.find_before(&path).is_none() => {
                record.set_before(&path, Some(before));
            }
            (true, _) => {}
            (false, _) => {
                let before = record.find_before(&path);
                record.set_before(&path, None);
                self.remove_folders(before);
            }
        }
    }

    fn before(&self) -> Option<OriginalFile> {
        match &self.what {
            AnyChange::Settings(change) => change.before(),
            AnyChange::Cline(change) => Some(change.before()),
        }
    }

    /// Removes the folders that were created for a removed file.
    fn remove_folders(&self, before: Option<OriginalFile>) {
        let Some(before) = before else { return };
        match &self.what {
            AnyChange::Settings(change) if change.is_removal() => {
                if let Some(folder) = self.path().parent() {
                    before.remove_folders(folder);
                }
            }
            AnyChange::Settings(_) => {}
            AnyChange::Cline(change) => before.remove_folders(change.folder()),
        }
    }

    /// Removes the record of settings without entries, which is of no use any more.
    pub(super) fn remove_record(&self, places: &Places) {
        if let Some(record) = open_install_record(places) {
            record.set_before(&self.path(), None);
        }
    }
}

pub(super) fn open_install_record(places: &Places) -> Option<InstallRecord> {
    places.state().map(|state| InstallRecord::new(&state))
}

/// Returns the root of the project around the current folder.
pub(super) fn project_root(places: &Places) -> Result<PathBuf, CommandError> {
    let root = places.project_root(&environment::current_folder());
    root.map_err(|error| usage_error(format!("{error}, or leave out --here")))
}

pub(super) fn users_folder(places: &Places, folder: &UserFolder) -> Result<PathBuf, CommandError> {
    let folder = places.settings_folder(folder, &environment::read_variable);
    folder.ok_or_else(|| problem_error("the home folder is unknown; set HOME"))
}
