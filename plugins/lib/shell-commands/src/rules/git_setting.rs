//! Settings of git that decide what it runs.

use crate::{
    arg::{Arg, is_mark},
    call::{Call, Grammar, Options},
    finding::quote,
    wrapper::git_options,
};

/// Settings of git that name a file or folder whose content runs, or who reads settings.
const DIRECT: &[&str] = &["core.hookspath", "core.attributesfile", "include.path", "init.templatedir"];

/// `git config core.hooksPath …`, `git -c core.hooksPath=…`: hooks that were there run no more, and others do.
pub(super) fn change(call: &Call) -> Option<String> {
    let hit = settings(call).into_iter().find(|(key, value)| is_direct(key, value))?;
    Some(format!("sets {}, which decides what git runs", quote(&hit.0, 80)))
}

fn is_direct(key: &str, value: &str) -> bool {
    let (section, last) = ends(key);
    DIRECT.contains(&key)
        || (section == "includeif" && last == "path")
        || (key == "core.fsmonitor" && !matches!(value, "true" | "false" | "" | "0" | "1"))
}

/// `git init --template=…`, `git --exec-path=…`: where git takes hooks or its own programs from.
pub(super) fn source(call: &Call) -> Option<String> {
    if !call.is(&["git"]) {
        return None;
    }
    let own = git_options(call.args());
    let elsewhere = |value: Option<&Arg>| value.is_some_and(|value| !value.as_str().is_empty());
    // Without a value it is only shown.
    let path = call
        .args()
        .iter()
        .any(|arg| arg.as_str().strip_prefix("--exec-path=").is_some_and(|path| !path.is_empty()));
    if path {
        return Some("makes git run programs of another folder".to_owned());
    }
    let (verb, rest) = own.operands.split_first()?;
    let options = Options::parse(rest, Grammar { short: "", long: &["template"], anywhere: true });
    (matches!(verb.as_str(), "init" | "clone") && elsewhere(options.value(&["--template"])))
        .then(|| "takes the hooks of a repository from a folder".to_owned())
}

/// Returns the effect of a variable that git reads, if it has this value.
pub(crate) fn variable(name: &str, value: &Arg) -> Option<String> {
    let text = value.as_str().to_lowercase();
    let names_direct =
        || DIRECT.iter().chain(&["core.fsmonitor", "includeif."]).any(|key| text.contains(key));
    let decides = match name {
        "GIT_CONFIG_PARAMETERS" => names_direct(),
        "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" => !matches!(text.as_str(), "" | "/dev/null"),
        "GIT_EXEC_PATH" | "GIT_TEMPLATE_DIR" => !text.is_empty(),
        _ => name.starts_with("GIT_CONFIG_KEY_") && names_direct(),
    };
    decides.then(|| format!("sets {name}, which decides what git runs"))
}

/// Last parts of settings whose value git passes to a shell.
const COMMANDS: &[&str] = &["clean", "cmd", "command", "driver", "process", "smudge", "textconv"];
/// Settings whose value is a program: a well-known one, or one of the project's.
const PROGRAMS: &[&str] = &[
    "core.askpass",
    "core.editor",
    "core.gitproxy",
    "core.pager",
    "core.sshcommand",
    "diff.external",
    "gpg.program",
    "sequence.editor",
    "uploadpack.packobjectshook",
    "web.browser",
];

/// `git config alias.x '!…'`, `git config filter.x.clean …`: a command that other commands will run later.
pub(super) fn command(call: &Call) -> Option<String> {
    let hit = settings(call).into_iter().find(|(key, value)| is_command(key, value))?;
    Some(format!("makes git run a command by {}", quote(&hit.0, 80)))
}

