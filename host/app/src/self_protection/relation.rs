//! Relation of a written path to a protected place, by their names.

use std::path::Path;

/// In a path of a command: any folders between two names.
pub(super) const ANY_FOLDERS: &str = "\u{FDD5}";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// The path is unrelated to the place.
    Elsewhere,
    /// The path is a folder that contains the place.
    Above,
    Same,
    Below,
    /// The path is any file with its last name in some folder, of which the place may be one.
    AnywhereBelow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PatternMeaning {
    /// Every name that the pattern matches, as for a shell.
    Matched,
    /// Only a name that the pattern was made for.
    Meant,
}

impl PatternMeaning {
    /// Returns true if a name, perhaps a pattern, means the other one.
    pub(super) fn matches_name(self, name: &str, other: &str) -> bool {
        shell_commands::may_be_name(name, other)
            || (self == Self::Matched && shell_commands::is_matched(name, other))
    }
}

/// Returns the names of a path in lower case: some file systems ignore case.
pub(super) fn split_lower_names(path: &Path) -> Vec<String> {
    path.iter().map(|name| name.to_string_lossy().to_lowercase()).filter(|name| name != "/").collect()
}

/// Maximum number of `ANY_FOLDERS` in a path that are tried: each may mean any number of folders.
const MOST_OPEN: usize = 4;

/// Compares names, of which those of the path may be patterns.
pub(super) fn compare_names(path: &[String], place: &[String], meaning: PatternMeaning) -> Relation {
    let open = || path.iter().enumerate().filter(|(_, name)| *name == ANY_FOLDERS).map(|(at, _)| at);
    match (open().next(), open().next_back()) {
        // Everything between the first and the last is covered by any folders, too.
        (Some(first), Some(last)) if open().count() > MOST_OPEN => {
            let [before, behind] = [path.get(..first), path.get(last..)].map(Option::unwrap_or_default);
            compare_parts(&[before, behind].concat(), place, meaning)
        }
        _ => compare_parts(path, place, meaning),
    }
}

fn compare_parts(path: &[String], place: &[String], meaning: PatternMeaning) -> Relation {
    match (path.split_first(), place.split_first()) {
        (None, None) => Relation::Same,
        (None, Some(_)) => Relation::Above,
        (Some(_), None) => Relation::Below,
        // Some unknown folders below.
        (Some((name, [])), Some(_)) if name == ANY_FOLDERS => Relation::Above,
        (Some((name, after)), Some(_)) if name == ANY_FOLDERS => compare_anywhere(after, place, meaning),
        (Some((name, after)), Some((part, behind))) if meaning.matches_name(name, part) => {
            compare_parts(after, behind, meaning)
        }
        _ => Relation::Elsewhere,
    }
}

/// Compares the names behind any number of folders, which may be zero.
fn compare_anywhere(after: &[String], place: &[String], meaning: PatternMeaning) -> Relation {
    let ends: Vec<Relation> = (0..place.len())
        .map(|skip| compare_parts(after, place.get(skip..).unwrap_or_default(), meaning))
        .collect();
    let mut nearest = [Relation::Same, Relation::Below, Relation::Above].into_iter();
    nearest.find(|found| ends.contains(found)).unwrap_or(Relation::AnywhereBelow)
}

/// Returns the folder if the last name stands for everything in it, and whether it means names with a leading dot.
pub(super) fn find_swept_folder(path: &[String]) -> Option<(&[String], bool)> {
    let (last, folder) = path.split_last()?;
    // Not an unknown name: that may be a single name.
    let globs = shell_commands::pattern("*?[");
    let is_for_all = last.chars().all(|c| c == '.' || globs.contains(c));
    (is_for_all && shell_commands::is_pattern(last)).then(|| (folder, last.starts_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_pattern(path: &str) -> Vec<String> {
        // Patterns in the form of `shell_commands`.
        path.split('/').map(|name| shell_commands::pattern(name).replace('%', ANY_FOLDERS)).collect()
    }

    #[test]
    fn a_path_is_above_a_place_the_place_or_in_it() {
        for (path, found) in [
            ("home/me", Relation::Above),
            ("home/me/.conf*", Relation::Above),
            ("home/me/.config/hookbox", Relation::Same),
            ("home/me/.config/hook*", Relation::Same),
            ("home/me/.config/hookbox/hooks.toml", Relation::Below),
            ("home/me/%/hookbox", Relation::Same),
            ("home/me/%/hookbox/x", Relation::Below),
            ("home/me/%/other", Relation::AnywhereBelow),
            ("home/%/.config", Relation::Above),
            ("%/a/%/b/%/c/%/d/%/hookbox", Relation::Same),
            ("home/you/%/other", Relation::Elsewhere),
            ("home/me/%", Relation::Above),
            ("home/me/.config/hook", Relation::Elsewhere),
            ("home/me/.config/*", Relation::Elsewhere),
            ("home/you/.config/hookbox", Relation::Elsewhere),
        ] {
            assert_eq!(
                compare_names(
                    &split_pattern(path),
                    &split_pattern("home/me/.config/hookbox"),
                    PatternMeaning::Meant
                ),
                found,
                "{path}"
            );
        }
    }

    #[test]
    fn a_pattern_means_what_it_matches_or_only_what_it_is_made_for() {
        for (path, meant, matched) in [
            ("home/me/.config/h*", Relation::Elsewhere, Relation::Same),
            ("home/me/.config/*x", Relation::Elsewhere, Relation::Same),
            ("home/me/.config/[!n]*", Relation::Elsewhere, Relation::Same),
            ("home/me/.config/[n]*", Relation::Elsewhere, Relation::Elsewhere),
            ("home/me/*", Relation::Elsewhere, Relation::Elsewhere),
            ("home/me/.config/*/x", Relation::Elsewhere, Relation::Below),
            ("home/me/%/h*", Relation::AnywhereBelow, Relation::Same),
            ("home/m*", Relation::Elsewhere, Relation::Above),
        ] {
            let place = split_pattern("home/me/.config/hookbox");
            assert_eq!(compare_names(&split_pattern(path), &place, PatternMeaning::Meant), meant, "{path}");
            assert_eq!(
                compare_names(&split_pattern(path), &place, PatternMeaning::Matched),
                matched,
                "{path}"
            );
        }
    }

    #[test]
    fn a_pattern_for_everything_is_the_folder_that_it_is_in() {
        assert_eq!(
            find_swept_folder(&split_pattern("home/*")),
            Some((split_pattern("home").as_slice(), false))
        );
        assert_eq!(
            find_swept_folder(&split_pattern("home/.??*")),
            Some((split_pattern("home").as_slice(), true))
        );
        assert_eq!(find_swept_folder(&split_pattern("home/h*")), None);
        assert_eq!(find_swept_folder(&split_pattern("home/x")), None);
    }
}
