//! Folders that arguments name: those that commands run in, and those with named entries.

/// Argument names for the folder that a command runs in.
const RUNS_IN: &[&str] = &[
    "chdir",
    "currentdirectory",
    "cwd",
    "pwd",
    "runin",
    "startin",
    "workdir",
    "workingdir",
    "workingdirectory",
    "workingfolder",
];
/// Argument names that may be the command's folder, or may be its subject.
const MAY_RUN_IN: &[&str] = &[
    "basedir",
    "basepath",
    "dir",
    "directory",
    "folder",
    "location",
    "path",
    "projectdir",
    "projectpath",
    "projectroot",
    "root",
    "rootdir",
    "workspace",
    "workspacefolder",
    "workspaceroot",
];
/// Endings of argument names for a folder that contains something.
const BASES: &[&str] = &[
    "base",
    "cwd",
    "destination",
    "dest",
    "dir",
    "directory",
    "dst",
    "folder",
    "into",
    "location",
    "parent",
    "path",
    "prefix",
    "project",
    "repo",
    "root",
    "source",
    "src",
    "target",
    "to",
    "workdir",
    "workspace",
];
/// Endings of argument names for an entry in a folder.
const NAMES: &[&str] = &[
    "child",
    "children",
    "components",
    "entries",
    "entry",
    "glob",
    "globs",
    "item",
    "items",
    "key",
    "match",
    "name",
    "names",
    "parts",
    "pattern",
    "patterns",
    "relative",
    "segments",
    "subpath",
    "suffix",
    "title",
];

/// Returns true if an argument of this name is the folder that a command runs in.
pub(crate) fn is_run_in(key: &str) -> bool {
    RUNS_IN.contains(&key)
}

/// Returns true if an argument of this name may be the folder that a command runs in.
pub(crate) fn may_be_run_in(key: &str) -> bool {
    MAY_RUN_IN.contains(&key)
}

/// Returns true if an argument of this name is a folder whose entries other arguments may name.
pub(crate) fn is_base(key: &str) -> bool {
    BASES.iter().any(|ending| key.ends_with(ending))
}

/// Returns true if an argument of this name is the name of an entry in a folder.
pub(crate) fn is_name(key: &str) -> bool {
    NAMES.iter().any(|ending| key.ends_with(ending))
}

/// Returns true if a text is a path relative to an unknown folder, or a pattern for such paths.
pub(crate) fn is_below(text: &str) -> bool {
    const LONGEST: usize = 4096;
    !text.is_empty()
        && text.len() <= LONGEST
        && !text.starts_with(['/', '~'])
        && !text.contains("://")
        && !text.contains(char::is_control)
}

/// Returns true if a text is a path that begins at a root or a home.
pub(crate) fn is_rooted(text: &str) -> bool {
    text.starts_with('/') || text == "~" || text.starts_with("~/")
}
