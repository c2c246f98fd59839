//! `install` and `uninstall` where the agent has no settings file to edit: Cline's folder of executable files.

use std::path::PathBuf;

use hookbox::{
    config::did_you_mean,
    dialect::settings::{UserFolder, cline},
};
use hookbox_files::{
    install_record::Before,
    places::Places,
    settings_file::{Kind, Location},
};
use hookbox_platform::file::is_run_by_owner;

use super::{
    install::{self, Stopped, problem, usage},
    offer, own_command,
};
use crate::{
    args::{InstallArgs, SettingsArgs},
    environment,
    printer::Printer,
    report,
};

/// An agent of this kind.
#[derive(Clone, Copy)]
pub(super) enum Agent {
    Cline,
}

/// Their names.
pub(super) const AGENTS: [&str; 1] = [cline::AGENT];

impl Agent {
    pub(super) fn named(name: &str) -> Option<Self> {
        (name == cline::AGENT).then_some(Self::Cline)
    }

    /// The events that can be named on the command line; Cline's by the names of its files.
    fn known(self) -> Vec<&'static str> {
        match self {
            Self::Cline => cline::USUAL.iter().chain(cline::OTHER).copied().collect(),
        }
    }

    pub(super) fn usual(self) -> &'static [&'static str] {
        match self {
            Self::Cline => cline::USUAL,
        }
    }

    /// The events to install for.
    fn chosen(self, named: &[String]) -> Result<Vec<&'static str>, Stopped> {
        if named.is_empty() {
            return Ok(self.usual().to_vec());
        }
        let known = self.known();
        let choose = |event: &String| {
            let event = event.trim();
            known.iter().copied().find(|known| *known == event).ok_or_else(|| {
                usage(format!(
                    "there is no event `{}`; {}",
                    report::plain(event),
                    did_you_mean(event, &known)
                ))
            })
        };
        named.iter().map(choose).collect()
    }
}

pub(super) fn install(agent: Agent, args: &InstallArgs, printer: &Printer) -> Result<(), Stopped> {
    let events = agent.chosen(&args.events)?;
    let project = args.settings.project.then(root).transpose()?;
    let command = own_command::of(project.as_deref(), &places(), printer)?;
    let changes = match agent {
        Agent::Cline => {
            let script = cline::script(&command);
            scripts(&args.settings, &events, &|there| installed(there, &script))?
        }
    };
    let place = place(agent, &args.settings)?;
    if changes.is_empty() {
        printer.line(&format!("nothing to do: {place} has it already"));
        return Ok(());
    }
    let made = Made::of(agent, &args.settings)?;
    let before = made.before();
    if make(&changes, &args.settings, ("installed for", &place), printer)? {
        install::remember(&made.path, before, &places());
    }
    Ok(())
}

pub(super) fn uninstall(agent: Agent, args: &SettingsArgs, printer: &Printer) -> Result<(), Stopped> {
    let changes = match agent {
        Agent::Cline => scripts(args, &agent.known(), &taken_away)?,
    };
    let (place, made) = (place(agent, args)?, Made::of(agent, args)?);
    if changes.is_empty() {
        printer.line(&format!("nothing to do: {place} has no entry of hookbox's"));
        install::forget(&made.path, args, &places());
        return Ok(());
    }
    if make(&changes, args, ("taken out of", &place), printer)?
        && let Some(record) = install::record(&places())
    {
        if let Some(before) = record.of(&made.path) {
            before.remove_folders(&made.folder);
        }
        record.set(&made.path, None);
    }
    Ok(())
}

/// What `install` makes where nothing is.
struct Made {
    /// Under this path it is kept what was there: Cline's folder.
    path: PathBuf,
    /// The innermost folder.
    folder: PathBuf,
}

impl Made {
    fn of(agent: Agent, args: &SettingsArgs) -> Result<Self, Stopped> {
        let path = path(agent, args)?;
        let folder = match agent {
            Agent::Cline => path.clone(),
        };
        Ok(Self { path, folder })
    }

