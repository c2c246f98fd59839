//! Settings of git that decide what it runs.

use crate::{
    arg::is_mark,
    call::{Call, Grammar, Options},
    finding::quote,
};

/// Settings of git that name a file or folder whose content runs, or who reads settings.
const DIRECT: &[&str] = &["core.hookspath", "core.attributesfile", "include.path", "init.templatedir"];

/// `git config core.hooksPath …`: hooks that were there run no more, and others do.
pub(super) fn change(call: &Call) -> Option<String> {
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
pub(super) fn command(call: &Call) -> Option<String> {
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
