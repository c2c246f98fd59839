//! hookbox's entries in the agents' settings, and what a project could make of them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::dialect::settings::{self, AgentSettings, Installed, SetByProject, amazon_q, cline};
use hookbox_files::{
    places::{self, NamedPlaces, Places},
    program_file,
    settings_file::Location,
};

use hookbox_platform::file::{FileStatus, is_run_by_owner};

use crate::environment;

/// Most files of agents that are looked into.
const MAX_AGENTS: usize = 100;

/// One settings file and its entries.
pub(super) struct AgentFile {
    /// The agent, as in `--agent`.
    pub(super) agent: &'static str,
    /// What is known of it, if the file is JSON.
    pub(super) settings: Option<&'static AgentSettings>,
    /// Where it is; for Cline the folder of its files.
    pub(super) path: PathBuf,
    /// Is it the user's, and not a project's?
    pub(super) is_users: bool,
    /// What it holds; empty if it is not there.
    pub(super) text: String,
    /// hookbox's entries, or why it cannot be said which they are.
    pub(super) entries: Result<Vec<Installed>, String>,
}

/// The settings files of all agents that are there, or whose folder is: the user's, then those of the project around `folder`.
pub(super) fn files(places: &Places, folder: &Path) -> Vec<AgentFile> {
    let project = places.project_root(folder).ok();
    let mut files = Vec::new();
    for settings in settings::all() {
        if let Some(users) = places.settings_folder(&settings.user, &environment::variable)
            && users.is_dir()
        {
            files.push(read(settings, &Location::User(users.join(settings.file))));
        }
        if let (Some(root), Some(folder)) = (project.clone(), settings.project) {
            let file = settings.file;
            if root.join(folder).join(file).exists() {
                files.push(read(settings, &Location::Project { root, folder, file }));
            }
        }
    }
    let cline = places.settings_folder(&cline::USER, &environment::variable);
    files.extend(cline.and_then(|folder| of_cline(folder, None)));
    files.extend(project.and_then(|root| of_cline(root.join(cline::PROJECT), Some(&root))));
    files
}

/// The user's settings of this agent in one of its folders ([`present::settings_folders`](super::present::settings_folders)), there
/// or not. Amazon Q has a file for each of its agents.
pub(super) fn of_user(agent: &'static str, folder: &Path) -> Vec<AgentFile> {
    match settings::named(agent) {
        Some(settings) => vec![read(settings, &Location::User(folder.join(settings.file)))],
        None if agent == cline::AGENT => of_cline(folder.to_owned(), None).into_iter().collect(),
        None => of_amazon_q(folder),
    }
}

/// Amazon Q's agents in this folder, in the order of their names, at most a hundred.
fn of_amazon_q(folder: &Path) -> Vec<AgentFile> {
    let found = fs::read_dir(folder).into_iter().flatten().take(MAX_AGENTS).filter_map(Result::ok);
    let mut paths: Vec<_> = found.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let file = |path: PathBuf| {
        let text = Location::User(path.clone()).read().map_err(|error| error.to_string());
        let entries = text.as_deref().map_err(Clone::clone).and_then(amazon_q::installed);
        let text = text.unwrap_or_default();
        AgentFile { agent: amazon_q::AGENT, settings: None, path, is_users: true, text, entries }
    };
    paths.into_iter().map(file).collect()
}

/// Cline's folder, if it is there: the user's, or that of a project's root.
fn of_cline(folder: PathBuf, project: Option<&Path>) -> Option<AgentFile> {
    if !folder.is_dir() {
        return None;
    }
    let entry = |event: &&'static str| {
        let location = match project {
            Some(root) => Location::Project { root: root.to_owned(), folder: cline::PROJECT, file: event },
            None => Location::User(folder.join(event)),
        };
        location
            .read()
            .map(|script| cline::installed(event, &script))
            .map_err(|error| error.to_string())
            .transpose()
    };
    let events = cline::USUAL.iter().chain(cline::OTHER);
    let entries = events.filter_map(entry).collect();
    let (agent, settings, is_users) = (cline::AGENT, None, project.is_none());
    Some(AgentFile { agent, settings, path: folder, is_users, text: String::new(), entries })
}

