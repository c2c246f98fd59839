//! Confinement profiles for commands: those of the administrator's and the user's own files, and the built-in `project`.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use hookbox::{
    config::{did_you_mean, quote_word},
    handler::shell::confine::steps_of_command,
    hook::{Confinement, FileRules, Place},
    interfaces::{ConfineError, Confiner},
    model::{Event, ProfileName},
};

use hookbox_platform::real_path::RealPath;
use thiserror::Error;

use crate::places::{HomeIsNoProject, Places};

/// The built-in profile.
const PROJECT: &str = "project";

/// System folders that a command may read and run programs from, where they exist.
const SYSTEM: [&str; 9] = ["/etc", "/opt", "/proc", "/run", "/sys", "/usr", "/var/cache", "/var/lib", "/dev"];
/// Places of tools in a home folder that hold no secrets.
const TOOLS: [&str; 24] = [
    ".asdf",
    ".bun",
    // Not `.cargo` itself: its `credentials.toml` has tokens for registries.
    ".cargo/bin",
    ".cargo/config.toml",
    ".cargo/env",
    ".cargo/git",
    ".cargo/registry",
    ".deno",
    ".gitconfig",
    // Not `.config/git` itself: git's credential store is in that folder.
    ".config/git/config",
    ".config/git/ignore",
    // Not `.local/share` itself, where keyrings of desktops are.
    ".local/bin",
    ".local/lib",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pnpm",
    ".local/share/uv",
    ".local/pipx",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".sdkman",
    "go",
];
/// Places that a command may write in addition to the project: temporary files, and terminals.
const WRITTEN: [&str; 6] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/tty", "/dev/pts", "/dev/ptmx"];

/// Profiles by their names, as configured.
pub type Profiles = BTreeMap<String, Confinement>;

/// No profile has the name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown profile {}; {help}, or write `[confine.NAME]` into your hooks.toml", quote_word(.name))]
pub struct UnknownProfile {
    /// The name.
    pub name: String,
    /// A similar name, or the known ones.
    help: String,
}

/// Reason why commands cannot be confined to a folder.
#[derive(Debug, Error)]
pub enum ProjectFolderError {
    /// The folder does not exist, or cannot be found.
    #[error("{}: {error}", .folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The home folder is in this folder.
    #[error("{} contains your home folder, and is not a project", .0.display())]
    AroundHome(PathBuf),
    /// The folder overlaps with one of hookbox's own folders.
    #[error("{} is not a project: hookbox's own files are in {}", .project.display(), .own.display())]
    OwnFiles {
        /// The folder.
        project: PathBuf,
        /// The folder of hookbox's own files.
        own: PathBuf,
    },
}

/// Returns the profile of this name.
///
/// # Errors
///
/// No profile has this name.
pub fn find_profile(profiles: &Profiles, places: &Places, name: &str) -> Result<Confinement, UnknownProfile> {
    if let Some(confinement) = profiles.get(name) {
        return Ok(confinement.clone());
    }
    if name == PROJECT {
        return Ok(of_project(places));
    }
    let known: Vec<_> = profiles.keys().map(String::as_str).chain([PROJECT]).collect();
    Err(UnknownProfile { name: name.to_owned(), help: did_you_mean(name, &known) })
}

/// Returns the project's folder, as a command is confined to it; `programs` is the folder of hookbox's programs.
///
/// # Errors
///
/// The folder does not exist; it contains the home folder, where write access would include the startup files of every program;
/// or it overlaps with the folders of hookbox's own files.
pub fn find_project_folder(
    places: &Places,
    programs: Option<&Path>,
    folder: &Path,
) -> Result<PathBuf, ProjectFolderError> {
    let programs = programs.and_then(|folder| folder.canonicalize().ok());
    let missing = |error| ProjectFolderError::Missing { folder: folder.to_owned(), error };
    let project = folder.canonicalize().map_err(missing)?;
    let home = places.in_home("").and_then(|home| home.canonicalize().ok());
    if home.is_some_and(|home| home.starts_with(&project)) {
        return Err(ProjectFolderError::AroundHome(project));
    }
    // A command that may write these files could remove the rules that confine it.
    if let Some(own) =
        own_folders(places).chain(programs).find(|own| own.starts_with(&project) || project.starts_with(own))
    {
        return Err(ProjectFolderError::OwnFiles { project, own });
    }
    Ok(project)
}

