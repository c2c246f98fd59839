//! Folders that a hook may be given.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// A folder that the operator names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Folder {
    /// The one that the event happens in.
    Project,
    /// This one: an absolute path.
    At(PathBuf),
}

/// The word for the folder that the event happens in.
pub const PROJECT: &str = "project";

impl Folder {
    /// Its path for an event that happens in `project`; `None` if the event happens nowhere.
    pub fn path<'a>(&'a self, project: &'a str) -> Option<&'a Path> {
        match self {
            Self::Project => Some(Path::new(project)).filter(|folder| folder.is_absolute()),
            Self::At(path) => Some(path),
        }
    }

    /// Is `file` (absolute, without `..`) in it, for an event that happens in `project`? Links are not followed here.
    pub fn covers(&self, project: &str, file: &Path) -> bool {
        self.path(project).is_some_and(|folder| file.starts_with(folder))
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Project => f.write_str(PROJECT),
            Self::At(path) => path.display().fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_covers_what_is_in_it_by_whole_names() {
        let at = |path: &str| Folder::At(PathBuf::from(path));
        for (folder, project, file, expected) in [
            (Folder::Project, "/home/u/project", "/home/u/project/src/a.rs", true),
            (Folder::Project, "/home/u/project", "/home/u/project", true),
            (Folder::Project, "/home/u/project", "/home/u/projects/a.rs", false),
            (Folder::Project, "", "/a.rs", false),
            (Folder::Project, "project", "/home/u/project/a.rs", false),
            (at("/data"), "/home/u/project", "/data/list", true),
            (at("/data"), "/home/u/project", "/home/u/project/list", false),
            (at("/data"), "/home/u/project", "/data-2/list", false),
            (at("/"), "", "/etc/passwd", true),
        ] {
            assert_eq!(folder.covers(project, Path::new(file)), expected, "{folder} {project} {file}");
        }
    }
}
