//! Folders that arguments name: in which a command runs, and what stands below them.

/// What the folder is called that a command runs in.
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
/// What it may be called, too; these may be what the command is about.
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
/// How names of arguments end that stand for a folder in which there is something.
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
/// How those end that stand for what is in a folder.
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

/// Whether an argument of this name is the folder that a command runs in.
pub(crate) fn is_run_in(key: &str) -> bool {
    RUNS_IN.contains(&key)
}

/// Whether it may be.
pub(crate) fn may_be_run_in(key: &str) -> bool {
    MAY_RUN_IN.contains(&key)
}

/// Whether it is a folder of which other arguments may name what is in it.
pub(crate) fn is_base(key: &str) -> bool {
    BASES.iter().any(|ending| key.ends_with(ending))
}

/// Whether it is the name of something in a folder.
pub(crate) fn is_name(key: &str) -> bool {
    NAMES.iter().any(|ending| key.ends_with(ending))
}

/// Whether a text is a path from somewhere that is not told, or a pattern for such paths.
pub(crate) fn is_below(text: &str) -> bool {
    const LONGEST: usize = 4096;
    !text.is_empty()
        && text.len() <= LONGEST
        && !text.starts_with(['/', '~'])
        && !text.contains("://")
        && !text.contains(char::is_control)
}

/// Whether a text is a path that begins at a root or a home.
pub(crate) fn is_rooted(text: &str) -> bool {
    text.starts_with('/') || text == "~" || text.starts_with("~/")
}
