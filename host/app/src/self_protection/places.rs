//! Places that no tool of an agent may write.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use hookbox_platform::real_path::{Object, RealPath};
use shell_commands::{is_pattern, is_unknown};

use super::{
    relation::{ANY_FOLDERS, PatternMeaning, Relation, compare_names, find_swept_folder, split_lower_names},
    target::Target,
};
use crate::{
    install_record::InstallRecord,
    places::{PROJECT_FOLDER, Places},
    trusted_hooks::{TrustStore, TrustedHook},
};

const CONFIGURATION: &str = "hookbox's configuration";
const STATE: &str = "what hookbox keeps of what you decided";
const PLUGINS: &str = "where hookbox's plugins are";
const CODE: &str = "what hookbox has compiled";
const PROGRAM: &str = "hookbox itself";
const ENTRIES: &str = "an agent's entry for hookbox";
const TRUSTED: &str = "what a project's hooks run that you trust";
/// The programs, in the folder of the compiler.
const PROGRAMS: [&str; 4] = ["hookbox", "hookbox-compile", "hookbox-author", "hookbox-bundle"];
/// Maximum number of files of one folder that are compared with a file that has several names.
const MOST_COMPARED: usize = 512;

/// The protected places, by their configured paths.
pub(crate) struct OwnPlaces {
    fixed: Vec<(PathBuf, &'static str)>,
    trusted: Option<TrustStore>,
    installed: Option<InstallRecord>,
}

impl OwnPlaces {
    pub(crate) fn of_user(places: &Places) -> Self {
        let managed = Places::managed_config();
        let folder = |file: Option<PathBuf>| file.and_then(|file| Some(file.parent()?.to_owned()));
        let fixed = [
            (folder(Some(managed)), CONFIGURATION),
            (folder(places.user_config()), CONFIGURATION),
            (places.state(), STATE),
            (places.data(), PLUGINS),
            (folder(places.cache()), CODE),
        ];
        let fixed = fixed.into_iter().filter_map(|(path, what)| Some((path?, what))).collect();
        let installed = places.state().map(|state| InstallRecord::new(&state));
        Self { fixed, trusted: TrustStore::of_user(places), installed }
    }

    /// Adds the programs in the compiler's folder, and the shipped plugins.
    #[must_use]
    pub(crate) fn with_programs(mut self, compiler: Option<&Path>, shipped: &Path) -> Self {
        if let Some(folder) = compiler.and_then(Path::parent) {
            self.fixed.extend(PROGRAMS.map(|program| (folder.join(program), PROGRAM)));
        }
        self.with_place(Some(shipped.to_owned()).filter(|shipped| shipped.is_absolute()), PLUGINS)
    }

    /// Adds the files that configure this session.
    #[must_use]
    pub(crate) fn with_configuration(self, files: impl IntoIterator<Item = PathBuf>) -> Self {
        files
            .into_iter()
            .fold(self, |all, file| all.with_place(std::path::absolute(file).ok(), CONFIGURATION))
    }

    /// Adds the stores of the user's plugins, wherever they are.
    #[must_use]
    pub(crate) fn with_stores_of<'a>(self, plugins: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut stores: Vec<PathBuf> = plugins.into_iter().filter_map(store_of).collect();
        stores.dedup();
        stores.into_iter().fold(self, |all, store| all.with_place(Some(store), PLUGINS))
    }

    fn with_place(mut self, path: Option<PathBuf>, what: &'static str) -> Self {
        self.fixed.extend(path.map(|path| (path, what)));
        self
    }

    /// Resolves the places on the disk.
    pub(super) fn look(&self) -> ProtectedPlaces {
        let trusted = self.trusted.as_ref().map(TrustStore::load).unwrap_or_default();
        let trusted: BTreeSet<PathBuf> = trusted.iter().flat_map(files_of).collect();
        let trusted = trusted.into_iter().map(|path| (path, TRUSTED));
        let installed = self.installed.iter().flat_map(InstallRecord::paths);
        let installed = installed.map(|path| (PathBuf::from(path), ENTRIES));
        let all = self.fixed.iter().cloned().chain(trusted).chain(installed);
        ProtectedPlaces { places: all.map(ProtectedPlace::from_path).collect() }
    }
}

