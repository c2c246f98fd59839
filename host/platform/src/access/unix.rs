//! Owners and modes of Unix.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use crate::account::unix::effective_user;

/// The lists of groups and users, and the most bytes read of each.
const GROUPS: &str = "/etc/group";
const USERS: &str = "/etc/passwd";
const MAX_BYTES: u64 = 16 << 20;
/// Permission bits.
const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Returns true for a folder that belongs to this user or the system and is not writable by others.
pub fn is_trusted_folder(folder: &Path) -> bool {
    let Ok(stat) = fs::metadata(folder) else { return false };
    let owned = [0, effective_user()].contains(&stat.uid());
    stat.is_dir() && owned && stat.mode() & OTHERS_WRITE == 0
}

/// Returns the reason why others could write to this file or folder; `None` if they cannot.
pub fn other_writer(place: &Path) -> Option<String> {
    let shown = place.display();
    let Ok(stat) = fs::symlink_metadata(place) else { return Some(format!("{shown} is not there")) };
    if ![0, effective_user()].contains(&stat.uid()) {
        return Some(format!("{shown} belongs to another user"));
    }
    // The mode of a link does not matter, and in a sticky folder users can only change their own files.
    let mode = stat.mode();
    if stat.is_symlink() || (stat.is_dir() && mode & STICKY != 0) {
        return None;
    }
    // Distributions that give each user a private group set a umask of 002, so most files there are group-writable,
    // and the group alone does not show another writer.
    let by_group = mode & GROUP_WRITES != 0 && has_others(stat.gid());
    if mode & OTHERS_WRITE == 0 && !by_group {
        return None;
    }
    let mode = mode & 0o7777;
    Some(format!("others may write to {shown} (its mode is {mode:o}; `chmod go-w {shown}` keeps them out)"))
}

/// Returns true if users other than this user and root are in the group. A group that is not listed may have any member.
fn has_others(group: u32) -> bool {
    let users = read_lines(USERS);
    let name_of = |user: u32| {
        users.iter().find(|line| parse_field(line, 2) == Some(user)).and_then(|line| line.first())
    };
    let own = [name_of(0), name_of(effective_user())];
    let Some(line) = read_lines(GROUPS).into_iter().find(|line| parse_field(line, 2) == Some(group)) else {
        return true;
    };
    let members = line.get(3).map(String::as_str).unwrap_or_default();
    let mut members = members.split(',').filter(|member| !member.is_empty());
    // `/etc/group` omits users for whom the group is the primary one; only the list of users has these.
    members.any(|member| !own.iter().flatten().any(|name| *name == member))
        || users.iter().any(|line| {
            parse_field(line, 3) == Some(group)
                && !parse_field(line, 2).is_some_and(|other| [0, effective_user()].contains(&other))
        })
}

fn read_lines(file: &str) -> Vec<Vec<String>> {
    let Ok(list) = fs::File::open(file) else { return Vec::new() };
    let lines = BufReader::new(list.take(MAX_BYTES)).lines().map_while(Result::ok);
    lines.map(|line| line.split(':').map(str::to_owned).collect()).collect()
}

fn parse_field(line: &[String], field: usize) -> Option<u32> {
    line.get(field)?.parse().ok()
}
