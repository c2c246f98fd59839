//! Variables that do not change which programs run, or what these do.

use shell_commands::facts::FactWord;

/// Variables of the environment whose values only change messages, colours and languages.
const ENVIRONMENT: &[&str] = &[
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "LANG",
    "LANGUAGE",
    "LINES",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "TERM",
    "TZ",
];
/// Variables that name a pager, which may be `cat` only.
const PAGERS: &[&str] = &["GIT_PAGER", "PAGER"];
/// Variables of scripts in capital letters that no program looks at.
const OF_SCRIPTS: &[&str] = &[
    "A",
    "B",
    "BASE",
    "BRANCH",
    "C",
    "COUNT",
    "D",
    "DATE",
    "DEST",
    "DIR",
    "DST",
    "F",
    "FILE",
    "FILES",
    "I",
    "INPUT",
    "J",
    "K",
    "KEY",
    "LINE",
    "LINE_COUNT",
    "M",
    "N",
    "NAME",
    "NUM",
    "OUT",
    "OUTPUT",
    "P",
    "PATTERN",
    "R",
    "RESULT",
    "ROOT",
    "S",
    "SIZE",
    "SRC",
    "START",
    "STATUS",
    "T",
    "TOTAL",
    "URL",
    "V",
    "VALUE",
    "VERSION",
    "X",
    "Y",
    "Z",
];

/// Names in small letters that zsh ties to settings of its own: `path` is `PATH`.
const OF_ZSH: &[&str] = &[
    "aliases",
    "argv",
    "builtins",
    "cdpath",
    "commands",
    "dirstack",
    "dis_aliases",
    "dis_functions",
    "fignore",
    "fpath",
    "functions",
    "galiases",
    "history",
    "mailpath",
    "manpath",
    "module_path",
    "modules",
    "nameddirs",
    "options",
    "parameters",
    "path",
    "prompt",
    "psvar",
    "saliases",
    "status",
    "suffix",
    "watch",
];

/// Returns true if a variable may be set for a command.
pub(crate) fn is_harmless_for_command(name: &str, value: &FactWord) -> bool {
    let is_pager = PAGERS.contains(&name) && value.certain && (value.text == "cat" || value.text.is_empty());
    ENVIRONMENT.contains(&name) || name.starts_with("LC_") || is_pager
}

/// Returns true if a variable may be set in the shell. A variable that the shell got from outside is passed on to programs, so its name counts.
pub(crate) fn is_harmless_for_shell(name: &str) -> bool {
    let name = name.split('[').next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // Names with small letters are a script's own, but for those of proxies and of npm.
    let is_own = name.contains(|c: char| c.is_ascii_lowercase())
        && !name.to_ascii_lowercase().contains("proxy")
        && !name.to_ascii_lowercase().starts_with("npm_")
        && !name.starts_with("BASH")
        && !OF_ZSH.contains(&name);
    is_name && (is_own || ENVIRONMENT.contains(&name) || OF_SCRIPTS.contains(&name))
}
