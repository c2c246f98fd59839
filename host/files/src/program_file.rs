//! The program that agents are to start, and who else could change it: whoever can decides what an agent is told.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt, fs,
    path::{Path, PathBuf},
};

use hookbox_platform::access::other_writer;

use crate::{places::Places, search_path::SearchPath};

/// The program's name.
const NAME: &str = "hookbox";
/// Folders that are emptied; whoever comes first may then put another program in the old one's place.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];

/// Why agents should not start a file. Its text says what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exposed {
    /// The file.
    pub file: PathBuf,
    /// How others than the user can change it.
    pub how: Exposure,
}

/// How others than the user can change a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// It lies below this folder for temporary files.
    Temporary(&'static str),
    /// Somebody else could write to it, or to a folder above it: a sentence about who and where.
    Writable(String),
    /// It lies in a project: in this folder.
    Project(PathBuf),
    /// It lies in the project whose agent is to start it.
    SameProject,
}

impl fmt::Display for Exposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} should not be what an agent asks: {}. Put hookbox and hookbox-compile into a folder that is yours alone, such \
             as ~/.local/bin, and run `hookbox install` from there",
            self.file.display(),
            self.how
        )
    }
}

impl fmt::Display for Exposure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Temporary(folder) => {
                write!(f, "{folder} is emptied at times, and then anybody may put a file there")
            }
            Self::Writable(who) => f.write_str(who),
            Self::Project(root) => write!(f, "whoever works in {} could change it", root.display()),
            Self::SameProject => f.write_str("it lies in the very project whose agent is to ask it"),
        }
    }
}

impl Error for Exposed {}

/// The file that an entry is to name: the running `program`, by the link through which `path`, the variable `PATH`, leads to it
/// if that is as safe, since package managers keep the link and move the file.
pub fn named(program: PathBuf, path: &OsStr) -> PathBuf {
    let links = env::split_paths(path).filter_map(|folder| Some(fs::canonicalize(folder).ok()?.join(NAME)));
    let mut links = links.filter(|link| fs::canonicalize(link).is_ok_and(|real| real == program));
    links.find(|link| exposed(link).is_none()).unwrap_or(program)
}

/// Why agents should not start this file; `None` if nobody else could change it, by its place and the modes above it.
pub fn exposed(file: &Path) -> Option<Exposed> {
    let temporary = TEMPORARY.into_iter().find(|folder| file.starts_with(folder));
    let how = match temporary {
        Some(folder) => Exposure::Temporary(folder),
        None => Exposure::Writable(file.ancestors().find_map(other_writer)?),
    };
    Some(Exposed { file: file.to_owned(), how })
}

/// The same of a file that lies in a project: whoever works there could change it.
pub fn in_project(file: &Path, places: &Places) -> Option<Exposed> {
    let project = SearchPath::new(places, Path::new("/")).project_around(file)?;
    Some(Exposed { file: file.to_owned(), how: Exposure::Project(project) })
}
