//! Folders in which programs are searched on behalf of the user's own hooks: those of `PATH` that a project could not have
//! written, and the system's.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hookbox_platform::access::is_trusted_folder;

use crate::places::{self, Places};

/// The system's own folders, searched last regardless of `PATH`.
const SYSTEM: [&str; 6] = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
/// Maximum number of folders of `PATH` that are checked; each costs some system calls at every event.
const MOST_FOLDERS: usize = 64;
/// A package manager's folder that is a repository itself.
const TOOLS: [&str; 1] = ["/opt/homebrew"];

/// Facts for the check of each folder.
pub(crate) struct SearchPath {
    home: Option<PathBuf>,
    project: Option<PathBuf>,
}

impl SearchPath {
    /// Prepares the check for an event that happens in `folder`.
    pub(crate) fn new(places: &Places, folder: &Path) -> Self {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let home = places.home().and_then(real);
        let project = places.project_root(folder).ok().and_then(|root| real(&root));
        // A folder that contains the home folder or the system does not count as a project; an agent may work there all the
        // same.
        let is_project = |root: &PathBuf| {
            root.parent().is_some() && !home.as_ref().is_some_and(|home| home.starts_with(root))
        };
        Self { project: project.filter(is_project), home }
    }

    /// Returns the folders of `path` that a project could not have written, in their order, and the system's.
    pub(crate) fn filter_trusted(&self, path: &str) -> String {
        let mut folders: Vec<&str> = Vec::new();
        let theirs = path.split(':').take(MOST_FOLDERS).filter(|folder| self.is_trusted(Path::new(folder)));
        for folder in theirs.chain(SYSTEM) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders.join(":")
    }

    /// Returns true for an existing folder that no project could have written.
    pub(crate) fn is_trusted(&self, folder: &Path) -> bool {
        // An empty or relative part of `PATH` means the working folder, which is the project's.
        let Some(real) = places::require_absolute(folder).ok().and_then(|path| fs::canonicalize(path).ok())
        else {
            return false;
        };
        is_trusted_folder(&real) && !self.is_of_project(&real)
    }

    fn is_of_project(&self, folder: &Path) -> bool {
        self.project.as_ref().is_some_and(|project| folder.starts_with(project))
            || self.project_around(folder).is_some()
    }

    /// Returns the project that contains a file or folder, by the files on the disk between it and the home folder.
    pub(crate) fn project_around(&self, place: &Path) -> Option<PathBuf> {
        let home = self.home.as_deref().filter(|home| place.starts_with(home));
        let mut above = place.ancestors().take_while(|above| Some(*above) != home);
        above.find(|above| places::is_root(above) && !is_tool(above, home)).map(Path::to_owned)
    }
}

/// Returns true for version managers, which are repositories in hidden folders of the home folder (`~/.nvm`). They are not
/// worked in; copies of projects that agents make in hidden folders are deeper.
fn is_tool(root: &Path, home: Option<&Path>) -> bool {
    let hidden = root.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    (hidden && home.is_some() && root.parent() == home) || TOOLS.iter().any(|tool| root == Path::new(tool))
}