/// Returns a project's folder of hooks, and each file that such a hook runs.
fn files_of(hook: &TrustedHook) -> Vec<PathBuf> {
    let files = hook.files.keys().map(|file| hook.root.join(file));
    [hook.root.join(PROJECT_FOLDER)].into_iter().chain(files).collect()
}

/// `…/hookbox` of `…/hookbox/store/sha256/<digest>`.
fn store_of(plugin: &Path) -> Option<PathBuf> {
    let store = plugin.parent().filter(|folder| folder.ends_with("hookbox/store/sha256"))?;
    store.ancestors().nth(2).map(Path::to_owned)
}

/// The places, as they are on the disk.
pub(super) struct ProtectedPlaces {
    places: Vec<ProtectedPlace>,
}

impl ProtectedPlaces {
    /// Returns a description of the protected place that would be changed; `None` if none would be. `keeps_entries` returns
    /// true if the call leaves the entries in an agent's settings file.
    pub(super) fn hit_by(
        &self,
        target: &Target,
        keeps_entries: &dyn Fn(&Path) -> bool,
    ) -> Option<&'static str> {
        let mut path = split_lower_names(&target.way.path);
        path.extend(target.rest.iter().cloned());
        let is_lost = |place: &&ProtectedPlace| place.what != ENTRIES || !keeps_entries(&target.way.path);
        let mut hit = self.places.iter().filter(|place| place.is_hit_by(target, &path));
        hit.find(is_lost).map(|place| place.what)
    }
}

struct ProtectedPlace {
    what: &'static str,
    way: RealPath,
    names: Vec<String>,
    /// The links on the way to it.
    links: Vec<Vec<String>>,
}

