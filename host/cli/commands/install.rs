//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use hookbox::{
    config::did_you_mean,
    dialect::{
        self, Dialect,
        settings::{self, AgentSettings, Edit, Entry, HooksMember, UserFolder},
    },
};
use hookbox_files::{
    install_record::{Before, InstallRecord},
    places::Places,
    settings_file::{FileError, Location, MakeEdit},
};

use super::{install_files, offer, own_command, trust};
use crate::{
    args::{InstallArgs, SettingsArgs},
    environment,
    exit::ExitStatus,
    printer::Printer,
    report,
};

/// What kept a command from its work, and how it ends.
pub(super) type Stopped = (ExitStatus, String);

pub(super) fn install(args: &InstallArgs, printer: &Printer) -> ExitStatus {
    ended(try_install(args, printer), printer)
}

pub(super) fn uninstall(args: &SettingsArgs, printer: &Printer) -> ExitStatus {
    ended(try_uninstall(args, printer), printer)
}

pub(super) fn ended(result: Result<(), Stopped>, printer: &Printer) -> ExitStatus {
    match result {
        Ok(()) => ExitStatus::Success,
        Err((status, message)) => {
            printer.error(&message);
            status
        }
    }
}

fn try_install(args: &InstallArgs, printer: &Printer) -> Result<(), Stopped> {
    if let Some(agent) = install_files::Agent::named(&args.settings.agent) {
        return install_files::install(agent, args, printer);
    }
    let settings = agent(&args.settings.agent)?;
    let dialect = spoken(settings)?;
    let events = events(&args.events, settings, dialect)?;
    let places = Places::of_terminal(&environment::variable);
    let location = location(&args.settings, settings, &places)?;
    silences_nothing(settings, &location)?;
    let command = own_command::of(location.project(), &places, printer)?;
    let entries = entries(dialect, &events);
    let edit = |text: &str| settings::install(text, settings, &command, &entries);
    let change = Change::find(location, &edit)?;
    let path = change.location.path();
    let before = before(&path, change.found.as_deref(), settings);
    if change.edit.events.is_empty() {
        printer.line(&format!("nothing to do: {} has it already", change.path()));
    } else if change.make(&args.settings, "installed for", printer)? {
        remember(&path, before, &places);
    }
    trust::tell(settings, (&change.location.path(), &change.edit.text), &places, printer);
    Ok(())
}

/// A file that is made new may keep the agent from heeding the hooks of another one.
fn silences_nothing(settings: &AgentSettings, location: &Location) -> Result<(), Stopped> {
    let Some(other) = settings.instead_of else { return Ok(()) };
    let path = location.path();
    let other = path.with_file_name(other);
    let text = if path.exists() { None } else { fs::read_to_string(&other).ok() };
    if !text.is_some_and(|text| settings::holds_hooks(&text)) {
        return Ok(());
    }
    Err(problem(format!(
        "{} has hooks, and {} heeds them only while {} is not there: move what is in `hooks` into that file first; nothing was \
         changed",
        report::plain(&other.display().to_string()),
        settings.agent,
        report::plain(&path.display().to_string()),
    )))
}

/// What the file was, which will not be known from it any more.
fn before(path: &Path, found: Option<&str>, settings: &AgentSettings) -> Before {
    match found {
        None => Before::no_file(path.parent().unwrap_or(path)),
        Some(text) if settings::has_empty_hooks(text, settings) => Before::EmptyHooks,
        Some(_) => Before::Other,
    }
}

/// Keeps what was there before hookbox; what is there at a second time is hookbox's own doing.
pub(super) fn remember(path: &Path, before: Before, places: &Places) {
    if let Some(record) = record(places)
        && (before != Before::Other || record.of(path).is_none())
    {
        record.set(path, Some(before));
    }
}

/// What is not there need not be known any more.
pub(super) fn forget(path: &Path, args: &SettingsArgs, places: &Places) {
    if let Some(record) = record(places).filter(|_| !args.dry_run) {
        record.set(path, None);
    }
}

pub(super) fn record(places: &Places) -> Option<InstallRecord> {
    places.state().map(|state| InstallRecord::new(&state))
}

fn try_uninstall(args: &SettingsArgs, printer: &Printer) -> Result<(), Stopped> {
    if let Some(agent) = install_files::Agent::named(&args.agent) {
        return install_files::uninstall(agent, args, printer);
    }
    let settings = agent(&args.agent)?;
    let places = Places::of_terminal(&environment::variable);
    let location = location(args, settings, &places)?;
    let (record, path) = (record(&places), location.path());
    let before = record.as_ref().and_then(|record| record.of(&path));
    let hooks = if before == Some(Before::EmptyHooks) { HooksMember::Kept } else { HooksMember::Removed };
    let edit = |text: &str| settings::uninstall(text, settings, hooks);
    let mut change = Change::find(location, &edit)?;
    if change.edit.events.is_empty() {
        printer.line(&format!("nothing to do: {} has no entry of hookbox's", change.path()));
        forget(&path, args, &places);
        return Ok(());
    }
    let goes = matches!(before, Some(Before::NoFile(_))) || settings.is_file_of_its_own();
    change.is_removal = goes && holds_nothing(&change.edit.text);
    if change.make(args, "taken out of", printer)?
        && let Some(record) = record
    {
        record.set(&path, None);
        if let (true, Some(before), Some(folder)) = (change.is_removal, before, path.parent()) {
            before.remove_folders(folder);
        }
    }
    Ok(())
}

