//! Detects the agents on this machine by their files.

use std::{
    env,
    path::{Path, PathBuf},
};

use hookbox::agents::{
    self, Signs,
    settings::{self, UserFolder, amazon_q, cline},
};
use hookbox_app::places::Places;
use hookbox_platform::file::is_run_by_owner;

use crate::environment;

/// An agent, and the evidence for it.
pub(super) struct Present {
    /// The agent, as in `--agent`.
    pub(super) agent: &'static str,
    /// Its existing folders; that of its settings first.
    pub(super) folders: Vec<PathBuf>,
    /// Its program, if it is in `PATH`.
    pub(super) program: Option<PathBuf>,
}

impl Present {
    /// Returns true if the agent is on this machine.
    pub(super) fn is_here(&self) -> bool {
        !self.folders.is_empty() || self.program.is_some()
    }

    /// Describes the evidence: `~/.claude is there; claude is /usr/bin/claude`.
    pub(super) fn facts(&self) -> String {
        let folders = match self.folders.as_slice() {
            [] => "no settings folder found".to_owned(),
            [one] => format!("{} is there", one.display()),
            [first, others @ ..] => {
                let others: Vec<_> = others.iter().map(|folder| folder.display().to_string()).collect();
                format!("{} and {} are there", first.display(), others.join(", "))
            }
        };
        let program = match (&self.program, agents::find_signs(self.agent).programs) {
            (Some(program), _) => format!("; its program is {}", program.display()),
            (None, []) => String::new(),
            (None, programs) => format!("; no program {} on PATH", programs.join(" or ")),
        };
        folders + &program
    }
}

/// Returns the agents that are searched for: those that have a settings file for entries.
pub(super) fn list_known_agents() -> Vec<&'static str> {
    settings::all_settings().map(|settings| settings.agent).chain([cline::AGENT, amazon_q::AGENT]).collect()
}

pub(super) fn find_agents(places: &Places) -> Vec<Present> {
    list_known_agents()
        .into_iter()
        .map(|agent| find_evidence(agent, places))
        .filter(Present::is_here)
        .collect()
}

pub(super) fn find_evidence(agent: &'static str, places: &Places) -> Present {
    let Signs { programs, folders: others } = agents::find_signs(agent);
    let mut folders: Vec<_> =
        settings_folders(agent, places).into_iter().filter(|folder| folder.is_dir()).collect();
    let homes = others.iter().filter_map(|path| places.in_home(path)).filter(|folder| folder.is_dir());
    for folder in homes {
        // The folder of the settings may be in it.
        if !folders.iter().any(|known| known.starts_with(&folder)) {
            folders.push(folder);
        }
    }
    Present { agent, folders, program: programs.iter().find_map(|name| find_program(name)) }
}

/// Returns the user's folders of settings for this agent: the one that a variable names, and the default one if that exists as
/// well, since it applies when the agent is started without the variable.
pub(super) fn settings_folders(agent: &str, places: &Places) -> Vec<PathBuf> {
    let user = match settings::find_settings(agent) {
        Some(settings) => &settings.user,
        None if agent == cline::AGENT => &cline::USER,
        None => return amazon_q::FOLDERS.iter().filter_map(|path| places.in_home(path)).collect(),
    };
    let named = places.settings_folder(user, &environment::read_variable);
    let usual =
        resolve_default_folder(user, places).filter(|usual| usual.is_dir() && Some(usual) != named.as_ref());
    named.into_iter().chain(usual).collect()
}

/// Returns the folder without regard to the agent's variables.
fn resolve_default_folder(user: &UserFolder, places: &Places) -> Option<PathBuf> {
    places.settings_folder(user, &|_| None)
}

fn find_program(name: &str) -> Option<PathBuf> {
    let path = environment::read_variable("PATH")?;
    // A relative folder would lead into the project where the command is run.
    let mut folders = env::split_paths(&path).filter(|folder| folder.is_absolute());
    let found = |folder: PathBuf| Some(folder.join(name)).filter(|file| is_program(file));
    folders.find_map(found)
}

fn is_program(file: &Path) -> bool {
    file.is_file() && is_run_by_owner(file)
}
