//! By what commands are confined: profiles of the administrator's and the user's own files, and `project`, which is there without
//! being written.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use hookbox::{
    config::{did_you_mean, quoted},
    handler::shell::confine::steps_of_command,
    hook::{Confinement, FileRules, Place},
    model::{Event, ProfileName},
    port::{Confiner, Unconfined},
};

use hookbox_platform::real_path::RealPath;

use crate::places::{HomeIsNoProject, Places};

/// The profile that is there without being written.
const PROJECT: &str = "project";

/// What a command may read and run of the system, as far as it is there.
const SYSTEM: [&str; 9] = ["/etc", "/opt", "/proc", "/run", "/sys", "/usr", "/var/cache", "/var/lib", "/dev"];
/// Where tools are in a home folder, and nothing that is a secret.
const TOOLS: [&str; 24] = [
    ".asdf",
    ".bun",
    ".cargo/bin",
    ".cargo/config.toml",
    ".cargo/env",
    ".cargo/git",
    ".cargo/registry",
    ".deno",
    ".gitconfig",
    ".config/git/config",
    ".config/git/ignore",
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
/// What it may write beside the project: temporary files, and what a terminal is.
const WRITTEN: [&str; 6] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/tty", "/dev/pts", "/dev/ptmx"];

/// Profiles by their names, as files say them.
pub type Profiles = BTreeMap<String, Confinement>;

/// What the profile of this name says.
///
/// # Errors
///
/// There is none.
pub fn profile(profiles: &Profiles, places: &Places, name: &str) -> Result<Confinement, String> {
    if let Some(confinement) = profiles.get(name) {
        return Ok(confinement.clone());
    }
    if name == PROJECT {
        return Ok(of_project(places));
    }
    let known: Vec<_> = profiles.keys().map(String::as_str).chain([PROJECT]).collect();
    let help = did_you_mean(name, &known);
    Err(format!(
        "there is no profile {}; {help}, or write `[confine.NAME]` into your hooks.toml",
        quoted(name)
    ))
}

/// The project's folder, as a command is confined to it; `programs` is where hookbox's are.
///
/// # Errors
///
/// It is not there, or has the home folder in it: who may write that writes what every program there is started by. Or it has to do
/// with hookbox's own files.
pub fn project(places: &Places, programs: Option<&Path>, folder: &Path) -> Result<PathBuf, String> {
    let programs = programs.and_then(|folder| folder.canonicalize().ok());
    let project = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let home = places.in_home("").and_then(|home| home.canonicalize().ok());
    if home.is_some_and(|home| home.starts_with(&project)) {
        let project = project.display();
        return Err(format!("{project} contains your home folder, and is not a project"));
    }
    // Whoever may write them takes the rules away by which it is confined.
    if let Some(own) =
        own_folders(places).chain(programs).find(|own| own.starts_with(&project) || project.starts_with(own))
    {
        let (project, own) = (project.display(), own.display());
        return Err(format!("{project} is not a project: hookbox's own files are in {own}"));
    }
    Ok(project)
}

/// Where hookbox's own files are, whether they are there yet or not.
fn own_folders(places: &Places) -> impl Iterator<Item = PathBuf> {
    let parent = |file: Option<PathBuf>| file.and_then(|file| file.parent().map(Path::to_owned));
    let all = [
        parent(Some(Places::managed_config())),
        parent(places.user_config()),
        places.state(),
        places.data(),
        parent(places.cache()),
    ];
    all.into_iter().flatten().map(|own| RealPath::of(&own).path)
}

/// `hookbox confine`, for the hooks of one setup.
#[derive(Debug)]
pub(crate) struct OwnConfiner {
    pub(crate) places: Places,
    pub(crate) profiles: Profiles,
    /// This program's file.
    pub(crate) program: Option<PathBuf>,
}

impl Confiner for OwnConfiner {
    fn words(&self, profile: &ProfileName, event: &Event) -> Result<Vec<String>, Unconfined> {
        let unreadable = || Unconfined::until_mended("the place of the program `hookbox` is not known");
        let program = self.program.as_deref().filter(|program| program.is_file()).ok_or_else(unreadable)?;
        let folder = Path::new(&event.cwd);
        let root = self.places.project_root(folder).unwrap_or_else(|HomeIsNoProject| folder.to_owned());
        let project = project(&self.places, program.parent(), &root).map_err(Unconfined::because)?;
        self.try_out(profile, &project)?;
        let mut words = vec![text(program)?, "confine".to_owned()];
        for (option, place) in self.places.arguments() {
            words.extend([option.to_owned(), text(place)?]);
        }
        let more = ["--profile".to_owned(), profile.to_string(), "--project".to_owned(), text(&project)?];
        words.extend(more);
        words.push("--".to_owned());
        Ok(words)
    }
}

impl OwnConfiner {
    /// Can it be held, here and now? What `hookbox confine` would say then is said before.
    fn try_out(&self, name: &ProfileName, project: &Path) -> Result<(), Unconfined> {
        let confinement =
            profile(&self.profiles, &self.places, name.as_str()).map_err(Unconfined::until_mended)?;
        let home = self.places.in_home("");
        let steps = steps_of_command(name.as_str(), &confinement, &text(project)?, home.as_deref());
        steps.map(drop).map_err(|failure| Unconfined::until_mended(failure.message))
    }
}

fn text(path: &Path) -> Result<String, Unconfined> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| Unconfined::because(format!("{} is no text", path.display())))
}

/// Write the project and temporary files, read the system and tools, no network.
fn of_project(places: &Places) -> Confinement {
    let there = |path: &PathBuf| path.exists();
    let system = SYSTEM.into_iter().map(PathBuf::from);
    let tools = TOOLS.into_iter().filter_map(|path| places.in_home(path));
    let read = system.chain(tools).filter(there).map(Place::Path).chain([Place::Project]);
    let write = WRITTEN.into_iter().map(PathBuf::from).filter(there);
    // What is built and tested is run: temporary files, too.
    let run =
        ["/tmp", "/var/tmp"].map(Path::new).into_iter().map(Path::to_owned).filter(there).map(Place::Path);
    let files = FileRules {
        read: read.chain(run).collect(),
        write: write.map(Place::Path).chain([Place::Project]).collect(),
    };
    Confinement { files: Some(files), network: false, ..Confinement::default() }
}
