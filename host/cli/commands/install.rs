//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use super::{install_files, offer};
use crate::{
    args::{InstallArgs, SettingsArgs},
    exit::ExitStatus,
    places::{self, Places},
    printer::{ERROR, Printer},
    report,
    settings_file::{Found, Location},
};
use hookbox::{
    config::did_you_mean,
    dialect::{
        self, Dialect,
        settings::{self, AgentSettings, Edit, Entry, SettingsError},
    },
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
    let change = Change::find(&args.settings, settings, |text| {
        settings::install(text, settings, &entries(dialect, &events))
    })?;
    if change.edit.events.is_empty() {
        printer.line(&format!("nothing to do: {} has it already", change.path()));
    } else {
        change.make(&args.settings, "installed for", printer)?;
    }
    if !places::is_in_path("hookbox") {
        printer.note(&format!(
            "{ERROR}warning{ERROR:#}: `hookbox` is in no folder of your PATH; {} would not find it, and would let \
             everything through",
            settings.agent
        ));
    }
    Ok(())
}

fn try_uninstall(args: &SettingsArgs, printer: &Printer) -> Result<(), Stopped> {
    if let Some(agent) = install_files::Agent::named(&args.agent) {
        return install_files::uninstall(agent, args, printer);
    }
    let settings = agent(&args.agent)?;
    let change = Change::find(args, settings, |text| settings::uninstall(text, settings))?;
    if change.edit.events.is_empty() {
        printer.line(&format!("nothing to do: {} has no entry of hookbox's", change.path()));
        return Ok(());
    }
    change.make(args, "taken out of", printer)
}

fn agent(name: &str) -> Result<&'static AgentSettings, Stopped> {
    settings::named(name).ok_or_else(|| {
        let known: Vec<_> =
            settings::all().iter().map(|settings| settings.agent).chain(install_files::AGENTS).collect();
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
struct Change {
    location: Location,
    found: Found,
    edit: Edit,
}

impl Change {
    fn find(
        args: &SettingsArgs,
        settings: &AgentSettings,
        edit: impl FnOnce(&str) -> Result<Edit, SettingsError>,
    ) -> Result<Self, Stopped> {
        let location = location(args, settings)?;
        let found = location.read().map_err(problem)?;
        let edit = edit(&found.text).map_err(|error| {
            let path = location.path();
            problem(format!("{}: {error}; nothing was changed", path.display()))
        })?;
        Ok(Self { location, found, edit })
    }

    fn path(&self) -> String {
        report::plain(&self.location.path().display().to_string())
    }

    /// Shows the change, asks, writes.
    fn make(&self, args: &SettingsArgs, done: &str, printer: &Printer) -> Result<(), Stopped> {
        offer::show(&self.path(), &self.found.text, &self.edit.text, printer);
        if !offer::accepted(args, &self.path(), printer)? {
            return Ok(());
        }
        self.location.replace(&self.found, &self.edit.text).map_err(problem)?;
        let count = self.edit.events.len();
        let events = if count == 1 { "event" } else { "events" };
        printer.line(&format!("{done} {count} {events}: {}", self.path()));
        Ok(())
    }
}

fn location(args: &SettingsArgs, settings: &AgentSettings) -> Result<Location, Stopped> {
    let places = Places::find();
    if args.project {
        let (folder, file) = (settings.project, settings.file);
        let root = places.project_root(&places::current_folder()).map_err(usage)?;
        return Ok(Location::Project { root, folder, file });
    }
    let folder = places.settings_folder(&settings.user);
    let folder = folder.ok_or_else(|| problem("no home folder is known; set HOME".to_owned()))?;
    Ok(Location::User(folder.join(settings.file)))
}

pub(super) fn usage(message: String) -> Stopped {
    (ExitStatus::Usage, message)
}

pub(super) fn problem(message: String) -> Stopped {
    (ExitStatus::Problems, message)
}
