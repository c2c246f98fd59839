//! The home folder of one case: a copy of its `home/`, so that a hook file stands where its agent has it, and its scripts
//! and stand-ins for programs (`home/bin`) where it names them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

/// What stands for its path in files of the case.
const HOME: &str = "[HOME]";

/// A home folder; gone when dropped.
pub(crate) struct Home(TempDir);

impl Home {
    /// With what is in `home/` of the case, if it has one.
    pub(crate) fn create_for(case: &Path) -> Self {
        let home = Self(TempDir::new().unwrap());
        for file in list_files(&case.join("home")) {
            home.copy_file(&case.join("home").join(&file), &home.path().join(&file));
        }
        home
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// A file that names the folder names it by its path then.
    fn copy_file(&self, from: &Path, to: &Path) {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
        if let Some(text) = fs::read_to_string(to).ok().filter(|text| text.contains(HOME)) {
            fs::write(to, self.named_in(&text)).unwrap();
        }
    }

    /// `PATH`: what the case brings is found first.
    pub(crate) fn programs(&self) -> String {
        format!("{}/bin:/usr/local/bin:/usr/bin:/bin", self.path().display())
    }

    /// `text` with the path in place of its name.
    pub(crate) fn named_in(&self, text: &str) -> String {
        text.replace(HOME, self.path().to_str().unwrap())
    }

    /// `text` with the name in place of the path.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        text.replace(self.path().to_str().unwrap(), HOME)
    }

    /// How the folder differs from `left/` of the case: the files that hooks must have left here.
    pub(crate) fn list_differences(&self, case: &Path) -> Vec<String> {
        let left = case.join("left");
        let difference = |file: PathBuf| {
            let wanted = fs::read_to_string(left.join(&file)).unwrap();
            let there = fs::read_to_string(self.path().join(&file)).ok();
            (there.as_ref() != Some(&wanted))
                .then(|| format!("left {} {wanted:?}, was {there:?}", file.display()))
        };
        list_files(&left).into_iter().filter_map(difference).collect()
    }
}

/// The files below a folder, by their paths in it; none if there is no such folder.
fn list_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.map(Result::unwrap) {
        let name = PathBuf::from(entry.file_name());
        if entry.path().is_dir() {
            found.extend(list_files(&entry.path()).into_iter().map(|file| name.join(file)));
        } else {
            found.push(name);
        }
    }
    found
}
