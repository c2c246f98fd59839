//! `hookbox install` and `hookbox uninstall`: hookbox's entry in an agent's own settings.

use std::{io::BufRead, path::PathBuf};

use hookbox::{
    config::did_you_mean,
    dialect::{
        self, Dialect,
        settings::{self, AgentSettings, Edit, Entry, HooksMember, OwnCommand, SettingsError},
    },
};
use similar::{ChangeTag, TextDiff};

use super::trust;
use crate::{
    args::{InstallArgs, SettingsArgs},
    environment,
    exit::ExitStatus,
    install_record::{Before, InstallRecord},
    places::Places,
    printer::{DIM, ERROR, GOOD, Printer, WARNING},
    program_file, report,
    settings_file::{Found, Location},
};

/// What kept a command from its work, and how it ends.
type Stopped = (ExitStatus, String);

/// Lines shown around a change.
const CONTEXT_LINES: usize = 3;
/// Longest answer to a question, bytes.
const MAX_REPLY: u64 = 64;

pub(super) fn install(args: &InstallArgs, printer: &Printer) -> ExitStatus {
    ended(try_install(args, printer), printer)
}

pub(super) fn uninstall(args: &SettingsArgs, printer: &Printer) -> ExitStatus {
    ended(try_uninstall(args, printer), printer)
}

fn ended(result: Result<(), Stopped>, printer: &Printer) -> ExitStatus {
    match result {
        Ok(()) => ExitStatus::Success,
        Err((status, message)) => {
            printer.error(&message);
            status
        }
    }
}

fn try_install(args: &InstallArgs, printer: &Printer) -> Result<(), Stopped> {
    let settings = agent(&args.settings.agent)?;
    let dialect = spoken(settings)?;
    let events = events(&args.events, settings, dialect)?;
    let places = Places::of_terminal();
    let location = location(&args.settings, settings, &places)?;
    let program = program(&location, &places, printer)?;
    let command = OwnCommand::new(&program, &places.arguments()).map_err(|unfit| {
        problem(format!("{} cannot stand in an entry: {}", unfit.path.display(), unfit.problem))
    })?;
    let change = Change::find(location, |text| {
        settings::install(text, settings, &command, &entries(dialect, &events))
    })?;
    if change.edit.events.is_empty() {
        printer.line(&format!("nothing to do: {} has it already", change.path()));
    } else if change.make(&args.settings, "installed for", printer)?
        && let Some(before) = before(&change.found, settings)
        && let Some(record) = record(&places)
    {
        record.set(&change.location.path(), Some(before));
    }
    trust::tell(settings, (&change.location.path(), &change.edit.text), &places, printer);
    Ok(())
}

/// What the file was, if it will not be known from it any more.
fn before(found: &Found, settings: &AgentSettings) -> Option<Before> {
    if !found.is_there() {
        return Some(Before::NoFile);
    }
    settings::has_empty_hooks(&found.text, settings).then_some(Before::EmptyHooks)
}

fn record(places: &Places) -> Option<InstallRecord> {
    places.state().map(|state| InstallRecord::new(&state))
}

/// The program that the entry names; refused if others than the user could change it.
fn program(location: &Location, places: &Places, printer: &Printer) -> Result<PathBuf, Stopped> {
    let program = program_file::named();
    let program = program.ok_or_else(|| problem("the place of this program is not known".to_owned()))?;
    let compiler = environment::compiler().filter(|compiler| compiler.exists());
    for file in std::iter::once(&program).chain(&compiler) {
        if let Some(refusal) = program_file::refusal(file) {
            return Err(problem(refusal));
        }
    }
    if let Location::Project { root, .. } = location
        && program.starts_with(root)
    {
        let why = "it lies in the very project whose agent is to ask it";
        return Err(problem(program_file::advised(&program, why)));
    }
    if let Some(project) = program_file::project_around(&program, places) {
        let why = format!("whoever works in {} could change it", project.display());
        printer.note(&format!("{WARNING}warning{WARNING:#}: {}", program_file::advised(&program, &why)));
    }
    Ok(program)
}

fn try_uninstall(args: &SettingsArgs, printer: &Printer) -> Result<(), Stopped> {
    let settings = agent(&args.agent)?;
    let places = Places::of_terminal();
    let location = location(args, settings, &places)?;
    let (record, path) = (record(&places), location.path());
    let before = record.as_ref().and_then(|record| record.of(&path));
    let hooks = if before == Some(Before::EmptyHooks) { HooksMember::Kept } else { HooksMember::Removed };
    let mut change = Change::find(location, |text| settings::uninstall(text, settings, hooks))?;
    if change.edit.events.is_empty() {
        printer.line(&format!("nothing to do: {} has no entry of hookbox's", change.path()));
        return Ok(());
    }
    change.is_removal = before == Some(Before::NoFile) && holds_nothing(&change.edit.text);
    if change.make(args, "taken out of", printer)?
        && let Some(record) = record
    {
        record.set(&path, None);
    }
    Ok(())
}

