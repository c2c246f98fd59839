//! Commands that change what decides over agents and hooks, or write over secrets.

use protected_places::{Kind, PLACES, Path};

use super::written::Written;
use crate::{
    arg::{HOME, ONE, SET, STAR, is_mark},
    call::{Call, Grammar, Options},
    finding::quote,
    secret::{is_secret, may_be},
};

/// How many components at the end of a path are looked at: no system opens a path of more.
const MAX_PARTS: usize = 256;

pub(super) fn hooks(call: &Call, written: &[Written]) -> Option<String> {
    place(call, written, Kind::Hooks)
}

pub(super) fn agents(call: &Call, written: &[Written]) -> Option<String> {
    place(call, written, Kind::Agent)
}

/// A key or credentials are written over. To make a `.env` or a key is everyday.
pub(super) fn secrets(_: &Call, written: &[Written]) -> Option<String> {
    let hit = written.iter().find(|written| is_secret(&written.path))?;
    Some(format!("writes the secret file {}", quote(&hit.path, 80)))
}

fn place(call: &Call, written: &[Written], kind: Kind) -> Option<String> {
    let hit = written.iter().find(|written| is_in_place(written, call, kind))?;
    Some(format!("changes {}, which is {}", quote(&hit.path, 80), kind.what()))
}

fn is_in_place(written: &Written, call: &Call, kind: Kind) -> bool {
    let full = full(&written.path, call).to_lowercase();
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.drain(..parts.len().saturating_sub(MAX_PARTS));
    // All in a folder is the folder.
    let sweeping = parts.last().is_some_and(|last| last.chars().all(|c| matches!(c, STAR | ONE | SET | '.')));
    if sweeping {
        parts.pop();
    }
    let path = Path { parts: &parts, same: &may_be, is_home: &is_home };
    let removes = written.whole || sweeping;
    // To remove a repository is a loss, but names no other one.
    let is_repository = written.whole && parts.last().is_some_and(|last| may_be(last, ".git"));
    PLACES.iter().any(|place| {
        place.kind == kind && ((place.holds(&path) && !is_repository) || (removes && place.is_in(&path)))
    })
}

/// The path from the root or a home folder, if the folder that it begins in is known.
fn full(path: &str, call: &Call) -> String {
    match &call.cwd {
        Some(cwd) if !path.starts_with(['/', HOME]) => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    }
}

fn is_home(parts: &[&str]) -> bool {
    match parts {
        [one] => one.chars().all(|c| c == HOME) || *one == "root",
        ["home" | "users", _] | [_, "users" | "home", _] => true,
        _ => false,
    }
}

/// What takes hooks away, or out of an agent's settings: `hookbox uninstall`, `disable`, `hooks remove`, `hooks clear`.
pub(super) fn uninstall(call: &Call) -> Option<String> {
    match own_words(call)?.as_slice() {
        [verb, ..] if verb == "uninstall" => Some("takes hookbox out of an agent's settings".to_owned()),
        [verb, ..] if verb == "disable" => Some("switches hooks off".to_owned()),
        [verb, what, ..] if verb == "hooks" && matches!(what.as_str(), "remove" | "clear") => {
            Some("takes hooks out of an agent's settings".to_owned())
        }
        _ => None,
    }
}

/// Verbs of `hookbox` that configure nothing.
const LOOKING: &[&str] = &[
    "check",
    "completions",
    "dialects",
    "doctor",
    "explain",
    "help",
    "list",
    "man",
    "plugin",
    "run",
    "schema",
];

/// Whatever else changes what hooks there are: `hookbox install`, `enable`, `hooks add`, `import` into a file, and verbs that
/// nobody knows yet.
pub(super) fn install(call: &Call) -> Option<String> {
    if uninstall(call).is_some() {
        return None;
    }
    let words = own_words(call)?;
    let writes = |name: &str| call.args().iter().any(|arg| arg.as_str().starts_with(name));
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [verb, ..] if LOOKING.contains(verb) => None,
        ["import", ..] if writes("--output") || writes("-o") => {
            Some("writes a configuration of hooks".to_owned())
        }
        ["hooks", "list", ..] | ["import", ..] => None,
        _ => Some("changes what hooks there are".to_owned()),
    }
}

/// What `hookbox` is told, unless it only shows what it would do.
fn own_words(call: &Call) -> Option<Vec<String>> {
    if !call.is(&["hookbox"]) {
        return None;
    }
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    let shows = options.has_letter("h") || options.has_long("--help") || options.has_long("--dry-run");
    let words: Vec<_> = options.operands.iter().map(|word| word.as_str().to_owned()).collect();
    (!shows && !words.is_empty()).then_some(words)
}

/// Settings of git that name a file or folder whose content runs, or who reads settings.
const DIRECT: &[&str] = &["core.hookspath", "core.attributesfile", "include.path", "init.templatedir"];

/// `git config core.hooksPath …`: hooks that were there run no more, and others do.
pub(super) fn git_setting(call: &Call) -> Option<String> {
    let (key, value) = setting(call)?;
    let (section, last) = ends(&key);
    let direct = DIRECT.contains(&key.as_str())
        || (section == "includeif" && last == "path")
        || (key == "core.fsmonitor" && !matches!(value.as_str(), "true" | "false" | ""));
    direct.then(|| format!("sets {}, which decides what git runs", quote(&key, 80)))
}

/// How the last part of a setting is called whose value git gives to a shell.
const COMMANDS: &[&str] = &["clean", "cmd", "command", "driver", "process", "smudge", "textconv"];

/// `git config alias.x '!…'`, `git config filter.x.clean …`: a command that other commands will run later.
pub(super) fn git_command(call: &Call) -> Option<String> {
    let (key, value) = setting(call)?;
    let (section, last) = ends(&key);
    let runs = (section == "alias" && value.starts_with('!'))
        || (matches!(section, "filter" | "diff" | "merge" | "mergetool" | "difftool" | "trailer" | "tar")
            && COMMANDS.contains(&last)
            && !value.is_empty());
    // What git-lfs itself sets.
    let known = key.starts_with("filter.lfs.") && value.starts_with("git-lfs ");
    (runs && !known).then(|| format!("makes git run a command by {}", quote(&key, 80)))
}

/// The section of a setting, and its last part.
fn ends(key: &str) -> (&str, &str) {
    (key.split('.').next().unwrap_or_default(), key.rsplit('.').next().unwrap_or_default())
}

/// The setting that `git config` changes, in lower case, and its new value; empty if it is taken away.
fn setting(call: &Call) -> Option<(String, String)> {
    if !call.is(&["git"]) {
        return None;
    }
    let long = &["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"];
    let own = Options::parse(call.args(), Grammar { short: "Cc", long, anywhere: false });
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
    let words: Vec<String> = options.operands.iter().map(|arg| arg.as_str().to_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["get" | "list", ..] => None,
        ["unset" | "remove-section", key, ..] => Some((key.to_lowercase(), String::new())),
        ["set", key, value, ..] | [key, value, ..] => Some((key.to_lowercase(), (*value).to_owned())),
        [key] if takes => Some((key.to_lowercase(), String::new())),
        // `core.*` from a variable: who knows.
        _ => None,
    }
    .filter(|(key, _)| !key.contains(is_mark))
}
