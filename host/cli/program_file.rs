//! The program that agents are to start, and who else could change it: whoever can decides what an agent is told.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use crate::{account, environment, places::Places, search_path::SearchPath};

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

/// The file that an entry is to name: this program, by the link through which `PATH` leads to it if that is as safe, since
/// package managers keep the link and move the file.
pub(crate) fn named() -> Option<PathBuf> {
    let program = environment::program()?;
    let path = environment::variable("PATH").unwrap_or_default();
    let links = env::split_paths(&path).filter_map(|folder| Some(fs::canonicalize(folder).ok()?.join(NAME)));
    let mut links = links.filter(|link| fs::canonicalize(link).is_ok_and(|real| real == program));
    Some(links.find(|link| refusal(link).is_none()).unwrap_or(program))
}

/// Why agents should not start this file, and what to do about it; `None` if nobody else could change it.
pub(crate) fn refusal(file: &Path) -> Option<String> {
    if let Some(folder) = TEMPORARY.iter().find(|folder| file.starts_with(folder)) {
        return Some(advised(
            file,
            &format!("{folder} is emptied at times, and then anybody may put a file there"),
        ));
    }
    file.ancestors().find_map(|place| writer(place).map(|who| advised(file, &who)))
}

/// The project that a file is in: whoever works there could change it.
pub(crate) fn project_around(file: &Path, places: &Places) -> Option<PathBuf> {
    SearchPath::new(places, Path::new("/")).project_around(file)
}

/// What to do instead.
pub(crate) fn advised(file: &Path, why: &str) -> String {
    format!(
        "{} should not be what an agent asks: {why}. Put hookbox and hookbox-compile into a folder that is yours alone, such \
         as ~/.local/bin, and run `hookbox install` from there",
        file.display()
    )
}

/// Who else could write to this file or folder.
fn writer(place: &Path) -> Option<String> {
    let shown = place.display();
    let Ok(stat) = fs::symlink_metadata(place) else { return Some(format!("{shown} is not there")) };
    if ![0, account::user()].contains(&stat.uid()) {
        return Some(format!("{shown} belongs to another user"));
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
    let mode = mode & 0o7777;
    Some(format!("others may write to {shown} (its mode is {mode:o}; `chmod go-w {shown}` keeps them out)"))
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
