//! Paths of accesses, normalised.

use super::{
    types::{AccessKind, PathAccess},
    words::without_marks,
};
use crate::{
    arg::{BELOW, UNKNOWN, is_mark},
    touched::{Access, Touched},
};

/// Returns the access to a touched file.
pub(super) fn access_of(touched: &Touched) -> PathAccess {
    let parts = parts_of(&touched.path);
    let below = touched.is_whole || touched.is_filled || touched.access == Access::Restore;
    let (path, is_below) = match parts.strip_suffix(&format!("/{BELOW}")) {
        Some("") => ("/", true),
        Some(folder) => (folder, true),
        None => (parts.as_str(), false),
    };
    PathAccess {
        path: without_marks(path),
        // A `*` may be a pattern of the command that lists the names.
        certain: !path.contains(|c| is_mark(c) || c == '*'),
        access: kind_of(touched.access),
        recursive: below || is_below,
    }
}

fn kind_of(access: Access) -> AccessKind {
    match access {
        Access::Read => AccessKind::Read,
        Access::Use => AccessKind::Use,
        Access::Write | Access::Restore => AccessKind::Write,
        Access::Folder => AccessKind::CreateFolder,
        Access::Alias => AccessKind::Link,
        Access::Give | Access::Make => AccessKind::Unknown,
    }
}

/// Returns a path without `.`, `..`, double slashes and repeated [`BELOW`]. A path from an unknown folder begins with [`UNKNOWN`].
fn parts_of(path: &str) -> String {
    let is_from_home = path == "~" || path.starts_with("~/");
    let is_relative = !path.starts_with('/') && !path.starts_with(UNKNOWN) && !is_from_home;
    let unknown = UNKNOWN.to_string();
    let mut parts: Vec<&str> = if is_relative { vec![&unknown] } else { Vec::new() };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => leave_folder(&mut parts, is_from_home),
            part if part.chars().eq([BELOW]) && parts.last() == Some(&part) => {}
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Applies `..`. Behind an unknown part and above the home folder, the folder is not known.
fn leave_folder(parts: &mut Vec<&str>, is_from_home: bool) {
    match parts.last() {
        Some(last) if last.contains([UNKNOWN, BELOW]) => {}
        Some(&"..") => parts.push(".."),
        Some(&"~") if is_from_home && parts.len() == 1 => parts.push(".."),
        _ => drop(parts.pop()),
    }
}

/// Returns the folder that a command runs in, if all of it is known.
pub(super) fn folder_of(folder: &str, home: Option<&str>) -> Option<String> {
    let path = match folder.strip_prefix(crate::arg::HOME) {
        Some(below) => format!("{}{below}", home.unwrap_or("~")),
        None => folder.to_owned(),
    };
    let path = if path.is_empty() { "/".to_owned() } else { parts_of(&path) };
    (!path.contains(is_mark)).then_some(path)
}