/// Returns the folders of hookbox's own files, whether they exist or not.
fn own_folders(places: &Places) -> impl Iterator<Item = PathBuf> {
    let parent = |file: Option<PathBuf>| file.and_then(|file| file.parent().map(Path::to_owned));
    let all = [
        parent(Some(Places::managed_config())),
        parent(places.user_config()),
        places.state(),
        places.data(),
        parent(places.cache()),
    ];
    all.into_iter().flatten().map(|own| RealPath::resolve_path(&own).path)
}

/// Wraps commands in `hookbox confine`, for the hooks of one folder.
#[derive(Debug)]
pub(crate) struct OwnConfiner {
    pub(crate) places: Places,
    pub(crate) profiles: Profiles,
    pub(crate) program: Option<PathBuf>,
}

impl Confiner for OwnConfiner {
    fn words(&self, profile: &ProfileName, event: &Event) -> Result<Vec<String>, ConfineError> {
        let unreadable = || ConfineError::new_repairable("the path of the program `hookbox` is unknown");
        let program = self.program.as_deref().filter(|program| program.is_file()).ok_or_else(unreadable)?;
        let folder = Path::new(&event.cwd);
        let root = self.places.project_root(folder).unwrap_or_else(|HomeIsNoProject| folder.to_owned());
        let project = find_project_folder(&self.places, program.parent(), &root)
            .map_err(|error| ConfineError::from_reason(error.to_string()))?;
        self.check_profile(profile, &project)?;
        let mut words = vec![convert_path(program)?, "confine".to_owned()];
        for (option, place) in self.places.arguments() {
            words.extend([option.to_owned(), convert_path(place)?]);
        }
        let more =
            ["--profile".to_owned(), profile.to_string(), "--project".to_owned(), convert_path(&project)?];
        words.extend(more);
        words.push("--".to_owned());
        Ok(words)
    }
}

impl OwnConfiner {
    /// Checks that the profile can be enforced here and now, so that errors of `hookbox confine` are reported beforehand.
    fn check_profile(&self, name: &ProfileName, project: &Path) -> Result<(), ConfineError> {
        let confinement = find_profile(&self.profiles, &self.places, name.as_str())
            .map_err(|error| ConfineError::new_repairable(error.to_string()))?;
        let home = self.places.in_home("");
        let steps = steps_of_command(name.as_str(), &confinement, &convert_path(project)?, home.as_deref());
        steps.map(drop).map_err(|failure| ConfineError::new_repairable(failure.message))
    }
}

fn convert_path(path: &Path) -> Result<String, ConfineError> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| ConfineError::from_reason(format!("{} is not text", path.display())))
}

/// The built-in profile: write the project and temporary files, read the system and tools, no network.
fn of_project(places: &Places) -> Confinement {
    let there = |path: &PathBuf| path.exists();
    let system = SYSTEM.into_iter().map(PathBuf::from);
    let tools = TOOLS.into_iter().filter_map(|path| places.in_home(path));
    let read = system.chain(tools).filter(there).map(Place::Path).chain([Place::Project]);
    let write = WRITTEN.into_iter().map(PathBuf::from).filter(there);
    // Programs that were built to be tested are run, also from temporary folders.
    let run =
        ["/tmp", "/var/tmp"].map(Path::new).into_iter().map(Path::to_owned).filter(there).map(Place::Path);
    let files = FileRules {
        read: read.chain(run).collect(),
        write: write.map(Place::Path).chain([Place::Project]).collect(),
    };
    Confinement { files: Some(files), network: false, ..Confinement::default() }
}