impl ProtectedPlace {
    fn from_path((path, what): (PathBuf, &'static str)) -> Self {
        let way = RealPath::resolve_path(&path);
        let links = way.links.iter().map(|link| split_lower_names(link)).collect();
        Self { what, names: split_lower_names(&way.path), links, way }
    }

    fn object(&self) -> Option<&Object> {
        self.way.objects.last().filter(|_| self.way.is_there)
    }

    fn is_hit_by(&self, target: &Target, path: &[String]) -> bool {
        // A project's own scripts and searches work on such files all day long, too.
        if target.is_perhaps && [TRUSTED, ENTRIES].contains(&self.what) {
            return false;
        }
        if self.is_hit_by_name(target, path) {
            return true;
        }
        let there = &target.way;
        // The place by another name: a folder mounted twice, a file system without case, a second name of a file.
        let is_in = self.object().is_some_and(|own| there.objects.contains(own));
        let takes = || {
            let last =
                there.objects.last().filter(|_| target.is_whole && target.rest.is_empty() && there.is_there);
            last.is_some_and(|last| self.way.objects.contains(last))
        };
        let is_link = || {
            !target.is_made
                && target.rest.is_empty()
                && self.links.contains(&split_lower_names(&there.own_name))
        };
        is_in || takes() || is_link() || (there.names > 1 && self.has_file(there.objects.last()))
    }

    fn is_hit_by_name(&self, target: &Target, path: &[String]) -> bool {
        if target.is_somewhere {
            return match compare_names(path, &self.names, PatternMeaning::Meant) {
                Relation::Same | Relation::Below => true,
                Relation::AnywhereBelow => self.holds_last(path, PatternMeaning::Meant),
                Relation::Above | Relation::Elsewhere => false,
            };
        }
        let is_hit = |path: &[String]| match compare_names(path, &self.names, PatternMeaning::Meant) {
            Relation::Same | Relation::Below => true,
            // A project's own repository changes its files all day long, and its trust ends with that.
            Relation::Above => {
                target.is_whole
                    || (self.is_kept() && (target.is_restored || self.may_come_into(target, path)))
            }
            Relation::AnywhereBelow => self.holds_last(path, PatternMeaning::Meant),
            Relation::Elsewhere => self.is_guessed(path),
        };
        let is_swept = |(folder, dotted): (&[String], bool)| {
            // `*` does not match a leading dot.
            let is_dotted = self.names.get(folder.len()).is_some_and(|next| next.starts_with('.'));
            let is_above = compare_names(folder, &self.names, PatternMeaning::Meant) == Relation::Above;
            // A file directly in the folder is among those that the pattern means.
            let is_in = is_above && folder.len() + 1 == self.names.len() && !self.way.path.is_dir();
            (is_hit(folder) || is_in) && (!is_above || is_dotted == dotted)
        };
        is_hit(path) || self.is_matched_by(target, path) || find_swept_folder(path).is_some_and(is_swept)
    }

    /// Returns true if a path with unknown names may be a file in this place: the names behind them match the place, or a file
    /// of that name exists there and hardly anywhere else.
    fn is_guessed(&self, path: &[String]) -> bool {
        let has_gap = path.iter().any(|name| is_unknown(name));
        let Some(last) = path.last().filter(|last| has_gap && self.is_kept() && !is_pattern(last)) else {
            return false;
        };
        let filled: Vec<String> = path
            .iter()
            .map(|name| if is_unknown(name) { ANY_FOLDERS.to_owned() } else { name.clone() })
            .collect();
        match compare_names(&filled, &self.names, PatternMeaning::Meant) {
            Relation::Same | Relation::Below => true,
            Relation::AnywhereBelow => self.holds_name(last, PatternMeaning::Meant),
            Relation::Above | Relation::Elsewhere => false,
        }
    }

    /// Returns true if the place, or something in it, is among the matches of a shell pattern. Only existing files match.
    fn is_matched_by(&self, target: &Target, path: &[String]) -> bool {
        self.way.is_there
            && match compare_names(path, &self.names, PatternMeaning::Matched) {
                Relation::Same => true,
                Relation::Below => {
                    self.first_in(path).is_some_and(|name| self.holds_name(name, PatternMeaning::Matched))
                }
                Relation::Above => target.is_whole,
                Relation::AnywhereBelow => {
                    // A name between the folders and the last one would have to be searched in each folder.
                    path.iter().rev().nth(1).is_some_and(|name| name == ANY_FOLDERS)
                        && self.holds_last(path, PatternMeaning::Matched)
                }
                Relation::Elsewhere => false,
            }
    }

    /// Returns the name that a path has directly in this place. Behind any folders that is the last one.
    fn first_in<'a>(&self, path: &'a [String]) -> Option<&'a String> {
        if path.iter().any(|name| name == ANY_FOLDERS) { path.last() } else { path.get(self.names.len()) }
    }

    /// Returns true if the place may be among files with unknown names that are put into a folder. Archives unpacked into a
    /// home folder or `/` rarely contain the place; those unpacked into the folders where programs keep their files may.
    fn may_come_into(&self, target: &Target, path: &[String]) -> bool {
        let is_hidden = || path.last().is_some_and(|name| name.starts_with('.'));
        target.is_filled && (path.len() + 1 == self.names.len() || is_hidden())
    }

    /// Returns true for hookbox's own files in the user's home or the system's folders, which are not in any project.
    fn is_kept(&self) -> bool {
        [CONFIGURATION, STATE, PLUGINS, CODE].contains(&self.what)
    }

    fn holds_last(&self, path: &[String], meaning: PatternMeaning) -> bool {
        path.last().is_some_and(|name| self.holds_name(name, meaning))
    }

    /// Returns true if an entry directly in this place may have this name.
    fn holds_name(&self, name: &str, meaning: PatternMeaning) -> bool {
        let entries = fs::read_dir(&self.way.path).into_iter().flatten().take(MOST_COMPARED).flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().to_lowercase());
        names.any(|entry| name == ANY_FOLDERS || meaning.matches_name(name, &entry))
    }

    /// Returns true if this is a file directly in the place, or the place itself.
    fn has_file(&self, file: Option<&Object>) -> bool {
        let Some(file) = file else { return false };
        let entries = fs::read_dir(&self.way.path).into_iter().flatten().take(MOST_COMPARED).flatten();
        self.object() == Some(file)
            || entries
                .map(|entry| RealPath::resolve_path(&entry.path()))
                .any(|way| way.objects.last() == Some(file))
    }
}
