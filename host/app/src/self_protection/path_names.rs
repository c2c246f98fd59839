//! Names in the text of a path, for paths of which a part is only known when the command runs.

use super::relation::ANY_FOLDERS;

/// Maximum number of names after the known part of a path.
const MOST_NAMES: usize = 64;

/// Splits a command's path into its known part and the names behind that.
pub(super) fn split_path(path: &str) -> (&str, Vec<String>) {
    let Some(mark) = path.find(|c: char| shell_commands::is_pattern(c.encode_utf8(&mut [0; 4]))) else {
        return (path, Vec::new());
    };
    let known = path.get(..mark).and_then(|known| known.rfind('/')).map_or(0, |slash| slash + 1);
    let (known, rest) = path.split_at(known);
    let any = shell_commands::pattern("**");
    let mut names: Vec<String> = Vec::new();
    for name in rest.split('/').filter(|name| !matches!(*name, "" | ".")).take(MOST_NAMES) {
        match name {
            // Behind any folders, `..` may leave a folder with an unknown name, so it cancels nothing.
            ".." if names.last().is_some_and(|last| last != ANY_FOLDERS) => drop(names.pop()),
            // Any folders, where the shell option for that is set.
            name if name == any => names.push(ANY_FOLDERS.to_owned()),
            name => names.push(name.to_lowercase()),
        }
    }
    names.dedup();
    (known, names)
}

/// Resolves a path that begins in a process (`/proc/self/cwd`, `/dev/fd/3`): returns the names behind that, in an unknown
/// folder.
pub(super) fn through_process(path: &str) -> Option<Vec<String>> {
    let behind = path.strip_prefix("/proc/").or_else(|| path.strip_prefix("/dev/"))?;
    let mut names = behind.split('/').filter(|name| !matches!(*name, "" | "."));
    let last = names.by_ref().find(|name| matches!(*name, "cwd" | "root" | "fd"))?;
    // The name behind `fd` is the number of the descriptor.
    let names = names.skip(usize::from(last == "fd")).collect::<Vec<_>>().join("/");
    (!names.is_empty()).then(|| list_names_anywhere(&names))
}

/// Returns the names of a path in any folder, for a path whose folder is unknown.
pub(super) fn list_names_anywhere(path: &str) -> Vec<String> {
    let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    [ANY_FOLDERS.to_owned()].into_iter().chain(names.take(MOST_NAMES).map(str::to_lowercase)).collect()
}