    fn before(&self) -> Before {
        if self.path.exists() { Before::Other } else { Before::no_file(&self.folder) }
    }
}

/// One file and what it is to become.
struct Change {
    location: Location,
    kind: Kind,
    found: String,
    /// Nothing left: the file goes.
    text: String,
    /// How many events it is about.
    events: usize,
}

/// What one of Cline's files is to become, if it is to change; or why it cannot.
type Becomes = Option<Result<String, &'static str>>;

fn installed(there: &str, script: &str) -> Becomes {
    match there {
        there if there == script => None,
        there if there.trim().is_empty() || cline::is_own(there) => Some(Ok(script.to_owned())),
        _ => Some(Err(
            "it is a hook of somebody else's, and Cline calls one file of a name in a folder; call it from hooks.toml \
             instead (`shell`), or name the other events by --events",
        )),
    }
}

fn taken_away(there: &str) -> Becomes {
    cline::is_own(there).then(|| Ok(String::new()))
}

/// The changes of Cline's files; an error if one of them is somebody else's, and then none is changed.
fn scripts(
    args: &SettingsArgs,
    events: &[&'static str],
    becomes: &dyn Fn(&str) -> Becomes,
) -> Result<Vec<Change>, Stopped> {
    let mut changes = Vec::new();
    for event in events {
        let location = if args.project {
            Location::Project { root: root()?, folder: cline::PROJECT, file: event }
        } else {
            Location::User(folder(&cline::USER)?.join(event))
        };
        let found = location.read().map_err(problem)?;
        let refused =
            |why: &str| problem(format!("{}: {why}; nothing was changed", location.path().display()));
        match becomes(&found) {
            None if cline::is_own(&found) && !is_run_by_owner(&location.path()) => {
                let text = found.clone();
                changes.push(Change { location, kind: Kind::Program, found, text, events: 1 });
            }
            None => {}
            Some(text) => {
                let text = text.map_err(refused)?;
                changes.push(Change { location, kind: Kind::Program, found, text, events: 1 });
            }
        }
    }
    Ok(changes)
}

/// Shows all changes, asks once, writes. Was it written?
fn make(
    changes: &[Change],
    args: &SettingsArgs,
    (done, place): (&str, &str),
    printer: &Printer,
) -> Result<bool, Stopped> {
    for Change { location, found, text, .. } in changes {
        let path = report::plain(&location.path().display().to_string());
        if found == text {
            printer.line(&format!("{path} is to be executable again"));
            continue;
        }
        offer::show(
            &path,
            found,
            Some(text).filter(|text| !text.trim().is_empty()).map(String::as_str),
            printer,
        );
    }
    if !offer::accepted(args, place, printer)? {
        return Ok(false);
    }
    for Change { location, kind, found, text, .. } in changes {
        let written = if text.trim().is_empty() {
            location.remove(found, text)
        } else {
            location.replace(found, text, *kind)
        };
        written.map_err(problem)?;
    }
    let count: usize = changes.iter().map(|change| change.events).sum();
    let events = if count == 1 { "event" } else { "events" };
    printer.line(&format!("{done} {count} {events}: {place}"));
    Ok(true)
}

/// Where it is, for messages: the folder of Cline's files.
fn place(agent: Agent, args: &SettingsArgs) -> Result<String, Stopped> {
    Ok(report::plain(&path(agent, args)?.display().to_string()))
}

fn path(agent: Agent, args: &SettingsArgs) -> Result<PathBuf, Stopped> {
    Ok(match agent {
        Agent::Cline if args.project => root()?.join(cline::PROJECT),
        Agent::Cline => folder(&cline::USER)?,
    })
}

fn root() -> Result<PathBuf, Stopped> {
    install::project_root(&places())
}

fn folder(folder: &UserFolder) -> Result<PathBuf, Stopped> {
    install::users_folder(&places(), folder)
}

fn places() -> Places {
    Places::of_terminal(&environment::variable)
}
