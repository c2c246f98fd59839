//! Commands that tell little of what they read.

use super::tables::{self, QUIET};
use crate::{
    arg::Arg,
    call::{Grammar, Options},
};

/// Returns true if a command prints little about its input: its size, or whether it contains something.
pub(crate) fn is_quiet(name: &str, args: &[Arg]) -> bool {
    if QUIET.contains(&name) {
        // `file -f list` prints each line of the list.
        return name != "file" || !args.iter().any(|arg| arg.as_str().starts_with("-f"));
    }
    let reader = tables::find(name);
    let grammar = reader.map_or(Grammar::ANYWHERE, |reader| Grammar {
        short: reader.short,
        long: reader.long,
        anywhere: true,
    });
    let options = Options::parse(args, grammar);
    let long = |names: &[&str]| names.iter().any(|name| options.given.iter().any(|(given, _)| given == name));
    match name {
        "grep" | "egrep" | "fgrep" | "ggrep" | "zgrep" | "ag" => options.has_letter("qclL") || long(COUNTING),
        "rg" => options.has_letter("qcl") || long(COUNTING),
        "cut" => names_only(&options, args),
        "sed" => options.has_letter("n") && counts_lines(&options),
        "diff" => options.has_letter("q") || long(&["--brief"]),
        "cmp" => options.has_letter("s") || long(&["--quiet", "--silent"]),
        _ => false,
    }
}

const COUNTING: &[&str] =
    &["--quiet", "--silent", "--count", "--files-with-matches", "--files-without-match", "--count-matches"];

/// `cut -d= -f1`: the names of variables without their values. A line without `=` is printed whole, so that only files of variables
/// are meant.
fn names_only(options: &Options, args: &[Arg]) -> bool {
    let is = |names: &[&str], value: &str| options.value(names).is_some_and(|arg| arg.as_str() == value);
    let is_plain = options.given.iter().all(|(name, _)| {
        matches!(name.as_str(), "d" | "f" | "s" | "--delimiter" | "--fields" | "--only-delimited")
    });
    let of_variables = |arg: &Arg| arg.as_str().contains(".env");
    let is_marked = args.iter().any(|arg| matches!(arg.as_str(), "-s" | "--only-delimited"));
    is_plain
        && is(&["d", "--delimiter"], "=")
        && is(&["f", "--fields"], "1")
        && (is_marked || (!options.operands.is_empty() && options.operands.iter().all(of_variables)))
}

/// `sed -n '$='`
fn counts_lines(options: &Options) -> bool {
    let scripts = options
        .given
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "e" | "--expression" | "f" | "--file"));
    let mut scripts = scripts.filter_map(|(_, value)| value.as_ref()).peekable();
    match scripts.peek() {
        Some(_) => scripts.all(|script| script.as_str() == "$="),
        None => options.operands.first().is_some_and(|script| script.as_str() == "$="),
    }
}