fn read(settings: &'static AgentSettings, location: &Location) -> AgentFile {
    let found = location.read();
    let entries = found
        .as_ref()
        .map_err(ToString::to_string)
        .and_then(|found| settings::installed(found, settings).map_err(|error| error.to_string()));
    AgentFile {
        agent: settings.agent,
        settings: Some(settings),
        path: location.path(),
        is_users: matches!(location, Location::User(_)),
        text: found.unwrap_or_default(),
        entries,
    }
}

impl AgentFile {
    /// Does anything in it run hookbox?
    pub(super) fn has_entries(&self) -> bool {
        self.entries.as_ref().is_ok_and(|entries| !entries.is_empty())
    }

    /// The command that mends it.
    pub(super) fn remedy(&self) -> String {
        if self.agent == amazon_q::AGENT {
            return "take it out and write what `hookbox setup` shows".to_owned();
        }
        let project = if self.is_users { "" } else { " --project" };
        format!("`hookbox install {}{project}` fixes it", self.agent)
    }

    /// The file that this entry is in.
    fn file_of(&self, entry: &Installed) -> PathBuf {
        if self.agent == cline::AGENT { self.path.join(&entry.event) } else { self.path.clone() }
    }

    /// The program and the arguments by which the agent starts this entry; `shell` where it asks a variable for one.
    pub(super) fn argv(&self, entry: &Installed, shell: &str) -> Vec<String> {
        match self.settings {
            Some(settings) => entry.argv(settings, shell),
            None if self.agent == cline::AGENT => vec![self.file_of(entry).display().to_string()],
            None => vec!["/bin/sh".to_owned(), "-c".to_owned(), entry.command.clone()],
        }
    }

    /// Entries that run hookbox for another agent: their events, each with that agent.
    pub(super) fn misnamed(&self) -> Vec<(String, String)> {
        let misnamed = |settings| settings::misnamed(&self.text, settings).ok();
        self.settings.and_then(misnamed).unwrap_or_default()
    }

    /// Entries that differ in more than their event, or whose files do.
    pub(super) fn kinds(&self) -> Vec<&Installed> {
        let mut kinds: Vec<&Installed> = Vec::new();
        for entry in self.entries.iter().flatten() {
            let same = |other: &&Installed| {
                (is_run_by_owner(&self.file_of(other)) == is_run_by_owner(&self.file_of(entry)))
                    && (&other.command, &other.arguments, &other.variables, other.fails_open)
                        == (&entry.command, &entry.arguments, &entry.variables, entry.fails_open)
            };
            if !kinds.iter().any(same) {
                kinds.push(entry);
            }
        }
        kinds
    }
}

/// Why an entry is not in order.
pub(super) struct Fault {
    /// What is wrong.
    pub(super) what: String,
    /// Does `install` mend it?
    pub(super) is_mended: bool,
}

/// What is wrong with an entry, by what it says and by what is on the disk; nothing of it is run.
pub(super) fn fault(entry: &Installed, file: &AgentFile, places: &Places) -> Option<Fault> {
    let mended = |what| Fault { what, is_mended: true };
    program_fault(entry)
        .map(mended)
        .or_else(|| exposed(entry, places))
        .or_else(|| launch_fault(entry, file.settings?).map(mended))
        .or_else(|| failure_fault(entry, file).map(mended))
        .or_else(|| not_runnable(entry, file).map(mended))
        .or_else(|| Some(Fault { what: special_fault(entry)?, is_mended: false }))
        .or_else(|| place_fault(entry, places).map(mended))
}

fn exposed(entry: &Installed, places: &Places) -> Option<Fault> {
    let exposed = program_file::exposed(Path::new(&entry.program), places)?;
    Some(Fault { what: exposed.to_string(), is_mended: false })
}

/// Cline passes over a file that nobody may run.
fn not_runnable(entry: &Installed, file: &AgentFile) -> Option<String> {
    let is_passed_over = file.agent == cline::AGENT && !is_run_by_owner(&file.file_of(entry));
    is_passed_over.then(|| "the file is not executable, so it is passed over".to_owned())
}

fn program_fault(entry: &Installed) -> Option<String> {
    let program = Path::new(&entry.program);
    if !program.is_absolute() {
        return Some(format!(
            "`{}` is looked up in PATH, so that variable decides which program is started",
            entry.program
        ));
    }
    let identity = |file: &Path| FileStatus::at(file).ok().map(|file| (file.device, file.inode));
    let Some(there) = identity(program) else {
        return Some(format!("{} is not there, so nothing is asked", entry.program));
    };
    let this = environment::program();
    if Some(there) == this.as_deref().and_then(identity) {
        return None;
    }
    let this = this.unwrap_or_default();
    Some(format!("{} is another program than this one, {}", entry.program, this.display()))
}

