//! Files whose changes count: hookbox's configuration, the user's decisions, stored plugins, and the agents' settings that have
//! hookbox's entries.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use hookbox::agents::settings::cline;

use crate::{install_record::InstallRecord, places::Places};

/// Maximum number of files that are compared and copied. Plugins come last, so they are left out first.
pub(super) const MOST_FILES: usize = 64;
/// Files in the folder of the user's configuration.
const CONFIGURATION: [&str; 5] =
    ["hooks.toml", "hookbox.lock", "policy.toml", "allowed_signers", "revoked.krl"];
/// Files of the state folder with decisions of the user. hookbox changes none of them at an event, except for [`ALLOWANCES`].
const DECISIONS: [&str; 5] = ["trusted.json", "switches.json", "installed.json", "releases.json", ALLOWANCES];
/// Name of the file of allowances, which events use up.
const ALLOWANCES: &str = "allowed.json";
/// End of the path of the folder of stored plugins.
const STORE: &str = "hookbox/store/sha256";

/// The part of a file that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchedContent {
    /// Every byte, the mode and the existence.
    Whole,
    /// hookbox's entries in an agent's settings, and the switches that stop the agent's hooks.
    Entries,
    /// Allowances that the user has not given: hookbox removes used ones itself.
    Allowances,
}

/// The watched files of one user.
pub(crate) struct WatchedFiles {
    configuration: Option<PathBuf>,
    state: PathBuf,
    plugins: Vec<PathBuf>,
}

impl WatchedFiles {
    /// Returns the files of a user; `None` without a state folder, since nothing can be noted then.
    pub(crate) fn of_user(places: &Places) -> Option<Self> {
        let configuration = places.user_config().and_then(|file| Some(file.parent()?.to_owned()));
        Some(Self { configuration, state: places.state()?, plugins: Vec::new() })
    }

    /// Adds the stored ones of these plugins. Any other is where its developer builds it.
    #[must_use]
    pub(crate) fn with_plugins<'a>(mut self, plugins: impl Iterator<Item = &'a Path>) -> Self {
        self.plugins.extend(plugins.filter(|plugin| is_stored(plugin)).map(Path::to_owned));
        self
    }

    /// Adds the plugins of a store.
    #[must_use]
    pub(super) fn with_store(mut self, store: &Path) -> Self {
        let entries = fs::read_dir(store).into_iter().flatten().take(MOST_FILES).flatten();
        self.plugins.extend(entries.map(|entry| entry.path()));
        self
    }

    /// Returns the state folder.
    pub(super) fn state(&self) -> &Path {
        &self.state
    }

    /// Returns the paths of the files, whether they exist or not. A path that is not UTF-8 is left out.
    pub(super) fn list_paths(&self) -> BTreeSet<String> {
        let configuration = self.configuration.iter();
        let configuration =
            configuration.flat_map(|folder| CONFIGURATION.into_iter().map(move |name| folder.join(name)));
        let decisions = DECISIONS.into_iter().map(|name| self.state.join(name));
        let settings = InstallRecord::new(&self.state).paths().into_iter().map(PathBuf::from);
        let all = configuration
            .chain(decisions)
            .chain(settings.flat_map(list_settings_files))
            .chain(self.plugins.iter().cloned());
        all.filter_map(|path| path.to_str().map(str::to_owned)).take(MOST_FILES).collect()
    }

    /// Returns the part of this file that counts.
    pub(super) fn content_of(&self, path: &Path) -> WatchedContent {
        let folder = path.parent();
        if folder == Some(self.state.as_path()) && path.ends_with(ALLOWANCES) {
            return WatchedContent::Allowances;
        }
        let is_own = folder == Some(self.state.as_path()) || folder == self.configuration.as_deref();
        if is_own || is_stored(path) { WatchedContent::Whole } else { WatchedContent::Entries }
    }
}

fn is_stored(plugin: &Path) -> bool {
    plugin.parent().is_some_and(|folder| folder.ends_with(STORE))
}

/// Returns the file, or the files of hookbox's events in the folder of an agent whose hooks are programs.
fn list_settings_files(path: PathBuf) -> Vec<PathBuf> {
    if path.is_dir() { cline::USUAL.iter().map(|event| path.join(event)).collect() } else { vec![path] }
}