/// Is there nothing that an agent or a person has written?
fn holds_nothing(text: &str) -> bool {
    let dense: String = text.split_whitespace().collect();
    dense == "{}" || dense == "{\"version\":1}"
}

fn agent(name: &str) -> Result<&'static AgentSettings, Stopped> {
    settings::named(name).ok_or_else(|| {
        let known: Vec<_> = settings::all().iter().map(|settings| settings.agent).collect();
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
    /// Is the file to go, since it was made for what it held?
    is_removal: bool,
}

impl Change {
    fn find(
        location: Location,
        edit: impl FnOnce(&str) -> Result<Edit, SettingsError>,
    ) -> Result<Self, Stopped> {
        let found = location.read().map_err(problem)?;
        let edit = edit(&found.text).map_err(|error| {
            let path = location.path();
            problem(format!("{}: {error}; nothing was changed", path.display()))
        })?;
        Ok(Self { location, found, edit, is_removal: false })
    }

    fn path(&self) -> String {
        report::plain(&self.location.path().display().to_string())
    }

    /// Shows the change, asks, writes. Was it written?
    fn make(&self, args: &SettingsArgs, done: &str, printer: &Printer) -> Result<bool, Stopped> {
        self.show(printer);
        if args.dry_run {
            printer.note("nothing was written (--dry-run)");
            return Ok(false);
        }
        if !args.yes && !self.agreed(printer)? {
            printer.note("nothing was written");
            return Ok(false);
        }
        if self.is_removal {
            self.location.remove(&self.found, &self.edit.text).map_err(problem)?;
        } else {
            self.location.replace(&self.found, &self.edit.text).map_err(problem)?;
        }
        let count = self.edit.events.len();
        let events = if count == 1 { "event" } else { "events" };
        printer.line(&format!("{done} {count} {events}: {}", self.path()));
        Ok(true)
    }

    fn show(&self, printer: &Printer) {
        let path = self.path();
        printer.line(&format!("--- {path}\n+++ {}", if self.is_removal { "/dev/null" } else { &path }));
        let text = if self.is_removal { "" } else { &self.edit.text };
        let diff = TextDiff::from_lines(self.found.text.as_str(), text);
        for hunk in diff.unified_diff().context_radius(CONTEXT_LINES).iter_hunks() {
            printer.line(&format!("{DIM}{}{DIM:#}", hunk.header()));
            for change in hunk.iter_changes() {
                let text = report::plain(change.value().trim_end_matches(['\r', '\n']));
                printer.line(&match change.tag() {
                    ChangeTag::Equal => format!(" {text}"),
                    ChangeTag::Delete => format!("{ERROR}-{text}{ERROR:#}"),
                    ChangeTag::Insert => format!("{GOOD}+{text}{GOOD:#}"),
                });
            }
        }
    }

    fn agreed(&self, printer: &Printer) -> Result<bool, Stopped> {
        if !rustix::termios::isatty(rustix::stdio::stdin()) {
            return Err(usage(
                "nothing was written: there is no terminal to ask on; say --yes to write this".into(),
            ));
        }
        printer.raw_error(&format!("Write this to {}? [y/N] ", self.path()));
        let mut reply = String::new();
        let read = std::io::Read::take(std::io::stdin().lock(), MAX_REPLY).read_line(&mut reply);
        Ok(read.is_ok() && matches!(reply.trim().to_lowercase().as_str(), "y" | "yes"))
    }
}

fn location(args: &SettingsArgs, settings: &AgentSettings, places: &Places) -> Result<Location, Stopped> {
    if args.project {
        let (folder, file) = (settings.project, settings.file);
        let root = places.project_root(&environment::current_folder()).map_err(usage)?;
        return Ok(Location::Project { root, folder, file });
    }
    let folder = places.settings_folder(&settings.user);
    let folder = folder.ok_or_else(|| problem("no home folder is known; set HOME".to_owned()))?;
    Ok(Location::User(folder.join(settings.file)))
}

fn usage(message: String) -> Stopped {
    (ExitStatus::Usage, message)
}

fn problem(message: String) -> Stopped {
    (ExitStatus::Problems, message)
}
