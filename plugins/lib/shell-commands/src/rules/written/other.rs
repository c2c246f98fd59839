//! Commands whose words name files in ways of their own.

use super::{PathEffect, Written, archives, file, git};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    wrapper::search,
};

/// The files that such a command writes.
pub(super) fn files(name: &str, call: &Call) -> Vec<Written> {
    match name {
        "dd" | "dcfldd" | "dc3dd" => {
            let value = |arg: &Arg| arg.as_str().strip_prefix("of=").map(file);
            call.args().iter().find_map(value).into_iter().collect()
        }
        "find" => found(call),
        "git" => git::files(call),
        "trash" | "trash-put" => whole(&Options::parse(call.args(), Grammar::ANYWHERE).operands),
        "gio" | "kioclient" => {
            let verb = call.args().first().map_or("", Arg::as_str);
            let rest = call.args().get(1..).unwrap_or_default();
            match verb {
                "trash" | "remove" | "move" | "rename" => whole(rest),
                "copy" | "save" | "set" => rest.iter().map(|arg| file(arg.as_str())).collect(),
                _ => Vec::new(),
            }
        }
        "mount" => mounted(call),
        _ => archives::files(name, call),
    }
}

fn whole(paths: &[Arg]) -> Vec<Written> {
    paths.iter().map(|arg| Written::new(arg.as_str(), PathEffect::Whole)).collect()
}

/// Returns the files that a search deletes, and those that it writes its hits to.
fn found(call: &Call) -> Vec<Written> {
    let search = search(call);
    let how = if search.is_narrow || search.is_flat { PathEffect::Itself } else { PathEffect::Whole };
    let deleted = search.hits().into_iter().filter(|_| search.deletes);
    deleted.map(|path| Written::new(&path, how)).collect()
}

/// Something else stands where it is mounted, for as long as it is.
fn mounted(call: &Call) -> Vec<Written> {
    let options =
        Options::parse(call.args(), Grammar { short: "otLUN", long: &["options", "types"], anywhere: true });
    let target = options.operands.last().filter(|_| options.operands.len() > 1);
    target.map(|arg| Written::new(arg.as_str(), PathEffect::Whole)).into_iter().collect()
}
