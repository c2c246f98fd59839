//! The working folder, and those that a shell goes back to.

use super::Scope;
use crate::arg::{Arg, HOME};

/// Maximum number of folders that `pushd` keeps.
const MAX_FOLDERS: usize = 64;

/// Variables that name folders in a home folder, with their default values.
const USUAL: &[(&str, &str)] = &[
    ("XDG_CACHE_HOME", ".cache"),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
];

impl Scope {
    /// Takes the folders that programs keep their files in to be where they usually are.
    pub(crate) fn know_folders(&mut self) {
        for (name, folder) in USUAL {
            self.set(name, Arg::new(format!("{HOME}/{folder}")));
        }
    }

    /// Moves to a folder, or to one that is not known.
    pub(crate) fn change_folder(&mut self, target: Option<&str>) {
        let searched = self.get("CDPATH").is_some();
        let folder = match target {
            Some(path) if path.starts_with(['/', HOME]) => Some(path.to_owned()),
            Some(path) if searched && !path.starts_with('.') => None,
            Some(path) => self.cwd.as_ref().map(|cwd| format!("{cwd}/{path}")),
            None => None,
        };
        self.enter(folder);
    }

    fn enter(&mut self, folder: Option<String>) {
        self.strayed = true;
        self.variables.remove("PWD");
        self.old_cwd = std::mem::replace(&mut self.cwd, folder);
    }

    /// `cd -`
    pub(crate) fn go_back(&mut self) {
        let folder = self.old_cwd.take();
        self.enter(folder);
    }

    /// `pushd folder`; without one it changes places with the last that was left so.
    pub(crate) fn push_folder(&mut self, target: Option<&str>) {
        let here = self.cwd.clone();
        if target.is_some() {
            self.change_folder(target);
        } else {
            let folder = self.folders.pop().flatten();
            self.enter(folder);
        }
        if self.folders.len() < MAX_FOLDERS {
            self.folders.push(here);
        }
    }

    /// `popd`
    pub(crate) fn pop_folder(&mut self) {
        let folder = self.folders.pop().flatten();
        self.enter(folder);
    }

    /// `pushd -n folder`
    pub(crate) fn keep_folder(&mut self, target: &str) {
        let (here, before) = (self.cwd.clone(), self.old_cwd.clone());
        self.change_folder(Some(target));
        let kept = std::mem::replace(&mut self.cwd, here);
        self.old_cwd = before;
        if self.folders.len() < MAX_FOLDERS {
            self.folders.push(kept);
        }
    }

    /// `popd -n`
    pub(crate) fn forget_folder(&mut self) {
        self.folders.pop();
    }

    /// Returns the folder for `~1`, `~+1` and `~-1`: the one that `pushd` left last, or first; `None` if that is not
    /// known. `~0` is the current folder.
    pub(crate) fn left(&self, place: &str) -> Option<String> {
        let (number, from_first) = match place.strip_prefix('-') {
            Some(number) => (number, true),
            None => (place.strip_prefix('+').unwrap_or(place), false),
        };
        let number: usize = number.parse().ok()?;
        let at = if from_first { number } else { self.folders.len().checked_sub(number)? };
        if at == self.folders.len() { self.cwd.clone() } else { self.folders.get(at)?.clone() }
    }

    /// Forgets the folders that `pushd` left.
    pub(crate) fn lose_folders(&mut self) {
        self.folders.clear();
        self.enter(None);
    }
}
