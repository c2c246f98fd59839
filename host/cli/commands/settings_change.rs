//! A change of an agent's settings file: computed first, then shown, then written.

use std::{fs, path::Path};

use hookbox::{
    agents::{
        self, Dialect,
        settings::{self, AgentSettings, Edit, Entry, HooksMember, OwnCommand, SettingsError},
    },
    config::did_you_mean,
};
use hookbox_app::{
    install_record::OriginalFile,
    places::Places,
    settings_file::{FileError, Location},
};

use super::{
    agent_change::{self, CommandError, SettingsOwner, problem_error, usage_error},
    change_consent,
};
use crate::{printer::Printer, report};

type MakeEdit<'a> = Box<dyn Fn(&str) -> Result<Edit, SettingsError> + 'a>;

pub(super) struct SettingsChange<'a> {
    location: Location,
    /// `None` if the file did not exist.
    found: Option<String>,
    edit: Edit,
    make_edit: MakeEdit<'a>,
    /// True if the file is removed, because it was created for its entries.
    is_removal: bool,
    before: Option<OriginalFile>,
}

/// Prepares hookbox's entries for these events, or for the default ones.
pub(super) fn prepare_install<'a>(
    settings: &'static AgentSettings,
    (place, named): (&SettingsOwner, &'a [String]),
    command: &OwnCommand,
) -> Result<SettingsChange<'a>, CommandError> {
    let dialect = find_dialect(settings)?;
    let entries = build_entries(settings.agent, dialect, &choose_events(named, settings, dialect)?);
    let location = locate_settings(settings, place)?;
    check_replaced_file(settings, &location)?;
    let command = command.clone();
    let mut change = SettingsChange::from_edit(
        location,
        Box::new(move |text| settings::install_entries(text, settings, &command, &entries)),
    )?;
    change.before = Some(find_former_state(&change.location.path(), change.found.as_deref(), settings));
    Ok(change)
}

/// Prepares the removal of every entry of hookbox's, and of the file if it was created for them.
pub(super) fn prepare_uninstall(
    settings: &'static AgentSettings,
    place: &SettingsOwner,
    places: &Places,
) -> Result<SettingsChange<'static>, CommandError> {
    let location = locate_settings(settings, place)?;
    let before =
        agent_change::open_install_record(places).and_then(|record| record.find_before(&location.path()));
    let hooks =
        if before == Some(OriginalFile::EmptyHooks) { HooksMember::Kept } else { HooksMember::Removed };
    let make_edit = Box::new(move |text: &str| settings::uninstall_entries(text, settings, hooks));
    let mut change = SettingsChange::from_edit(location, make_edit)?;
    let goes = matches!(before, Some(OriginalFile::NoFile(_))) || settings.is_file_of_its_own();
    change.is_removal = goes && !change.is_nothing() && holds_nothing(&change.edit.text);
    change.before = before;
    Ok(change)
}

impl<'a> SettingsChange<'a> {
    fn from_edit(location: Location, make_edit: MakeEdit<'a>) -> Result<Self, CommandError> {
        let found = location.look().map_err(problem_error)?;
        let edit =
            location.edit_text(found.as_deref().unwrap_or_default(), &*make_edit).map_err(problem_error)?;
        Ok(Self { location, found, edit, make_edit, is_removal: false, before: None })
    }

    pub(super) fn location(&self) -> &Location {
        &self.location
    }

    /// Returns the text of the file after the change.
    pub(super) fn text(&self) -> &str {
        &self.edit.text
    }

    pub(super) fn before(&self) -> Option<OriginalFile> {
        self.before
    }

    pub(super) fn is_removal(&self) -> bool {
        self.is_removal
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.edit.events.is_empty()
    }

    pub(super) fn show(&self, printer: &Printer) {
        let before = self.found.as_deref().unwrap_or_default();
        let after = (!self.is_removal).then_some(self.edit.text.as_str());
        change_consent::show_change(
            &report::sanitize_line(&self.location.path().display().to_string()),
            before,
            after,
            printer,
        );
    }

    /// Writes the change; returns the number of changed events.
    pub(super) fn write(&self) -> Result<usize, FileError> {
        if self.is_removal {
            self.location.remove_file(self.found.as_deref().unwrap_or_default(), &self.edit.text)?;
            return Ok(self.edit.events.len());
        }
        Ok(self.location.edit_file(&*self.make_edit)?.events.len())
    }
}

