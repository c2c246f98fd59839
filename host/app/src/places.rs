//! Paths of configuration, state and native code.
//!
//! Places are made in two ways. `hookbox run`, which agents start, gets them from the user database and from its arguments: a
//! project may set variables for the agents that work in it, so a variable would let it put its own configuration in the user's
//! place. Commands that the user starts follow the variables, as users expect.

use std::{
    error::Error,
    ffi::OsString,
    fmt,
    path::{Component, Path, PathBuf},
};

use hookbox::{
    Sha256Digest,
    agents::settings::{Base, UserFolder},
    sandbox::cache::CacheDir,
};
use hookbox_platform::{
    account::{Account, User},
    file::is_there,
};

/// The administrator's configuration.
const MANAGED: &str = "/etc/hookbox/hooks.toml";
/// A project's configuration, relative to its folder.
pub const PROJECT: &str = ".hookbox/hooks.toml";
pub(crate) const PROJECT_FOLDER: &str = ".hookbox";
/// Maximum number of folders, from the working directory upwards, in which a project is searched.
const MAX_DEPTH: usize = 64;
/// Default places in a home folder.
const CONFIG: &str = ".config";
const CACHE: &str = ".cache";
const STATE: &str = ".local/state";
const DATA: &str = ".local/share";

/// Looks a variable up for a program that the user started. A program that an agent starts reads none.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Explicitly named places; `None` stands for the default one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedPlaces {
    /// The home folder; that of the user database if not named.
    pub home: Option<PathBuf>,
    /// The folder of `hookbox/hooks.toml`; `.config` of the home folder if not named.
    pub config: Option<PathBuf>,
    /// The folder of compiled plugins; `.cache` of the home folder if not named.
    pub cache: Option<PathBuf>,
    /// The state folder; `.local/state` of the home folder if not named.
    pub state: Option<PathBuf>,
}

/// One user's folders according to the XDG base directory specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    cache: Option<PathBuf>,
    state: Option<PathBuf>,
    data: Option<PathBuf>,
    missing: Option<Missing>,
    /// Hooks of projects that are trusted for the lifetime of this process, and not recorded.
    trusted: Vec<Sha256Digest>,
    /// The folder that the user has declared private, for this process alone.
    private: Option<PathBuf>,
}

/// Reason why the user's hooks are unknown. A wrong place must not turn them off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The user database does not have this user, and no argument names a home.
    Home(User),
    /// A named place is not a folder.
    Folder(PathBuf),
}

impl Places {
    /// Returns the places for a program that an agent starts: by the user database and by arguments, without regard to
    /// variables. The user is the effective user of this process.
    pub fn of_account(named: &NamedPlaces) -> Self {
        let home = named.home.clone().or_else(|| Some(Account::of_this_user()?.home));
        let below = |home: Option<&PathBuf>, fallback: &str| home.map(|home| home.join(fallback));
        // What is kept is kept below a home that is there: none is made.
        let kept_in = home.as_ref().filter(|home| home.is_dir());
        let place =
            |named: &Option<PathBuf>, fallback: &str| named.clone().or_else(|| below(kept_in, fallback));
        let missing = [home.as_ref(), named.config.as_ref()].into_iter().flatten();
        let missing = missing.into_iter().find(|folder| !folder.is_dir()).cloned().map(Missing::Folder);
        let config = named.config.clone().or_else(|| below(home.as_ref(), CONFIG));
        Self {
            missing: if config.is_none() { Some(Missing::Home(User::current())) } else { missing },
            config,
            cache: place(&named.cache, CACHE),
            state: place(&named.state, STATE),
            // A program that an agent starts is passed the path of each plugin, and does not use the store.
            data: place(&None, DATA),
            trusted: Vec::new(),
            private: None,
            home,
        }
    }

    /// Returns the places for a program that the user starts: by the variables, and by the user database where these are not
    /// set.
    pub fn of_terminal(variables: Variables<'_>) -> Self {
        let place = |name: &str| variables(name).and_then(|value| require_absolute(value).ok());
        Self::of_account(&NamedPlaces {
            home: place("HOME"),
            // A missing folder is not an error here: a new user has none of them.
            config: None,
            cache: place("XDG_CACHE_HOME"),
            state: place("XDG_STATE_HOME"),
        })
        .with_config(place("XDG_CONFIG_HOME"))
        .with_data(place("XDG_DATA_HOME"))
    }

    /// Trusts these hooks of projects, each by the digest of its content ([`crate::closure::HookContent::digest`]): for this
    /// process alone, without a user at a terminal.
    #[must_use]
    pub fn with_trusted_hooks(self, hooks: &[Sha256Digest]) -> Self {
        Self { trusted: hooks.to_vec(), ..self }
    }