/// Is there nothing that an agent or a person has written?
fn holds_nothing(text: &str) -> bool {
    let dense: String = text.split_whitespace().collect();
    dense.is_empty() || dense == "{}" || dense == "{\"version\":1}"
}

fn agent(name: &str) -> Result<&'static AgentSettings, Stopped> {
    settings::named(name).ok_or_else(|| {
        let known: Vec<_> =
            settings::all().map(|settings| settings.agent).chain(install_files::AGENTS).collect();
        usage(format!(
            "no settings of an agent `{}` are known; {}",
            report::plain(name),
            did_you_mean(name, &known)
        ))
    })
}

/// An entry whose answers the agent does not understand would block everything, or nothing.
fn spoken(settings: &AgentSettings) -> Result<&'static dyn Dialect, Stopped> {
    dialect::named(settings.agent).ok_or_else(|| {
        let agent = settings.agent;
        usage(format!(
            "this hookbox does not speak {agent} yet, so it is not installed there; see `hookbox dialects`"
        ))
    })
}

/// The events that get the entry; those named on the command line must be the agent's.
fn events<'a>(
    named: &'a [String],
    settings: &AgentSettings,
    dialect: &dyn Dialect,
) -> Result<Vec<&'a str>, Stopped> {
    if named.is_empty() {
        return Ok(settings.usual.to_vec());
    }
    let mut known: Vec<_> = dialect.events().into_iter().map(|(event, _)| event).collect();
    known.dedup();
    let mut events: Vec<&str> = Vec::new();
    for event in named.iter().map(|event| event.trim()) {
        if !known.contains(&event) {
            let (agent, shown) = (settings.agent, report::plain(event));
            return Err(usage(format!("{agent} has no event `{shown}`; {}", did_you_mean(event, &known))));
        }
        if !events.contains(&event) {
            events.push(event);
        }
    }
    Ok(events)
}

/// Each event with the time that hookbox takes the agent to wait.
fn entries<'a>(dialect: &dyn Dialect, events: &[&'a str]) -> Vec<Entry<'a>> {
    let table = dialect.events();
    let patience = |event: &str| {
        let (_, canonical) = table.iter().find(|(name, _)| *name == event)?;
        Some(dialect.patience(canonical))
    };
    events.iter().map(|event| Entry { event, timeout: patience(event) }).collect()
}

/// One file and what it is to become.
struct Change<'a> {
    location: Location,
    /// `None` if there was no file.
    found: Option<String>,
    edit: Edit,
    make_edit: MakeEdit<'a>,
    /// Is the file to go, since it was made for what it held?
    is_removal: bool,
}

impl<'a> Change<'a> {
    fn find(location: Location, make_edit: MakeEdit<'a>) -> Result<Self, Stopped> {
        let found = location.look().map_err(problem)?;
        let edit = location.edited(found.as_deref().unwrap_or_default(), make_edit).map_err(problem)?;
        Ok(Self { location, found, edit, make_edit, is_removal: false })
    }

    fn path(&self) -> String {
        report::plain(&self.location.path().display().to_string())
    }

    /// Shows the change, asks, writes. Was it written?
    fn make(&self, args: &SettingsArgs, done: &str, printer: &Printer) -> Result<bool, Stopped> {
        let before = self.found.as_deref().unwrap_or_default();
        let after = (!self.is_removal).then_some(self.edit.text.as_str());
        offer::show(&self.path(), before, after, printer);
        if !offer::accepted(args, &self.path(), printer)? {
            return Ok(false);
        }
        let count = self.write(before).map_err(problem)?;
        if count == 0 {
            printer.line(&format!(
                "nothing was left to do: another hookbox has changed {} meanwhile",
                self.path()
            ));
            return Ok(false);
        }
        let events = if count == 1 { "event" } else { "events" };
        printer.line(&format!("{done} {count} {events}: {}", self.path()));
        Ok(true)
    }

    /// For how many events something was changed.
    fn write(&self, before: &str) -> Result<usize, FileError> {
        if self.is_removal {
            self.location.remove(before, &self.edit.text)?;
            return Ok(self.edit.events.len());
        }
        Ok(self.location.edit(self.make_edit)?.events.len())
    }
}

fn location(args: &SettingsArgs, settings: &AgentSettings, places: &Places) -> Result<Location, Stopped> {
    if args.project {
        let (agent, file) = (settings.agent, settings.file);
        let folder = settings
            .project
            .ok_or_else(|| usage(format!("{agent} has no hook file of a project; leave out --project")))?;
        return Ok(Location::Project { root: project_root(places)?, folder, file });
    }
    Ok(Location::User(users_folder(places, &settings.user)?.join(settings.file)))
}

/// The project around the current folder.
pub(super) fn project_root(places: &Places) -> Result<PathBuf, Stopped> {
    let root = places.project_root(&environment::current_folder());
    root.map_err(|error| usage(format!("{error}, or leave out --project")))
}

/// The folder of an agent's settings, of the user.
pub(super) fn users_folder(places: &Places, folder: &UserFolder) -> Result<PathBuf, Stopped> {
    let folder = places.settings_folder(folder, &environment::variable);
    folder.ok_or_else(|| problem("no home folder is known; set HOME"))
}

pub(super) fn usage(message: String) -> Stopped {
    (ExitStatus::Usage, message)
}

pub(super) fn problem(message: impl fmt::Display) -> Stopped {
    (ExitStatus::Problems, message.to_string())
}
