//! Commands that print names of files.

use crate::{
    arg::{Arg, Origin, Stream, UNKNOWN},
    call::{Call, Grammar, Options},
    wrapper::search,
};

/// Commands that leave lines out or put them in another order.
const LINE_FILTERS: &[&str] =
    &["egrep", "fgrep", "grep", "head", "rg", "shuf", "sort", "tac", "tail", "tee", "uniq"];

/// A search for nothing in particular prints the folders that it starts in, and all below them.
pub(super) fn found(call: &Call) -> Stream {
    let search = search(call);
    let text = search.hits().join("\n");
    if search.is_narrow { names(text) } else { Stream::of(text) }
}

/// The names that `ls` is given; what is in a folder is not known.
pub(super) fn listed(call: &Call) -> Stream {
    let options = Options::parse(call.args(), Grammar { short: "ITw", ..Grammar::ANYWHERE });
    let text: Vec<&str> = options.operands.iter().map(Arg::as_str).collect();
    if text.is_empty() { names(UNKNOWN.to_string()) } else { names(text.join("\n")) }
}

/// The same file by another path, or the folder that it is in.
pub(super) fn path(call: &Call) -> Stream {
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    let [operand] = options.operands.as_slice() else { return Stream::default() };
    let path = operand.as_str();
    // What a link says is not what it is called.
    if path.contains(UNKNOWN) || (call.is(&["readlink"]) && !options.has_letter("fem")) {
        return Stream::default();
    }
    if !call.is(&["dirname"]) {
        return names(path.to_owned());
    }
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => names("/".to_owned()),
        Some((folder, _)) => names(folder.to_owned()),
        None => names(".".to_owned()),
    }
}

/// What is left of a list of names.
pub(super) fn filtered(name: &str, call: &Call, origin: Origin) -> Stream {
    let text = call.stdin.text.clone().filter(|_| LINE_FILTERS.contains(&name));
    Stream { text, origin, file: None }
}

fn names(text: String) -> Stream {
    Stream { text: Some(text), origin: Origin { files: true, ..Origin::default() }, file: None }
}