    /// Returns the hooks that are trusted for this process.
    pub(crate) fn trusted(&self) -> &[Sha256Digest] {
        &self.trusted
    }

    /// Declares a folder private, with every folder above it: only the user can write there, whatever its place and its mode say
    /// ([`crate::program_file`]). No entry of an agent names it ([`Self::arguments`]).
    #[must_use]
    pub fn assuming_private(self, folder: Option<PathBuf>) -> Self {
        Self { private: folder, ..self }
    }

    /// Returns the folder that was declared private.
    pub(crate) fn private(&self) -> Option<&Path> {
        self.private.as_deref()
    }

    fn with_data(self, data: Option<PathBuf>) -> Self {
        Self { data: data.or(self.data), ..self }
    }

    fn with_config(self, config: Option<PathBuf>) -> Self {
        match config {
            Some(config) => {
                // With a folder for the configuration, the user's hooks are known without a home folder.
                let missing = self.missing.filter(|missing| !matches!(missing, Missing::Home(_)));
                Self { config: Some(config), missing, ..self }
            }
            None => self,
        }
    }

    /// Returns the arguments of an entry that make [`Self::of_account`] find these places; none where it does so by itself.
    pub fn arguments(&self) -> Vec<(&'static str, &Path)> {
        let own = Self::of_account(&NamedPlaces::default());
        let home = self.home.as_deref();
        let mut arguments: Vec<_> = home
            .filter(|home| Some(*home) != own.home.as_deref())
            .map(|home| ("--home", home))
            .into_iter()
            .collect();
        let places = [
            ("--config-home", &self.config, CONFIG),
            ("--state-home", &self.state, STATE),
            ("--cache-home", &self.cache, CACHE),
        ];
        for (name, place, fallback) in places {
            let implied = home.map(|home| home.join(fallback));
            arguments.extend(
                place
                    .as_deref()
                    .filter(|place| Some(*place) != implied.as_deref())
                    .map(|place| (name, place)),
            );
        }
        arguments
    }

    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Returns the folders of home, configuration, cache and state, by the variables that programs use for them.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let places = [
            ("HOME", &self.home),
            ("XDG_CONFIG_HOME", &self.config),
            ("XDG_CACHE_HOME", &self.cache),
            ("XDG_STATE_HOME", &self.state),
        ];
        places.into_iter().filter_map(|(name, place)| Some((name, place.as_deref()?)))
    }

    /// Returns a folder or file of the home folder, by its path relative to it.
    pub fn in_home(&self, path: &str) -> Option<PathBuf> {
        Some(self.home.as_ref()?.join(path))
    }

    /// Returns the reason why the user's hooks are unknown, if they are.
    pub(crate) fn missing(&self) -> Option<&Missing> {
        self.missing.as_ref()
    }

    /// Returns the administrator's configuration, common to all users.
    pub fn managed_config() -> PathBuf {
        PathBuf::from(MANAGED)
    }

    /// Returns the user's configuration; `None` if the home folder is unknown. The file may not exist.
    pub fn user_config(&self) -> Option<PathBuf> {
        Some(self.config.as_ref()?.join("hookbox/hooks.toml"))
    }

    /// Returns the folder of native code.
    pub fn cache(&self) -> Option<PathBuf> {
        Some(self.cache.as_ref()?.join("hookbox/compiled"))
    }

    /// Opens the folder of native code, if it exists and may be used; it is never created here.
    pub fn opened_cache(&self) -> Option<CacheDir> {
        self.cache().filter(|cache| cache.is_dir()).and_then(|cache| CacheDir::open(&cache).ok())
    }

    /// Returns the folder of the state kept between processes.
    pub fn state(&self) -> Option<PathBuf> {
        Some(self.state.as_ref()?.join("hookbox"))
    }

    /// Returns the folder of plugins, and of files made from them.
    pub fn data(&self) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join("hookbox"))
    }

    /// Returns the folder that plugins are stored in, each by its digest ([`crate::plugin_store`]).
    pub fn store(&self) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join("hookbox/store/sha256"))
    }

    /// Returns the folder for the output of `hookbox export --print-dir`.
    pub fn exported(&self) -> Option<PathBuf> {
        Some(self.data.as_ref()?.join("hookbox/exported"))
    }

    /// Returns the file with the highest release seen of each plugin.
    pub fn releases(&self) -> Option<PathBuf> {
        Some(self.state()?.join("releases.json"))
    }

    /// Returns the file of consecutive failures, kept between processes.
    pub(crate) fn failures(&self) -> Option<PathBuf> {
        Some(self.state()?.join("failures.json"))
    }

    /// Returns the file of hooks that have run once in a session, kept between processes.
    pub(crate) fn once(&self) -> Option<PathBuf> {
        Some(self.state()?.join("once.json"))
    }

    /// Returns the file of the switches that `hookbox disable` sets.
    pub fn switches(&self) -> Option<PathBuf> {
        Some(self.state()?.join("switches.json"))
    }

    /// Returns the file of the hooks' recent answers.
    pub fn event_log(&self) -> Option<PathBuf> {
        Some(self.state()?.join("log.jsonl"))
    }

    /// Returns the file of the calls that the user has allowed.
    pub fn allowances(&self) -> Option<PathBuf> {
        Some(self.state()?.join("allowed.json"))
    }

    /// Returns the folder of an agent's own settings, where the user has put it by these variables; `None` if no home folder is
    /// known.
    pub fn settings_folder(&self, folder: &UserFolder, variables: Variables<'_>) -> Option<PathBuf> {
        if let Some(moved) = folder.variable.and_then(|name| require_absolute(variables(name)?).ok()) {
            return Some(moved);
        }
        let base = match folder.base {
            Base::Home => &self.home,
            Base::Config => &self.config,
            Base::HomeOr(variable) => {
                let named = variables(variable).and_then(|named| require_absolute(named).ok());
                return Some(named.as_ref().or(self.home.as_ref())?.join(folder.path));
            }
        };
        Some(base.as_ref()?.join(folder.path))
    }

    /// Returns the project around `folder`: the nearest folder upwards, of at most 64, that is a repository or has hooks, else
    /// `folder`.
    ///
    /// # Errors
    ///
    /// The result would be the home folder.
    pub fn project_root(&self, folder: &Path) -> Result<PathBuf, HomeIsNoProject> {
        let above =
            folder.ancestors().take(MAX_DEPTH).take_while(|above| Some(*above) != self.home.as_deref());
        let root = above.clone().find(|above| is_root(above)).unwrap_or(folder);
        if Some(root) == self.home.as_deref() {
            return Err(HomeIsNoProject);
        }
        Ok(root.to_owned())
    }

    /// Returns the files that [`Self::project_config`] looks for around `folder`, whether they exist or not.
    pub(crate) fn project_marks(&self, folder: &Path) -> Vec<PathBuf> {
        let mut marks = Vec::new();
        for folder in folder.ancestors().take(MAX_DEPTH) {
            marks.extend([folder.join(PROJECT), folder.join(".git")]);
            if Some(folder) == self.home.as_deref() || marks.iter().any(|mark| is_there(mark)) {
                break;
            }
        }
        marks
    }

    /// Returns the project around `folder` and its configuration: the nearest folder upwards that has one. A repository's root,
    /// the home folder and the 64th folder end the search.
    pub fn project_config(&self, folder: &Path) -> Option<Project> {
        for folder in folder.ancestors().take(MAX_DEPTH) {
            let config = folder.join(PROJECT);
            if is_there(&config) {
                return Some(Project { root: folder.to_owned(), config });
            }
            if Some(folder) == self.home.as_deref() || is_there(&folder.join(".git")) {
                return None;
            }
        }
        None
    }
}

