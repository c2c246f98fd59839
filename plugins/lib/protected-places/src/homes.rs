//! Names of home folders and of the system's root. Components are in lower case.

/// Folders that contain home folders.
const HOME_PARENTS: &[&[&str]] =
    &[&["home"], &["users"], &["usr", "home"], &["var", "home"], &["export", "home"]];
/// Home folders that have a place of their own.
const HOMES: &[&[&str]] = &[
    &["root"],
    &["var", "root"],
    &["private", "var", "root"],
    &["data", "data", "com.termux", "files", "home"],
];

/// A folder that is another name of `/`, and true if the whole system is below it: below a disk are only the home folders and the system's folders of
/// that disk.
type Root = (&'static [&'static str], bool);

/// A component `?` is a drive letter, `*` any name.
const ROOTS: &[Root] = &[
    (&["system", "volumes", "data"], true),
    (&["volumes", "macintosh hd"], true),
    (&["volumes", "macintosh hd - data"], true),
    (&["private"], true),
    (&["sysroot"], true),
    (&["host"], true),
    (&["run", "host"], true),
    (&["rootfs"], true),
    (&["volumes", "*"], false),
    (&["mnt", "?"], false),
    (&["cygdrive", "?"], false),
    (&["?"], false),
    (&["?:"], false),
];

/// Compares a component, which may be a pattern, with a name.
pub type IsName<'a> = &'a dyn Fn(&str, &str) -> bool;

/// Returns the components below each folder that is another name of `/` and contains the path, with true if the whole system is below that folder.
pub fn below_roots<'p, 'a>(
    parts: &'p [&'a str],
    same: IsName<'p>,
) -> impl Iterator<Item = (&'p [&'a str], bool)> {
    ROOTS.iter().filter_map(move |(root, is_whole)| {
        let (start, below) = parts.split_at_checked(root.len())?;
        let is_root = start.iter().zip(*root).all(|(part, name)| is_component(part, name, same));
        is_root.then_some((below, *is_whole))
    })
}

fn is_component(part: &str, name: &str, same: IsName<'_>) -> bool {
    let is_letter = |text: &str| matches!(text.as_bytes(), [letter] if letter.is_ascii_alphabetic());
    match name {
        "*" => true,
        "?" => is_letter(part),
        "?:" => part.strip_suffix(':').is_some_and(is_letter),
        name => same(part, name),
    }
}

/// Returns true if the components are a home folder, under any name of `/`.
pub fn is_home(parts: &[&str], same: IsName<'_>) -> bool {
    is_own_home(parts, same) || below_roots(parts, same).any(|(below, _)| is_own_home(below, same))
}

/// Returns true if the components may be a home folder: also of a service, below any folder.
pub fn may_be_home(parts: &[&str], same: IsName<'_>) -> bool {
    matches!(parts, [_, top, _] if same(top, "home") || same(top, "users")) || is_home(parts, same)
}

/// Returns true if the components are a folder that contains home folders.
pub fn is_above_homes(parts: &[&str], same: IsName<'_>) -> bool {
    let is_above = |parts: &[&str]| HOME_PARENTS.iter().any(|parent| is_same(parts, parent, same));
    is_above(parts) || below_roots(parts, same).any(|(below, _)| is_above(below))
}

fn is_own_home(parts: &[&str], same: IsName<'_>) -> bool {
    let in_parent = parts
        .split_last()
        .is_some_and(|(_, above)| HOME_PARENTS.iter().any(|parent| is_same(above, parent, same)));
    in_parent || HOMES.iter().any(|home| is_same(parts, home, same))
}

fn is_same(parts: &[&str], names: &[&str], same: IsName<'_>) -> bool {
    parts.len() == names.len() && parts.iter().zip(names).all(|(part, name)| same(part, name))
}

/// Returns the glob patterns of home folders, in lower case.
pub fn home_patterns() -> impl Iterator<Item = String> {
    let own = HOME_PARENTS.iter().map(|parent| format!("/{}/*", parent.join("/")));
    let others = HOMES.iter().map(|home| format!("/{}", home.join("/")));
    let roots = ROOTS.iter().filter(|(root, _)| root.len() > 1).flat_map(|(root, _)| {
        let root = root.join("/");
        ["home", "users"].map(|parent| format!("/{root}/{parent}/*"))
    });
    let any = ["home", "users"].map(|parent| format!("/*/{parent}/*"));
    own.chain(others).chain(roots).chain(any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_parts<T>(path: &str, look: impl FnOnce(&[&str]) -> T) -> T {
        look(&path.split('/').collect::<Vec<_>>())
    }

    #[test]
    fn a_home_folder_has_the_names_that_its_disk_is_mounted_under() {
        for home in [
            "home/me",
            "root",
            "system/volumes/data/users/me",
            "volumes/macintosh hd/users/me",
            "volumes/backup/users/me",
            "mnt/c/users/me",
            "cygdrive/d/users/me",
            "c/users/me",
            "c:/users/me",
            "var/home/me",
            "private/var/root",
            "run/host/home/me",
        ] {
            assert!(with_parts(home, |parts| is_home(parts, &|part, name| part == name)), "{home}");
        }
        for other in ["home", "mnt/data/users/me", "srv/users/me", "home/me/app", "mnt/c/app", "code/home/x"]
        {
            assert!(!with_parts(other, |parts| is_home(parts, &|part, name| part == name)), "{other}");
        }
    }
}
