//! Resolves paths by their text alone: no link is followed, no file is looked up.

use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::report::Report;
use crate::hookfile::{PlacedProblem, Source};

/// Returns a path of the file as an absolute path.
pub(super) fn resolve_absolute(
    path: &Spanned<&str>,
    source: &Source,
    report: &mut Report,
) -> Option<PathBuf> {
    let text = *path.get_ref();
    let (problem, help) = match source.folder() {
        // Messages would show the path, and it could forge a line there.
        _ if text.contains(|c: char| c.is_control() && c != '\0') => {
            ("a path with a control character", "rename the file")
        }
        _ if text.starts_with('~') => ("`~` is not expanded", "write it out, or relative to this file"),
        _ if Path::new(text).is_absolute() => return Some(normalise_path(Path::new(text))),
        Some(folder) => return Some(normalise_path(&folder.join(text))),
        None => ("a relative path, but this configuration is from no file", "write an absolute path"),
    };
    report.add_problem(PlacedProblem::error(path.span(), problem).help(help));
    None
}

/// Returns the path without `.` and `..`.
pub(super) fn normalise_path(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(clean.components().next_back(), Some(Component::Normal(_))) => {
                clean.pop();
            }
            // The root has no parent.
            Component::ParentDir if clean.has_root() => {}
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_out_by_their_text() {
        for (path, clean) in [
            ("/a/./b//c/", "/a/b/c"),
            ("/a/../b", "/b"),
            ("/../../a", "/a"),
            ("/a/b/../../..", "/"),
            ("../a/..", ".."),
            ("a/../../b", "../b"),
        ] {
            assert_eq!(normalise_path(Path::new(path)), Path::new(clean), "{path}");
        }
    }
}
