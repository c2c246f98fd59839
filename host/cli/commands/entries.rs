//! hookbox's entries in the agents' settings, and their weaknesses against a project.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox::agents::settings::{self, AgentSettings, Installed, SetByProject, amazon_q, cline};
use hookbox_app::{
    places::{self, NamedPlaces, Places},
    program_file,
    settings_file::Location,
};

use hookbox_platform::file::{FileStatus, is_run_by_owner};

use crate::environment;

/// Maximum number of files of agents that are read.
const MAX_AGENTS: usize = 100;

pub(super) struct AgentFile {
    /// The agent, as in `--agent`.
    pub(super) agent: &'static str,
    /// The facts about its settings, if the file is JSON.
    pub(super) settings: Option<&'static AgentSettings>,
    /// Path of the file; for Cline the folder of its files.
    pub(super) path: PathBuf,
    /// True for the user's file, false for a project's.
    pub(super) is_users: bool,
    /// The file's text; empty if it does not exist.
    pub(super) text: String,
    /// hookbox's entries, or the reason why they cannot be determined.
    pub(super) entries: Result<Vec<Installed>, String>,
}

/// Returns the settings files of all agents where the file or its folder exists: the user's, then those of the project around
/// `folder`.
pub(super) fn find_settings_files(places: &Places, folder: &Path) -> Vec<AgentFile> {
    let project = places.project_root(folder).ok();
    let mut files = Vec::new();
    for settings in settings::all_settings() {
        if let Some(users) = places.settings_folder(&settings.user, &environment::read_variable)
            && users.is_dir()
        {
            files.push(read_agent_file(settings, &Location::User(users.join(settings.file))));
        }
        if let (Some(root), Some(folder)) = (project.clone(), settings.project) {
            let file = settings.file;
            if root.join(folder).join(file).exists() {
                files.push(read_agent_file(settings, &Location::Project { root, folder, file }));
            }
        }
    }
    let cline = places.settings_folder(&cline::USER, &environment::read_variable);
    files.extend(cline.and_then(|folder| of_cline(folder, None)));
    files.extend(project.and_then(|root| of_cline(root.join(cline::PROJECT), Some(&root))));
    files
}

/// Returns the user's settings of this agent in one of its folders
/// ([`detect_agents::settings_folders`](super::detect_agents::settings_folders)), whether they exist or not. Amazon Q has a file for each
/// of its agents.
pub(super) fn of_user(agent: &'static str, folder: &Path) -> Vec<AgentFile> {
    match settings::find_settings(agent) {
        Some(settings) => vec![read_agent_file(settings, &Location::User(folder.join(settings.file)))],
        None if agent == cline::AGENT => of_cline(folder.to_owned(), None).into_iter().collect(),
        None => of_amazon_q(folder),
    }
}

/// Returns Amazon Q's agents in this folder, ordered by name, at most a hundred.
fn of_amazon_q(folder: &Path) -> Vec<AgentFile> {
    let found = fs::read_dir(folder).into_iter().flatten().take(MAX_AGENTS).filter_map(Result::ok);
    let mut paths: Vec<_> = found.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let file = |path: PathBuf| {
        let text = Location::User(path.clone()).read().map_err(|error| error.to_string());
        let find = |text: &str| amazon_q::find_installed(text).map_err(|error| error.to_string());
        let entries = text.as_deref().map_err(Clone::clone).and_then(find);
        let text = text.unwrap_or_default();
        AgentFile { agent: amazon_q::AGENT, settings: None, path, is_users: true, text, entries }
    };
    paths.into_iter().map(file).collect()
}

/// Returns Cline's folder, if it exists: the user's, or that of a project's root.
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
            .map(|script| cline::find_installed(event, &script))
            .map_err(|error| error.to_string())
            .transpose()
    };
    let events = cline::USUAL.iter().chain(cline::OTHER);
    let entries = events.filter_map(entry).collect();
    let (agent, settings, is_users) = (cline::AGENT, None, project.is_none());
    Some(AgentFile { agent, settings, path: folder, is_users, text: String::new(), entries })
}

