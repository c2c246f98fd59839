//! Files and folders outside the project that are removed or moved away.

use crate::{
    arg::{Arg, ONE, SET, STAR},
    call::{Call, Grammar, Options},
    packs::{Place, place::of_path},
    rules::{RSYNC, is_trial},
    wrapper::search,
};

/// Folders whose content is made again when it is needed.
const CACHES: &[&str] = &[".cache", "Caches", "__pycache__", "node_modules", "_cacache"];

/// `rm -r`, `rm` of a pattern, `shred`, `truncate`, `find -delete`.
pub(super) fn removes(call: &Call) -> bool {
    match call.name() {
        "rm" | "grm" | "srm" => {
            let options = Options::parse(call.args(), Grammar::ANYWHERE);
            let is_whole = options.has_letter("rR") || options.has_long("--recursive") || call.is(&["srm"]);
            let is_meant = |arg: &&Arg| is_whole || arg.as_str().contains([STAR, ONE, SET]);
            options.operands.iter().filter(is_meant).any(|arg| is_outside(arg, call))
        }
        "shred" | "gshred" => {
            let long = &["iterations", "size", "random-source"];
            let options = Options::parse(call.args(), Grammar { short: "ns", long, anywhere: true });
            options.operands.iter().any(|arg| is_outside(arg, call))
        }
        "truncate" | "gtruncate" => {
            let long = &["reference", "size"];
            let options = Options::parse(call.args(), Grammar { short: "rs", long, anywhere: true });
            options.operands.iter().any(|arg| is_outside(arg, call))
        }
        "find" | "gfind" => {
            let search = search(call);
            search.deletes && search.starts.iter().any(|start| is_outside(start, call))
        }
        _ => false,
    }
}

/// `mv` of what lies outside, or into the file that keeps nothing.
pub(super) fn moves(call: &Call) -> bool {
    if !call.is(&["mv", "gmv"]) {
        return false;
    }
    let long = &["target-directory", "suffix"];
    let options = Options::parse(call.args(), Grammar { short: "tS", long, anywhere: true });
    let into = options.value(&["t", "--target-directory"]);
    let sources = options.operands.len().saturating_sub(usize::from(into.is_none()));
    let is_lost = sources > 0 && options.operands.last().is_some_and(|last| last.as_str() == "/dev/null");
    is_lost || options.operands.iter().take(sources).any(|source| is_outside(source, call))
}

/// `rsync --delete` into a folder outside, or on another machine.
pub(super) fn syncs(call: &Call) -> bool {
    if !call.is(&["rsync"]) {
        return false;
    }
    let options = Options::parse(call.args(), RSYNC);
    let deletes = options.given.iter().any(|(name, _)| name.starts_with("--del"));
    let is_trial = is_trial(&options) || options.has_long("--list-only");
    let [_, .., target] = options.operands.as_slice() else { return false };
    deletes && !is_trial && (is_elsewhere(target.as_str()) || is_outside(target, call))
}

/// `host:path`; what stands behind a slash is a path.
fn is_elsewhere(target: &str) -> bool {
    target.split_once(':').is_some_and(|(host, _)| !host.contains('/'))
}

fn is_outside(arg: &Arg, call: &Call) -> bool {
    let path = arg.as_str();
    let is_cache = path.split('/').any(|part| CACHES.contains(&part));
    !is_cache && !path.starts_with("/dev/") && of_path(path, call) == Place::Outside
}
