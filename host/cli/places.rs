//! Where things are on this machine. The only reader of the environment.

use std::{
    env,
    ffi::OsString,
    path::{Component, Path, PathBuf},
};

use hookbox::{
    Pin, ShippedPlugins,
    dialect::settings::{Base, UserFolder},
    handler::environment::Environment,
    sandbox::cache::CacheDir,
};

/// The administrator's configuration.
const MANAGED: &str = "/etc/hookbox/hooks.toml";
/// A project's configuration, from its folder.
const PROJECT: &str = ".hookbox/hooks.toml";
/// The plugins that come with the program, from the folder above that of the program.
const SHIPPED: &str = "share/hookbox/plugins";
/// What they were when the program was built (`build.rs`).
const PINS: &[Pin] = include!(concat!(env!("OUT_DIR"), "/shipped_plugins.rs"));
/// How far up from the working directory a project is looked for.
const MAX_DEPTH: usize = 64;

/// The folders that the XDG base directory specification gives.
pub(crate) struct Places {
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    cache: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl Places {
    /// From the environment.
    pub(crate) fn find() -> Self {
        let home = absolute(variable("HOME"));
        let xdg = |name: &str, fallback: &str| {
            absolute(variable(name)).or_else(|| home.as_ref().map(|home| home.join(fallback)))
        };
        Self {
            config: xdg("XDG_CONFIG_HOME", ".config"),
            cache: xdg("XDG_CACHE_HOME", ".cache"),
            state: xdg("XDG_STATE_HOME", ".local/state"),
            home,
        }
    }

    pub(crate) fn managed_config() -> PathBuf {
        PathBuf::from(MANAGED)
    }

    pub(crate) fn user_config(&self) -> Option<PathBuf> {
        Some(self.config.as_ref()?.join("hookbox/hooks.toml"))
    }

    /// Is the user's configuration within the project around `folder`? Then someone who may set variables but not write
    /// to the home folder, such as the project's settings of an agent, has put it there.
    pub(crate) fn is_config_of_project(&self, folder: &Path) -> bool {
        self.config.as_deref().is_some_and(|config| self.is_of_project(config, folder))
    }

    /// Without those places within the project around `folder`: native code that is found there is the project's.
    pub(crate) fn outside_of(self, folder: &Path) -> Self {
        let outside = |place: &PathBuf| !self.is_of_project(place, folder);
        Self { cache: self.cache.clone().filter(outside), state: self.state.clone().filter(outside), ..self }
    }

    fn is_of_project(&self, place: &Path, folder: &Path) -> bool {
        let above =
            folder.ancestors().take(MAX_DEPTH).take_while(|above| Some(*above) != self.home.as_deref());
        let mut around = above.filter(|above| above.parent().is_some() && place.starts_with(above));
        around.any(|above| above == folder || is_root(above))
    }

    /// Native code.
    pub(crate) fn cache(&self) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join("hookbox/compiled"))
    }

    /// The same, open, if it is there and may be used: looking makes no folder.
    pub(crate) fn opened_cache(&self) -> Option<CacheDir> {
        self.cache().filter(|cache| cache.is_dir()).and_then(|cache| CacheDir::open(&cache).ok())
    }

    /// What is kept between processes.
    pub(crate) fn state(&self) -> Option<PathBuf> {
        Some(self.state.as_ref()?.join("hookbox"))
    }

    /// Failures in a row, kept between processes.
    pub(crate) fn failures(&self) -> Option<PathBuf> {
        Some(self.state()?.join("failures.json"))
    }

    /// Hooks that have run once in a session, kept between processes.
    pub(crate) fn once(&self) -> Option<PathBuf> {
        Some(self.state()?.join("once.json"))
    }

    /// The folder of an agent's own settings, where the user has put it.
    pub(crate) fn settings_folder(&self, folder: &UserFolder) -> Option<PathBuf> {
        if let Some(moved) = folder.variable.and_then(|name| absolute(variable(name))) {
            return Some(moved);
        }
        let base = match folder.base {
            Base::Home => &self.home,
            Base::Config => &self.config,
        };
        Some(base.as_ref()?.join(folder.path))
    }

    /// The project around `folder`: the nearest folder upwards that is a repository or has hooks, else `folder`. The
    /// home folder is none.
    pub(crate) fn project_root(&self, folder: &Path) -> Result<PathBuf, String> {
        let above =
            folder.ancestors().take(MAX_DEPTH).take_while(|above| Some(*above) != self.home.as_deref());
        let root = above.clone().find(|above| is_root(above)).unwrap_or(folder);
        if Some(root) == self.home.as_deref() {
            return Err("the home folder is no project; go into one, or leave out --project".to_owned());
        }
        Ok(root.to_owned())
    }

    /// The project around `folder` and its configuration: the nearest folder upwards that has one. A repository's
    /// root and the home folder end the search.
    pub(crate) fn project_config(&self, folder: &Path) -> Option<Project> {
        for folder in folder.ancestors().take(MAX_DEPTH) {
            let config = folder.join(PROJECT);
            if rustix::fs::lstat(&config).is_ok() {
                return Some(Project { root: folder.to_owned(), config });
            }
            if Some(folder) == self.home.as_deref() || rustix::fs::lstat(folder.join(".git")).is_ok() {
                return None;
            }
        }
        None
    }
}

/// Is it a repository, or has it hooks?
fn is_root(folder: &Path) -> bool {
    [".git", PROJECT].iter().any(|name| rustix::fs::lstat(folder.join(name)).is_ok())
}

/// A project that has hooks.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    pub(crate) config: PathBuf,
}

/// The compiler beside this program.
pub(crate) fn compiler() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    Some(program.parent()?.join("hookbox-compile"))
}

/// The plugins that were installed with this program: `<prefix>/share/hookbox/plugins` for `<prefix>/bin/hookbox`. No
/// variable and no project has a say in where that is.
pub(crate) fn shipped_plugins() -> ShippedPlugins {
    let program = env::current_exe().unwrap_or_default();
    let prefix = program.parent().and_then(Path::parent);
    prefix.map(|prefix| ShippedPlugins::new(&prefix.join(SHIPPED), PINS)).unwrap_or_default()
}

/// What hooks may be given, if their configuration names it.
#[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
pub(crate) fn environment() -> Environment {
    let pairs = env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    pairs.collect()
}

/// Would a shell find this program?
pub(crate) fn is_in_path(program: &str) -> bool {
    let path = variable("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.is_absolute() && folder.join(program).is_file())
}

pub(crate) fn current_folder() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// A variable that is text.
pub(crate) fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

#[expect(clippy::disallowed_methods, reason = "the one reader of the environment")]
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name)
}

/// The specification says to ignore relative paths. One through `..`, `/proc` or `/dev` can be as relative: to a folder
/// that the project chooses, such as `/proc/self/cwd`.
fn absolute(path: Option<OsString>) -> Option<PathBuf> {
    let path = path.map(PathBuf::from)?;
    let roundabout = path.components().any(|part| part == Component::ParentDir)
        || ["/proc", "/dev"].iter().any(|system| path.starts_with(system));
    (path.is_absolute() && !roundabout).then_some(path)
}