/// Returns the program that the user's entries start, if it is there and is not this one.
pub(super) fn other_program(places: &Places, folder: &Path) -> Option<PathBuf> {
    let identity = |file: &Path| FileStatus::at(file).ok().map(|file| (file.device, file.inode));
    let this = environment::program().as_deref().and_then(identity)?;
    let files = files(places, folder);
    let users = files.iter().filter(|file| file.is_users).flat_map(|file| file.entries.iter().flatten());
    let mut programs =
        users.map(|entry| Path::new(&entry.program)).filter(|program| program.is_absolute()).peekable();
    let starts_this = |program: &Path| identity(program) == Some(this);
    let first = programs.clone().find(|program| identity(program).is_some())?.to_owned();
    (!programs.any(starts_this)).then_some(first)
}

fn launch_fault(entry: &Installed, settings: &AgentSettings) -> Option<String> {
    let launch = &settings.launch;
    if launch.is_exec() && !entry.is_apart {
        return Some("a shell reads it, and variables decide what that does first".to_owned());
    }
    let is_clear = |name: &&str| entry.variables.iter().any(|(set, value)| set == *name && value.is_empty());
    let open = launch.cleared().iter().find(|name| !is_clear(name))?;
    Some(format!(
        "it does not set {open} to nothing, with which a shell can be made to run something else first"
    ))
}

/// Reports an entry by which the agent lets an action pass when hookbox fails.
fn failure_fault(entry: &Installed, file: &AgentFile) -> Option<String> {
    let what = format!(
        "{} would let the action pass if hookbox were missing or killed: the entry does not state that a failed hook blocks",
        file.agent
    );
    entry.fails_open.then_some(what)
}

fn special_fault(entry: &Installed) -> Option<String> {
    let what =
        format!("a shell replaces or redirects something in `{}`: write it without that", entry.command);
    (!entry.is_plain).then_some(what)
}

/// Does the entry find the user's files elsewhere than the person who asks?
pub(super) fn place_fault(entry: &Installed, places: &Places) -> Option<String> {
    let theirs = Places::of_account(&named_places(entry));
    let [theirs, here] = [theirs.user_config(), places.user_config()];
    if theirs == here {
        return None;
    }
    let shown =
        |file: Option<PathBuf>| file.map_or_else(|| "no file".to_owned(), |file| file.display().to_string());
    Some(format!("it reads {}, but HOME and XDG_CONFIG_HOME say {} here", shown(theirs), shown(here)))
}

fn named_places(entry: &Installed) -> NamedPlaces {
    let place = |option: &str| places::absolute(entry.option(option)?).ok();
    NamedPlaces {
        home: place("--home"),
        config: place("--config-home"),
        cache: place("--cache-home"),
        state: place("--state-home"),
    }
}

/// Variables that get in front of hookbox whatever its entry says, and whether a project can set them; a line each.
pub(super) fn left_open(settings: &AgentSettings) -> Vec<String> {
    let launch = &settings.launch;
    // What is always set is not for a project to set where that takes what is unset.
    let open: Vec<_> = launch.open_to().into_iter().filter(|name| *name != "PATH").collect();
    let named = open.join(", ");
    match launch.set_by_project() {
        SetByProject::None => Vec::new(),
        SetByProject::All if open.is_empty() => Vec::new(),
        SetByProject::All => vec![format!("a project can get in front of it by {named}")],
        SetByProject::Unset => {
            let cleared = open.iter().map(|name| format!("{name}=")).collect::<Vec<_>>().join(" ");
            let in_front = format!(
                "a project that you trust can get in front of it by {named} in its .env, unless they are set already: start it \
                 by `env {cleared} {}`",
                settings.agent
            );
            let in_its_place = launch.in_its_place().map(|name| {
                format!(
                    "a project that you trust can keep it from being asked at all by {name} in its .env (the shell lists its \
                     libraries instead of running hookbox), and no entry can prevent that: look into its .env files before \
                     you trust it"
                )
            });
            Some(in_front).filter(|_| !open.is_empty()).into_iter().chain(in_its_place).collect()
        }
    }
}
