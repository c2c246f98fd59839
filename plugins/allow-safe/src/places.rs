//! Files that a safe command may read, and files that it may write.

use protected_places::{
    CREDENTIAL_NAMES, CREDENTIAL_PLACES, KEY_ENDINGS, KEY_NAMES, PLACES, Path, SHADOWS,
    is_environment_template, is_key_file,
};
use shell_commands::{facts::PathAccess, persistent_place};

use crate::{
    decide::Context,
    names::{is_pattern, may_match, read_components},
    programs::is_program,
};

/// Stands for an unknown part of a path.
const UNKNOWN: char = '\u{FFFD}';
/// Folders outside the project that every command may read: programs, libraries, documentation, settings of the system, logs and temporary
/// files.
const READABLE: &[&str] = &[
    "/applications",
    "/bin",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/library",
    "/nix/store",
    "/opt",
    "/private/etc",
    "/private/tmp",
    "/sbin",
    "/system/library",
    "/tmp",
    "/usr",
    "/var/lib/dpkg",
    "/var/log",
    "/var/tmp",
];
/// Folders in a home folder that hold toolchains and downloaded packages.
const READABLE_AT_HOME: &[&[&str]] = &[
    &[".cargo", "git", "checkouts"],
    &[".cargo", "registry", "src"],
    &[".gradle", "caches", "modules-2"],
    &[".m2", "repository"],
    &[".nvm", "versions"],
    &[".pyenv", "versions"],
    &[".rustup", "toolchains"],
    &["go", "pkg", "mod"],
];
/// Files about the machine. Other files of `/proc` hold what processes were started with.
const READABLE_FILES: &[&str] = &[
    "/dev/null",
    "/dev/stdin",
    "/dev/zero",
    "/proc/cpuinfo",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/mounts",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/sys/fs/cgroup/memory.max",
];
/// Devices that keep nothing.
const WRITABLE_FILES: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"];
/// Folders of the system: none of them is a project.
const SYSTEM_FOLDERS: &[&str] = &[
    "applications",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "library",
    "mnt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "sys",
    "system",
    "users",
    "usr",
    "var",
    "volumes",
];
/// Names that no safe command writes, anywhere in the project: what is in them runs, or changes what an agent or git does, without a
/// question of the agent.
const PROTECTED_NAMES: &[&str] = &[
    // Settings and instructions of agents.
    ".aider.conf.yml",
    ".amazonq",
    ".agents",
    ".augment",
    ".claude",
    ".claude.json",
    ".clinerules",
    ".codeium",
    ".codex",
    ".continue",
    ".copilot",
    ".cursor",
    ".cursorrules",
    ".factory",
    ".forge",
    ".gemini",
    ".goosehints",
    ".hookbox",
    ".junie",
    ".kimi-code",
    ".kiro",
    ".llxprt",
    ".mcp.json",
    ".opencode",
    ".openhands",
    ".qwen",
    ".roo",
    ".roorules",
    ".run-claude",
    ".trae",
    ".windsurf",
    ".windsurfrules",
    ".cocode",
    "agents.md",
    "claude.local.md",
    "claude.md",
    "crush.json",
    "gemini.md",
    "mcp.json",
    "opencode.json",
    "opencode.jsonc",
    "qwen.md",
    // What git runs, and what makes a folder a repository.
    ".git",
    ".gitattributes",
    ".gitconfig",
    ".githooks",
    ".gitmodules",
    ".husky",
    "head",
    "hooks",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    // What editors and shells run in a folder that they open.
    ".bash_aliases",
    ".bashrc",
    ".devcontainer",
    ".direnv",
    ".envrc",
    ".exrc",
    ".fleet",
    ".gdbinit",
    ".idea",
    ".lldbinit",
    ".mise.toml",
    ".nvim.lua",
    ".nvimrc",
    ".profile",
    ".tool-versions",
    ".vimrc",
    ".vscode",
    ".zed",
    ".zshrc",
    "mise.toml",
    // Settings that choose which programs a toolchain starts.
    ".cargo",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "rust-toolchain",
    "rust-toolchain.toml",
    ".pnp.cjs",
    "sitecustomize.py",
    "usercustomize.py",
    // Workflows that run with a server's secrets.
    ".circleci",
    ".github",
    ".gitlab-ci.yml",
];
/// Further names of files with secrets: those of cloud tools, of databases and of build tools.
const SECRET_NAMES: &[&str] = &[
    ".boto",
    ".dockercfg",
    ".envrc",
    ".htpasswd",
    ".my.cnf",
    ".netrc.gpg",
    ".passwd-s3fs",
    ".s3cfg",
    ".terraformrc",
    ".vault_pass",
    "admin.conf",
    "application_default_credentials.json",
    "auth.json",
    "credentials",
    "credentials.json",
    "kubeconfig",
    "master.key",
    "service-account.json",
    "terraform.tfstate",
    "terraform.tfvars",
];
/// Parts of names of files with secrets, where the name has the ending of data, or none.
const SECRET_WORDS: &[&str] = &[
    "api_key",
    "apikey",
    "credential",
    "passwd",
    "password",
    "private-key",
    "private_key",
    "secret",
    "token",
];
/// Endings of data that may be a secret.
const DATA_ENDINGS: &[&str] =
    &["", "cfg", "conf", "env", "enc", "ini", "json", "properties", "toml", "txt", "xml", "yaml", "yml"];
