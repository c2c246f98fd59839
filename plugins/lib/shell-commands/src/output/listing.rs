//! Commands that print names of files.

use crate::{
    arg::{Arg, BELOW, Origin, STAR, Stream, UNKNOWN, all_below, some_below},
    call::{Call, Grammar, Options},
    target::classify,
    wrapper::{git_options, search},
};

/// Commands that leave lines out or put them in another order.
const LINE_FILTERS: &[&str] =
    &["egrep", "fgrep", "grep", "head", "rg", "shuf", "sort", "tac", "tail", "tee", "uniq"];

/// A search for nothing in particular prints the folders that it starts in, and all below them.
pub(super) fn found(call: &Call) -> Stream {
    let search = search(call);
    let mut hits = search.hits();
    if call.touches && !search.is_narrow {
        hits = hits.iter().flat_map(|start| [all_below(start), start.clone()]).collect();
    }
    let text = hits.join("\n");
    if search.is_narrow { names(text) } else { Stream::of(text) }
}

/// Long options with a value of those that print the names of files in which they find something.
const LONG: &[&str] = &[
    "after-context",
    "before-context",
    "context",
    "exclude",
    "exclude-dir",
    "exclude-from",
    "file",
    "glob",
    "iglob",
    "include",
    "max-count",
    "regexp",
    "type",
    "type-not",
];

/// The files of which `grep -l`, `rg -l` and `git ls-files` print the names, for who asks which files are touched.
pub(super) fn matching(call: &Call) -> Option<Stream> {
    if !call.touches {
        return None;
    }
    let name = call.name();
    let options = Options::parse(call.args(), Grammar { short: "efABCmdDgtT", long: LONG, anywhere: true });
    let has_pattern_option = options.value(&["e", "f", "--regexp", "--file"]).is_some();
    let searches = is_recursive(name) || matches!(name, "egrep" | "fgrep" | "ggrep" | "grep" | "zgrep");
    let lists =
        options.has_letter("lL") || options.given.iter().any(|(name, _)| name.starts_with("--files-with"));
    let (skipped, recurses) = match options.operands.first().map(Arg::as_str) {
        Some("ls-files") if name == "git" => (1, true),
        Some("grep") if name == "git" && lists => (2 - usize::from(has_pattern_option), true),
        _ if searches && lists => {
            (usize::from(!has_pattern_option), is_recursive(name) || options.has_letter("rR"))
        }
        _ => return None,
    };
    let named: Vec<&str> = options.operands.iter().skip(skipped).map(Arg::as_str).collect();
    let only = only_named(&options);
    // What is found by what is in it, anywhere in a project.
    if named.is_empty() && only.is_none() && (is_recursive(name) || name == "git") {
        return Some(names(some_below(".")));
    }
    let folders = if named.is_empty() && recurses { vec!["."] } else { named };
    let below = |folder: &&str| -> Vec<String> {
        match &only {
            _ if !recurses => vec![(*folder).to_owned()],
            Some(patterns) => patterns.iter().map(|pattern| format!("{folder}/{BELOW}/{pattern}")).collect(),
            None => vec![all_below(folder), (*folder).to_owned()],
        }
    };
    Some(names(folders.iter().flat_map(below).collect::<Vec<_>>().join("\n")))
}

fn is_recursive(name: &str) -> bool {
    matches!(name, "ack" | "ag" | "rg" | "ugrep")
}

/// Returns the patterns that the files' names must match; `None` if there are none, because a type of files is not
/// known here.
fn only_named(options: &Options) -> Option<Vec<String>> {
    let filters = options.given.iter().filter(|(name, _)| {
        matches!(name.as_str(), "--include" | "--glob" | "--iglob" | "--type" | "g" | "t")
    });
    let pattern = |(name, value): &(String, Option<Arg>)| {
        let value = value.as_ref().map_or("", Arg::as_str);
        if matches!(name.as_str(), "--type" | "t") {
            UNKNOWN.to_string()
        } else {
            crate::touched::pattern(value)
        }
    };
    let patterns: Vec<String> = filters.map(pattern).filter(|pattern| !pattern.starts_with('!')).collect();
    (!patterns.is_empty()).then_some(patterns)
}

/// Programs that list the files of the working folder, the word that they need for that, and the options that leave nothing out.
const LISTS: &[(&[&str], Option<&str>, &[&str])] = &[
    (
        &["fd", "fdfind"],
        None,
        &[
            ".",
            "-0",
            "-H",
            "-I",
            "-a",
            "-u",
            "--hidden",
            "--no-ignore",
            "--print0",
            "-t",
            "--type",
            "f",
            "-tf",
        ],
    ),
    (&["git"], Some("ls-files"), &["-c", "-z", "--cached", "--full-name"]),
    (&["gls", "ls"], None, &["-1", "-A", "-U", "-a", "-1A", "-A1", "--all", "--almost-all", "."]),
    (&["rg"], Some("--files"), &["-.", "-0", "-u", "-uu", "--hidden", "--no-ignore", "--null"]),
];

/// Returns true if a command prints the names of all files of the working folder, of a folder above it or of the system.
pub(super) fn is_everything(call: &Call) -> bool {
    if call.is(&["find", "gfind"]) {
        let search = search(call);
        return !search.is_narrow && search.starts.iter().any(|start| is_whole(start.as_str(), call));
    }
    let Some((_, needed, options)) = LISTS.iter().find(|(names, ..)| call.is(names)) else { return false };
    let own = git_options(call.args());
    let words = if call.is(&["git"]) { own.operands.as_slice() } else { call.args() };
    needed.is_none_or(|needed| words.iter().any(|word| word.as_str() == needed))
        && words.iter().all(|word| Some(word.as_str()) == *needed || options.contains(&word.as_str()))
        && is_whole(".", call)
}

/// Returns true if all entries of a folder are those of the working folder, of a folder above it or of the system.
pub(crate) fn is_whole(folder: &str, call: &Call) -> bool {
    classify(&format!("{folder}/{STAR}"), call).is_some()
}

/// The names that `ls` is given; what is in a folder is not known.
pub(super) fn listed(call: &Call) -> Stream {
    let options = Options::parse(call.args(), Grammar { short: "ITw", ..Grammar::ANYWHERE });
    let text: Vec<&str> = options.operands.iter().map(Arg::as_str).collect();
    if text.is_empty() { names(UNKNOWN.to_string()) } else { names(text.join("\n")) }
}

/// `compgen -G pattern`: what the pattern matches.
pub(super) fn completed(call: &Call) -> Stream {
    let options = Options::parse(call.args(), Grammar { short: "GACFoWXPS", ..Grammar::ANYWHERE });
    let pattern = options.value(&["G"]);
    pattern.map_or_else(Stream::default, |pattern| names(crate::touched::pattern(pattern.as_str())))
}

/// Returns the file by another path, or the folder that contains it.
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

/// Returns the rest of a list of names after a filter.
pub(super) fn filtered(name: &str, call: &Call, origin: Origin) -> Stream {
    let text = call.stdin.text.clone().filter(|_| LINE_FILTERS.contains(&name));
    // Some of all that is in a folder, and not which.
    let sifts = call.touches && (name.ends_with("grep") || name == "rg");
    let some = |text: String| text.replace(BELOW, &format!("{BELOW}/{UNKNOWN}"));
    let text = if sifts { text.map(some) } else { text };
    Stream { text, origin, file: None }
}

pub(super) fn names(text: String) -> Stream {
    Stream { text: Some(text), origin: Origin { files: true, ..Origin::default() }, file: None }
}