fn is_command(key: &str, value: &str) -> bool {
    let (section, last) = ends(key);
    let runs = (section == "alias" && value.starts_with('!'))
        || (matches!(section, "filter" | "diff" | "merge" | "mergetool" | "difftool" | "trailer" | "tar")
            && COMMANDS.contains(&last)
            && !value.is_empty());
    let program = PROGRAMS.contains(&key)
        || (section, last) == ("credential", "helper")
        || (section, last) == ("gpg", "program");
    // What git-lfs itself sets.
    let known = key.starts_with("filter.lfs.") && value.starts_with("git-lfs ");
    (runs && !known)
        || (program && !is_known_program(value))
        || (key == "protocol.ext.allow" && value == "always")
}

/// Returns true if a program is one of the system's, with plain arguments.
fn is_known_program(value: &str) -> bool {
    let first = value.split_whitespace().next().unwrap_or_default();
    let folder = first.rsplit_once('/').map_or("", |(folder, _)| folder);
    if value == "!gh auth git-credential" {
        return true;
    }
    let plain = !value.contains([';', '|', '&', '$', '`', '(', '<', '>', '!', '\n']);
    plain && matches!(folder, "" | "/bin" | "/usr/bin" | "/usr/local/bin" | "/opt/homebrew/bin")
}

/// No hooks for one command, as with `--no-verify`: nothing else runs.
fn is_without_hooks((name, value): &(String, Option<Arg>)) -> bool {
    let setting = value.as_ref().map_or("", Arg::as_str).to_lowercase();
    name == "c" && setting == "core.hookspath=/dev/null"
}

/// The settings that a command of git's changes, for good or while it runs.
fn settings(call: &Call) -> Vec<(String, String)> {
    if !call.is(&["git"]) {
        return Vec::new();
    }
    let own = git_options(call.args());
    let mut given: Vec<_> = own.given.iter().filter(|given| !is_without_hooks(given)).cloned().collect();
    if let Some((verb, rest)) = own.operands.split_first()
        && verb.as_str() == "clone"
    {
        given.extend(Options::parse(rest, Grammar { short: "c", long: &["config"], anywhere: true }).given);
    }
    let one = |(name, value): (String, Option<Arg>)| {
        let value = value.filter(|_| matches!(name.as_str(), "c" | "--config" | "--config-env"))?;
        let (key, text) = value.as_str().split_once('=')?;
        // The variable's value is not known.
        let text = if name == "--config-env" { "?" } else { text };
        Some((key.to_lowercase(), text.to_owned()))
    };
    given.into_iter().filter_map(one).chain(setting(call)).collect()
}

/// The section of a setting, and its last part.
fn ends(key: &str) -> (&str, &str) {
    (key.split('.').next().unwrap_or_default(), key.rsplit('.').next().unwrap_or_default())
}

/// The setting that `git config` changes, in lower case, and its new value; empty if it is taken away.
fn setting(call: &Call) -> Option<(String, String)> {
    let own = git_options(call.args());
    let [config, rest @ ..] = own.operands.as_slice() else { return None };
    if config.as_str() != "config" {
        return None;
    }
    let long = &["file", "blob", "type", "default", "comment", "value", "url"];
    let options = Options::parse(rest, Grammar { short: "ft", long, anywhere: true });
    let reads =
        ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list", "--get-color", "--get-colorbool"];
    if options.given.iter().any(|(name, _)| reads.contains(&name.as_str()) || name == "l") {
        return None;
    }
    let takes =
        options.given.iter().any(|(name, _)| name.starts_with("--unset") || name.starts_with("--remove"));
    let moves = options.given.iter().any(|(name, _)| name.ends_with("-section"));
    let words: Vec<String> = options.operands.iter().map(|arg| arg.as_str().to_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["get" | "list", ..] => None,
        ["unset" | "remove-section", key, ..] => Some((key.to_lowercase(), String::new())),
        [section, ..] if moves && matches!(section.to_lowercase().as_str(), "core" | "include" | "init") => {
            Some(("core.hookspath".to_owned(), String::new()))
        }
        ["set", key, value, ..] | [key, value, ..] => Some((key.to_lowercase(), (*value).to_owned())),
        [key] if takes => Some((key.to_lowercase(), String::new())),
        // `core.*` from a variable: who knows.
        _ => None,
    }
    .filter(|(key, _)| !key.contains(is_mark))
}
