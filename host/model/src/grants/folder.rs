//! Folders, as capabilities.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::{
    capability::{ANY, Capability, prefix_items},
    line::{format_list, format_table},
};
use crate::members::{Members, Read};

/// A folder in a grant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Folder {
    /// The event's project folder.
    Project,
    /// This folder: an absolute path.
    At(PathBuf),
}

/// Name of the event's project folder in configuration.
pub const PROJECT: &str = "project";

impl Folder {
    /// Returns the folder's path for an event in `project`; `None` if the event has no folder.
    pub fn resolve_path<'a>(&'a self, project: &'a str) -> Option<&'a Path> {
        match self {
            // The folder comes from the agent's JSON. A relative one would depend on the folder in which
            // hookbox runs.
            Self::Project => Some(Path::new(project)).filter(|folder| folder.is_absolute()),
            Self::At(path) => Some(path),
        }
    }

    /// Returns true if `file` (absolute, without `..`) is in the folder, for an event in `project`. Links are not followed here.
    pub fn covers(&self, project: &str, file: &Path) -> bool {
        self.resolve_path(project).is_some_and(|folder| file.starts_with(folder))
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

/// Folders requested by a plugin; the operator decides which folders they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum RequestedFolders {
    /// No folder.
    #[default]
    None,
    /// The event's project folder.
    Project,
    /// Any folder that the operator names.
    Any,
}

impl RequestedFolders {
    fn admits_folder(self, folder: &Folder) -> bool {
        match self {
            Self::None => false,
            Self::Project => *folder == Folder::Project,
            Self::Any => true,
        }
    }

    fn word(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Project => Some(PROJECT),
            Self::Any => Some(ANY),
        }
    }

    /// Returns the word for the request, if no granted folder satisfies it.
    fn find_unmet_word<'a>(self, granted: impl IntoIterator<Item = &'a Folder>) -> Option<&'static str> {
        self.word().filter(|_| !granted.into_iter().any(|folder| self.admits_folder(folder)))
    }
}

/// The capabilities to read folders, and to read and change them. Writing includes reading, in requests and in grants.
pub(super) const FS: Capability = Capability {
    name: "fs",
    read: |members, asks| {
        let Some(fs) = members.read_object("fs")? else { return Ok(()) };
        fs.check_keys(&["read", "write"])?;
        (asks.read, asks.write) = (read_folders(&fs, "read")?, read_folders(&fs, "write")?);
        Ok(())
    },
    admit: |asks, granted, given| {
        // A grant to write includes reading, so it is not lost where only reading is requested.
        let (write, only_read): (Vec<_>, Vec<_>) =
            granted.write.iter().cloned().partition(|folder| asks.write.admits_folder(folder));
        // The variants are in the order of their extent, and writing includes reading.
        let readable = asks.read.max(asks.write);
        let read = granted.read.iter().cloned().chain(only_read);
        (given.read, given.write) = (read.filter(|folder| readable.admits_folder(folder)).collect(), write);
    },
    // A request for any folder joins as the project's folder.
    join: |asks, granted| {
        if asks.write.find_unmet_word(&granted.write).is_some() {
            granted.write.push(Folder::Project);
        }
        if asks.read.find_unmet_word(granted.read.iter().chain(&granted.write)).is_some() {
            granted.read.push(Folder::Project);
        }
    },
    missing: |asks, granted| {
        let read = asks.read.find_unmet_word(granted.read.iter().chain(&granted.write));
        [prefix_items("fs.read", read), prefix_items("fs.write", asks.write.find_unmet_word(&granted.write))]
            .concat()
    },
    open: |_| Vec::new(),
    names: |granted| {
        [prefix_items("fs.read", &granted.read), prefix_items("fs.write", &granted.write)].concat()
    },
    keys: |granted| {
        let fs = [format_list("read", &granted.read), format_list("write", &granted.write)];
        format_table(fs.into_iter().flatten()).map(|fs| format!("fs = {fs}")).into_iter().collect()
    },
    acts: |granted| !granted.write.is_empty(),
};

fn read_folders(fs: &Members<'_>, key: &str) -> Read<RequestedFolders> {
    let asked = fs.read_texts(key)?.into_iter().map(|word| match word.as_str() {
        PROJECT => Ok(RequestedFolders::Project),
        ANY => Ok(RequestedFolders::Any),
        _ => {
            let only = "but only the operator names folders: ask for `project`, or for `*`";
            Err(fs.value_error(key, &word, only))
        }
    });
    // A list may have both words, and any folder includes that of the project.
    Ok(asked.collect::<Read<Vec<_>>>()?.into_iter().max().unwrap_or_default())
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