/// Returns true if the folder is a repository or has hooks.
pub(crate) fn is_root(folder: &Path) -> bool {
    [".git", PROJECT].iter().any(|name| is_there(&folder.join(name)))
}

/// A project that has hooks.
pub struct Project {
    /// Its folder.
    pub root: PathBuf,
    /// Its configuration, which exists.
    pub config: PathBuf,
}

/// The home folder is not a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HomeIsNoProject;

impl fmt::Display for HomeIsNoProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the home folder is not a project; go into one")
    }
}

impl Error for HomeIsNoProject {}

/// A path that would mean another place elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAbsolute;

impl fmt::Display for NotAbsolute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it must be an absolute path, without `..` and not below /proc or /dev")
    }
}

impl Error for NotAbsolute {}

/// Returns the path if it is absolute. The specification requires ignoring relative paths. One through `..`, `/proc` or `/dev`
/// is as relative: it can lead to a folder that the project chooses, such as `/proc/self/cwd`.
///
/// # Errors
///
/// The path is relative, or leads through `..`, `/proc` or `/dev`.
pub fn require_absolute(path: impl Into<PathBuf>) -> Result<PathBuf, NotAbsolute> {
    let path = path.into();
    let roundabout = path.components().any(|part| part == Component::ParentDir)
        || ["/proc", "/dev"].iter().any(|system| path.starts_with(system));
    if path.is_absolute() && !roundabout {
        return Ok(path);
    }
    Err(NotAbsolute)
}
