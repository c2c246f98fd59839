//! The program that agents are to start, and who else could change it: whoever can decides what an agent is told.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt, fs,
    io::{BufRead, BufReader, Read},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use crate::{account, places::Places, search_path::SearchPath};

/// The program's name.
const NAME: &str = "hookbox";
/// Folders that are emptied; whoever comes first may then put another program in the old one's place.
const TEMPORARY: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Where groups and users are listed, and what is read of each list, bytes.
const GROUPS: &str = "/etc/group";
const USERS: &str = "/etc/passwd";
const MAX_BYTES: u64 = 16 << 20;
/// Permission bits.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

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
    /// This folder or file above it is not there, so anybody who may make it decides.
    Missing(PathBuf),
    /// This folder or file belongs to another user.
    Owner(PathBuf),
    /// Others may write to this folder or file, by its mode.
    Mode(PathBuf, u32),
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
            Self::Missing(place) => write!(f, "{} is not there", place.display()),
            Self::Owner(place) => write!(f, "{} belongs to another user", place.display()),
            Self::Mode(place, mode) => {
                let place = place.display();
                write!(
                    f,
                    "others may write to {place} (its mode is {mode:o}; `chmod go-w {place}` keeps them out)"
                )
            }
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
        None => file.ancestors().find_map(writer)?,
    };
    Some(Exposed { file: file.to_owned(), how })
}

/// The same of a file that lies in a project: whoever works there could change it.
pub fn in_project(file: &Path, places: &Places) -> Option<Exposed> {
    let project = SearchPath::new(places, Path::new("/")).project_around(file)?;
    Some(Exposed { file: file.to_owned(), how: Exposure::Project(project) })
}

/// How others could write to this file or folder.
fn writer(place: &Path) -> Option<Exposure> {
    let shown = place.to_owned();
    let Ok(stat) = fs::symlink_metadata(place) else { return Some(Exposure::Missing(shown)) };
    if ![0, account::user()].contains(&stat.uid()) {
        return Some(Exposure::Owner(shown));
    }
    // What a link allows does not matter, and in a sticky folder everybody keeps their own.
    let mode = stat.mode();
    if stat.is_symlink() || (stat.is_dir() && mode & STICKY != 0) {
        return None;
    }
    let by_group = mode & GROUP_WRITES != 0 && has_others(stat.gid());
    if mode & OTHERS_WRITE == 0 && !by_group {
        return None;
    }
    Some(Exposure::Mode(shown, mode & 0o7777))
}

/// Is anybody but this user and root in the group? One that is not listed may have anybody.
fn has_others(group: u32) -> bool {
    let users = lines(USERS);
    let name_of =
        |user: u32| users.iter().find(|line| number(line, 2) == Some(user)).and_then(|line| line.first());
    let own = [name_of(0), name_of(account::user())];
    let Some(line) = lines(GROUPS).into_iter().find(|line| number(line, 2) == Some(group)) else {
        return true;
    };
    let members = line.get(3).map(String::as_str).unwrap_or_default();
    let mut members = members.split(',').filter(|member| !member.is_empty());
    members.any(|member| !own.iter().flatten().any(|name| *name == member))
        || users.iter().any(|line| {
            number(line, 3) == Some(group)
                && !number(line, 2).is_some_and(|user| [0, account::user()].contains(&user))
        })
}

fn lines(file: &str) -> Vec<Vec<String>> {
    let Ok(list) = fs::File::open(file) else { return Vec::new() };
    let lines = BufReader::new(list.take(MAX_BYTES)).lines().map_while(Result::ok);
    lines.map(|line| line.split(':').map(str::to_owned).collect()).collect()
}

fn number(line: &[String], field: usize) -> Option<u32> {
    line.get(field)?.parse().ok()
}