/// Returns an error if creating the file would make the agent ignore the hooks of another one.
fn check_replaced_file(settings: &AgentSettings, location: &Location) -> Result<(), CommandError> {
    let Some(other) = settings.instead_of else { return Ok(()) };
    let path = location.path();
    let other = path.with_file_name(other);
    // Where the file is there already, the agent ignores the other one anyway.
    let text = if path.exists() { None } else { fs::read_to_string(&other).ok() };
    if !text.is_some_and(|text| settings::holds_hooks(&text)) {
        return Ok(());
    }
    Err(problem_error(format!(
        "{} has hooks, and {} reads them only while {} is not there: move what is in `hooks` into that file first; nothing was \
         changed",
        report::sanitize_line(&other.display().to_string()),
        settings.agent,
        report::sanitize_line(&path.display().to_string()),
    )))
}

/// Returns the state of the file, which the changed file will not show any more.
fn find_former_state(path: &Path, found: Option<&str>, settings: &AgentSettings) -> OriginalFile {
    match found {
        None => OriginalFile::no_file(path.parent().unwrap_or(path)),
        Some(text) if settings::has_empty_hooks(text, settings) => OriginalFile::EmptyHooks,
        Some(_) => OriginalFile::Other,
    }
}

/// Returns true if the text contains nothing from an agent or a user.
fn holds_nothing(text: &str) -> bool {
    let dense: String = text.split_whitespace().collect();
    // Some agents require `version` in their hook file, so `install` writes it as well.
    dense.is_empty() || dense == "{}" || dense == "{\"version\":1}"
}

/// Returns the agent's dialect. An entry whose answers the agent does not understand would block everything, or nothing.
fn find_dialect(settings: &AgentSettings) -> Result<&'static dyn Dialect, CommandError> {
    agents::find_dialect(settings.agent).ok_or_else(|| {
        let agent = settings.agent;
        usage_error(format!(
            "this hookbox does not speak {agent} yet, so it is not installed there; see `hookbox dialects`"
        ))
    })
}

/// Returns the events that get the entry; those named on the command line must be the agent's.
fn choose_events<'a>(
    named: &'a [String],
    settings: &AgentSettings,
    dialect: &dyn Dialect,
) -> Result<Vec<&'a str>, CommandError> {
    if named.is_empty() {
        return Ok(settings.usual.to_vec());
    }
    let mut known: Vec<_> = dialect.events().into_iter().map(|(event, _)| event).collect();
    // One event of an agent may be several of hookbox's.
    known.dedup();
    let mut events: Vec<&str> = Vec::new();
    for event in named.iter().map(|event| event.trim()) {
        if !known.contains(&event) {
            let (agent, shown) = (settings.agent, report::sanitize_line(event));
            return Err(usage_error(format!(
                "{agent} has no event `{shown}`; {}",
                did_you_mean(event, &known)
            )));
        }
        if !events.contains(&event) {
            events.push(event);
        }
    }
    Ok(events)
}

/// Returns each event with the agent timeout for its entry.
fn build_entries<'a>(agent: &str, dialect: &dyn Dialect, events: &[&'a str]) -> Vec<Entry<'a>> {
    let table = dialect.events();
    let agent_timeout = |event: &str| {
        let (_, canonical) = table.iter().find(|(name, _)| *name == event)?;
        Some(settings::entry_timeout(agent, event, dialect.agent_timeout(canonical)))
    };
    events.iter().map(|event| Entry { event, timeout: agent_timeout(event) }).collect()
}

fn locate_settings(settings: &AgentSettings, place: &SettingsOwner) -> Result<Location, CommandError> {
    match place {
        SettingsOwner::User(folder) => Ok(Location::User(folder.join(settings.file))),
        SettingsOwner::Project(root) => {
            let (agent, file) = (settings.agent, settings.file);
            let folder = settings.project.ok_or_else(|| {
                usage_error(format!("{agent} has no hook file of a project; leave out --here"))
            })?;
            Ok(Location::Project { root: root.clone(), folder, file })
        }
    }
}