/// Endings of names that no safe command writes: repositories, modules that python loads at each start, and projects of editors.
const PROTECTED_ENDINGS: &[&str] = &[".git", ".code-workspace", ".pth"];

/// Returns a path of the settings, folded; none unless it is absolute and below the root.
pub(crate) fn absolute_folder(folder: &str) -> Option<String> {
    let parts = read_components(folder).filter(|parts| !parts.is_empty())?;
    (!parts.iter().any(|part| is_pattern(part))).then(|| join(&parts))
}

fn join(parts: &[String]) -> String {
    format!("/{}", parts.join("/"))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns true if a safe command may read a path, or all files that a pattern matches.
pub(crate) fn is_readable(access: &PathAccess, context: &Context<'_>) -> bool {
    if access.path.contains(UNKNOWN) {
        return false;
    }
    let Some(parts) = read_components(&access.path) else { return false };
    if is_secret(&parts) {
        return false;
    }
    // The folder in front of the first pattern.
    let known: Vec<String> = parts.iter().take_while(|part| !is_pattern(part)).cloned().collect();
    let path = join(&known);
    let workspace = read_components(context.workspace).filter(|parts| is_project(parts));
    workspace.is_some_and(|workspace| is_below(&path, &join(&workspace)))
        || (known.len() == parts.len() && READABLE_FILES.contains(&path.as_str()))
        || READABLE.iter().any(|folder| is_below(&path, folder))
        || context.policy.read.iter().any(|folder| is_below(&path, folder))
        || is_readable_at_home(&known)
}

fn is_readable_at_home(parts: &[String]) -> bool {
    let below = match parts {
        [home, _, below @ ..] if home == "home" || home == "users" => below,
        [root, below @ ..] if root == "root" => below,
        _ => return false,
    };
    READABLE_AT_HOME.iter().any(|folder| {
        below.len() >= folder.len() && folder.iter().zip(below).all(|(name, part)| name == part)
    })
}

/// Returns true if a path is a device that keeps nothing of what is written.
pub(crate) fn is_sink(path: &str) -> bool {
    WRITABLE_FILES.contains(&path)
}

/// Returns true if a safe command may write a file, or create a folder.
pub(crate) fn is_writable(path: &str, workspace: &str) -> bool {
    let (Some(parts), Some(project)) = (read_components(path), read_components(workspace)) else {
        return false;
    };
    let is_inside = parts.len() > project.len() && parts.starts_with(&project);
    let below = parts.get(project.len()..).unwrap_or_default();
    is_project(&project)
        && is_inside
        && !parts.iter().any(|part| is_pattern(part) || part.contains('~'))
        && !below.iter().any(|part| is_protected_name(part))
        && !below.last().is_some_and(|name| is_program(name))
        && !is_secret(&parts)
        && !is_configuration(&parts)
        && persistent_place(path, workspace).is_none()
}

/// Returns true if a folder can be a project: not the root, a home folder or a folder of the system.
fn is_project(parts: &[String]) -> bool {
    let is_plain = !parts.iter().any(|part| is_pattern(part));
    let is_other = match parts {
        [] => false,
        [only] => !SYSTEM_FOLDERS.contains(&only.as_str()),
        [home, _] => home != "home" && home != "users" && home != "etc",
        [top, ..] => top != "etc",
    };
    is_plain && is_other
}

fn is_protected_name(name: &str) -> bool {
    PROTECTED_NAMES.contains(&name) || PROTECTED_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn is_configuration(parts: &[String]) -> bool {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let is_home =
        |parts: &[&str]| matches!(parts, ["home" | "users", _] | ["root"] | [_, "home" | "users", _]);
    let path = Path { parts: &parts, same: &|part, name| part == name, is_home: &is_home };
    PLACES.iter().any(|place| place.holds(&path) || place.is_lost_with(&path))
}

/// Returns true if a path is a secret, or a pattern that may match one.
fn is_secret(parts: &[String]) -> bool {
    let is = |part: &str, name: &str| part == name || (is_meant(part) && may_match(part, name));
    let has = |place: &[&str]| {
        parts.windows(place.len()).any(|window| window.iter().zip(place).all(|(part, name)| is(part, name)))
    };
    let is_shadow = matches!(parts, [etc, name, ..] if etc == "etc" && SHADOWS.iter().any(|shadow| name.starts_with(shadow)));
    is_shadow
        || parts.iter().any(|part| is_secret_name(part, &is))
        || CREDENTIAL_PLACES.iter().any(|place| has(place))
        || parts.last().is_some_and(|name| is(name, ".npmrc"))
}

fn is_secret_name(name: &str, is: &dyn Fn(&str, &str) -> bool) -> bool {
    let is_environment = is(name, ".env")
        || (is_pattern(name) && name.starts_with(".env"))
        || name.strip_prefix(".env.").is_some_and(|kinds| !is_environment_template(kinds))
        // `.*` prints this one, too.
        || (is_pattern(name) && name.starts_with('.') && may_match(name, ".env"));
    let is_key = |ending: &str| is_meant(name) && may_match(name, &format!("x.{ending}"));
    is_environment
        || has_secret_word(name)
        || SECRET_NAMES.iter().any(|secret| is(name, secret))
        || is_key_file(name)
        || KEY_ENDINGS.iter().any(|ending| is_key(ending))
        || KEY_NAMES.iter().chain(CREDENTIAL_NAMES).any(|secret| is(name, secret))
}

/// Returns true if a name is a pattern that names something in particular: `*` and `*.*` do not.
fn is_meant(name: &str) -> bool {
    is_pattern(name) && name.chars().any(char::is_alphanumeric)
}

fn has_secret_word(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_key = ending.is_empty() && (name.ends_with("-key") || name.ends_with("_key"));
    is_key || (DATA_ENDINGS.contains(&ending) && SECRET_WORDS.iter().any(|word| name.contains(word)))
}

/// Returns true if a word of a command may name a secret: the word, or the part behind an option's sign.
pub(crate) fn names_secret(word: &str) -> bool {
    let parts = [
        Some(word),
        word.split_once('=').map(|(_, value)| value),
        word.get(2..).filter(|_| word.starts_with('-')),
    ];
    parts.into_iter().flatten().any(|text| {
        let is_path = !text.is_empty() && !text.contains([' ', '\n']);
        let parts: Vec<String> =
            text.split('/').filter(|part| !part.is_empty()).map(str::to_lowercase).collect();
        let is = |part: &str, name: &str| part == name;
        is_path
            && (parts.iter().any(|part| {
                is(part, ".env")
                    || KEY_NAMES.iter().chain(CREDENTIAL_NAMES).chain(SECRET_NAMES).any(|name| is(part, name))
            }) || CREDENTIAL_PLACES
                .iter()
                .any(|place| parts.windows(place.len()).any(|window| window == *place)))
    })
}