fn read_agent_file(settings: &'static AgentSettings, location: &Location) -> AgentFile {
    let found = location.read();
    let entries = found
        .as_ref()
        .map_err(ToString::to_string)
        .and_then(|found| settings::find_installed(found, settings).map_err(|error| error.to_string()));
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
    /// Returns true if an entry runs hookbox.
    pub(super) fn has_entries(&self) -> bool {
        self.entries.as_ref().is_ok_and(|entries| !entries.is_empty())
    }

    /// The reason for which its agent discards the file, if it has entries of hookbox's.
    pub(super) fn discarded(&self) -> Option<&str> {
        let written = settings::find_entries(&self.text, self.settings?).ok()?;
        self.entries.as_ref().err().filter(|_| !written.is_empty()).map(String::as_str)
    }

    /// The command that fixes it.
    pub(super) fn remedy(&self) -> String {
        if self.agent == amazon_q::AGENT {
            return "remove it and write the entry that `hookbox setup` shows".to_owned();
        }
        let project = if self.is_users { "" } else { " --here" };
        format!("`hookbox install {}{project}` fixes it", self.agent)
    }

    fn file_of(&self, entry: &Installed) -> PathBuf {
        if self.agent == cline::AGENT { self.path.join(&entry.event) } else { self.path.clone() }
    }

    /// Returns the program and the arguments with which the agent starts this entry; `shell` is used where the agent takes its
    /// shell from a variable.
    pub(super) fn build_argv(&self, entry: &Installed, shell: &str) -> Vec<String> {
        match self.settings {
            Some(settings) => entry.build_argv(settings, shell),
            None if self.agent == cline::AGENT => vec![self.file_of(entry).display().to_string()],
            None => vec!["/bin/sh".to_owned(), "-c".to_owned(), entry.command.clone()],
        }
    }

    /// Returns entries that run hookbox for another agent: their events, each with that agent.
    pub(super) fn misnamed(&self) -> Vec<(String, String)> {
        let misnamed = |settings| settings::find_misnamed(&self.text, settings).ok();
        self.settings.and_then(misnamed).unwrap_or_default()
    }

    /// Returns entries that differ in more than their event, or whose files do.
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

pub(super) struct EntryProblem {
    pub(super) what: String,
    /// True if `install` repairs it.
    pub(super) is_repairable: bool,
}

/// Returns the problem of an entry, judged by its text and by the files on the disk; nothing is run.
pub(super) fn find_fault(entry: &Installed, file: &AgentFile, places: &Places) -> Option<EntryProblem> {
    let repairable = |what| EntryProblem { what, is_repairable: true };
    program_fault(entry)
        .map(repairable)
        .or_else(|| find_exposure(entry, places))
        .or_else(|| launch_fault(entry, file.settings?).map(repairable))
        .or_else(|| failure_fault(entry, file).map(repairable))
        .or_else(|| not_runnable(entry, file).map(repairable))
        .or_else(|| Some(EntryProblem { what: special_fault(entry)?, is_repairable: false }))
        .or_else(|| place_fault(entry, places).map(repairable))
}

fn find_exposure(entry: &Installed, places: &Places) -> Option<EntryProblem> {
    let exposed = program_file::find_exposure(Path::new(&entry.program), places)?;
    Some(EntryProblem { what: exposed.to_string(), is_repairable: false })
}

/// Reports a file that is not executable, which Cline skips.
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
    // Files are compared by identity: an entry may name the program by a link.
    let Some(there) = file_identity(program) else {
        return Some(format!("{} does not exist, so hookbox is not called", entry.program));
    };
    let this = environment::find_program();
    if Some(there) == this.as_deref().and_then(file_identity) {
        return None;
    }
    let this = this.unwrap_or_default();
    Some(format!("{} is another program than this one, {}", entry.program, this.display()))
}

/// Returns the device and the number of a file, which tell it from every other file.
fn file_identity(file: &Path) -> Option<(u64, u64)> {
    FileStatus::of_path(file).ok().map(|file| (file.device, file.inode))
}

/// Returns the program that the user's entries start, if it exists and is not this one.
pub(super) fn other_program(places: &Places, folder: &Path) -> Option<PathBuf> {
    let this = environment::find_program().as_deref().and_then(file_identity)?;
    let files = find_settings_files(places, folder);
    let users = files.iter().filter(|file| file.is_users).flat_map(|file| file.entries.iter().flatten());
    let mut programs =
        users.map(|entry| Path::new(&entry.program)).filter(|program| program.is_absolute()).peekable();
    let starts_this = |program: &Path| file_identity(program) == Some(this);
    // An entry whose program is missing starts nothing.
    let first = programs.clone().find(|program| file_identity(program).is_some())?.to_owned();
    (!programs.any(starts_this)).then_some(first)
}

fn launch_fault(entry: &Installed, settings: &AgentSettings) -> Option<String> {
    let launch = &settings.launch;
    if launch.is_exec() && !entry.is_isolated {
        return Some("a shell reads it, and variables decide what that does first".to_owned());
    }
    let is_clear = |name: &&str| entry.variables.iter().any(|(set, value)| set == *name && value.is_empty());
    let open = launch.cleared().iter().find(|name| !is_clear(name))?;
    Some(format!(
        "it does not set {open} to nothing, with which a shell can be made to run something else first"
    ))
}

/// Reports an entry with which the agent lets an action pass when hookbox fails.
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

/// Reports an entry that finds the user's files in other places than this process.
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
    let place = |option: &str| places::require_absolute(entry.find_option(option)?).ok();
    NamedPlaces {
        home: place("--home"),
        config: place("--config-home"),
        cache: place("--cache-home"),
        state: place("--state-home"),
    }
}

/// Returns a line for each way in which variables can take precedence over hookbox whatever its entry states, and whether a
/// project can set them.
pub(super) fn left_open(settings: &AgentSettings) -> Vec<String> {
    let launch = &settings.launch;
    // `PATH` is always set, so a project that may only set unset variables cannot set it.
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
