//! Which files a command creates, changes or removes, as far as its arguments name them.

use super::removal::RSYNC;
use crate::{
    arg::{Arg, UNKNOWN},
    call::{Call, Grammar, Options},
    wrapper::{search, written_by_code},
};

/// A file that a command writes.
pub(super) struct Written {
    /// Its path.
    pub(super) path: String,
    /// Whether all that is below it goes, too.
    pub(super) whole: bool,
}

/// Commands that write each of their operands: their short options with a value, their long ones, and how many operands
/// stand before the files.
const ALL: &[(&str, &str, &[&str], usize)] = &[
    ("chattr", "pv", &[], 0),
    ("chgrp", "", &["reference"], 0),
    ("chmod", "", &["reference"], 0),
    ("chown", "", &["reference", "from"], 0),
    ("ed", "p", &[], 0),
    ("ex", "cT", &[], 0),
    ("gvim", "cTsSuU", &["cmd"], 0),
    ("nvim", "cTsSuU", &["cmd"], 0),
    ("rm", "", &[], 0),
    ("rmdir", "", &[], 0),
    ("setfacl", "mMxX", &["modify", "remove", "set", "restore"], 0),
    ("shred", "ns", &["iterations", "size", "random-source"], 0),
    ("sponge", "", &[], 0),
    ("srm", "", &[], 0),
    ("tee", "", &["output-error"], 0),
    ("touch", "drt", &["date", "reference", "time"], 0),
    ("trash", "", &[], 0),
    ("trash-put", "", &[], 0),
    ("truncate", "rs", &["reference", "size"], 0),
    ("unlink", "", &[], 0),
    ("vi", "cTsSuU", &["cmd"], 0),
    ("vim", "cTsSuU", &["cmd"], 0),
];
/// Commands whose last operand, or the folder behind `-t`, is written.
const LAST: &[(&str, &str, &[&str])] = &[
    ("cp", "St", &["suffix", "target-directory"]),
    ("install", "gmoSt", &["group", "mode", "owner", "suffix", "target-directory", "strip-program"]),
    ("link", "", &[]),
    ("ln", "St", &["suffix", "target-directory"]),
    ("mv", "St", &["suffix", "target-directory"]),
    ("patch", "BDdFgiopprVYz", &["directory", "input", "output", "strip", "reject-file"]),
    ("rsync", RSYNC.short, RSYNC.long),
    ("scp", "cDFiJloPSX", &[]),
];
/// Commands that write what an option names: the option's letter, or nothing, and its long name.
const NAMED: &[(&str, &[(&str, &str)])] = &[
    ("7z", &[("o", "")]),
    ("aria2c", &[("o", "out"), ("d", "dir")]),
    ("bsdtar", &[("C", "directory")]),
    ("curl", &[("o", "output"), ("", "output-dir"), ("c", "cookie-jar"), ("D", "dump-header")]),
    ("gtar", &[("C", "directory")]),
    ("patch", &[("o", "output"), ("d", "directory")]),
    ("sort", &[("o", "output")]),
    ("tar", &[("C", "directory"), ("", "one-top-level")]),
    ("unzip", &[("d", "")]),
    (
        "wget",
        &[("O", "output-document"), ("P", "directory-prefix"), ("o", "output-file"), ("a", "append-output")],
    ),
];
/// Commands that write their operands with this letter or option, and the operands before those.
const IN_PLACE: &[(&str, &str, &str, usize)] = &[
    ("gsed", "i", "--in-place", 1),
    ("perl", "i", "", 0),
    ("ruby", "i", "", 0),
    ("sed", "i", "--in-place", 1),
    ("yq", "i", "--inplace", 1),
];

/// The files that a command writes.
pub(super) fn files(call: &Call) -> Vec<Written> {
    let name = call.name();
    let name = name.strip_prefix('g').filter(|short| is_known(short)).unwrap_or(name);
    let mut written: Vec<Written> = call.writes.iter().map(|arg| file(arg.as_str())).collect();
    if let Some((_, short, long, before)) = ALL.iter().find(|(known, ..)| *known == name) {
        let options = Options::parse(call.args(), Grammar { short, long, anywhere: true });
        let whole = name != "touch" && (options.has_letter("rR") || options.has_long("--recursive"));
        let paths = options.operands.iter().skip(*before);
        written.extend(paths.map(|arg| Written { whole, ..file(arg.as_str()) }));
    }
    if let Some((_, short, long)) = LAST.iter().find(|(known, ..)| *known == name) {
        let options = Options::parse(call.args(), Grammar { short, long, anywhere: true });
        copied(name, &options, &mut written);
    }
    let names = NAMED.iter().find(|(known, _)| *known == name);
    if let Some((_, names)) = names.filter(|_| !name.ends_with("tar") || extracts(call)) {
        named(names, call, &mut written);
    }
    in_place(name, call, &mut written);
    written.extend(other(name, call));
    written.extend(written_by_code(call).into_iter().map(|path| file(&path)));
    written
}

fn is_known(name: &str) -> bool {
    ALL.iter().any(|(known, ..)| *known == name) || LAST.iter().any(|(known, ..)| *known == name)
}

fn file(path: &str) -> Written {
    Written { path: path.to_owned(), whole: false }
}

/// A copy is called as its target says, or lies in it under its own name.
fn copied(name: &str, options: &Options, written: &mut Vec<Written>) {
    let folder = options.value(&["t", "--target-directory"]);
    let (target, sources) = match (folder, options.operands.split_last()) {
        (Some(folder), _) => (folder, options.operands.as_slice()),
        (None, Some((target, sources))) => (target, sources),
        (None, None) => return,
    };
    written.push(file(target.as_str()));
    for source in sources {
        let own = source.as_str().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        written.push(file(&format!("{}/{own}", target.as_str())));
        if name == "mv" {
            written.push(Written { whole: true, ..file(source.as_str()) });
        }
    }
}

/// Whether `tar` takes files out: `xf`, `-xzf`, `--extract`.
fn extracts(call: &Call) -> bool {
    let letters = |at: usize, text: &str| {
        let text = text.strip_prefix('-').or((at == 0).then_some(text));
        text.is_some_and(|letters| !letters.starts_with('-') && letters.contains('x'))
    };
    call.args()
        .iter()
        .enumerate()
        .any(|(at, arg)| letters(at, arg.as_str()) || matches!(arg.as_str(), "--extract" | "--get"))
}

fn named(names: &[(&str, &str)], call: &Call, written: &mut Vec<Written>) {
    let short: String = names.iter().map(|(short, _)| *short).collect();
    let long: Vec<&str> = names.iter().map(|(_, long)| *long).collect();
    let options = Options::parse(call.args(), Grammar { short: &short, long: &long, anywhere: true });
    for (option, value) in &options.given {
        let wanted =
            |(short, long): &(&str, &str)| option == short || option.strip_prefix("--") == Some(*long);
        if let Some(value) = value.as_ref().filter(|_| names.iter().any(wanted)) {
            written.push(file(value.as_str()));
        }
    }
}

fn in_place(name: &str, call: &Call, written: &mut Vec<Written>) {
    let Some((_, letter, long, before)) = IN_PLACE.iter().find(|(known, ..)| *known == name) else { return };
    // A letter behind one with a value is part of that value, but `-i.bak` is `-i`.
    let options =
        Options::parse(call.args(), Grammar { short: "efE", long: &["expression", "file"], anywhere: true });
    let given = options.has_letter(letter) || (!long.is_empty() && options.has_long(long));
    if given {
        // The script is the first operand unless an option has it.
        let scripted = options.value(&["e", "f", "E", "--expression", "--file"]).is_some();
        let paths = options.operands.iter().skip(if scripted { 0 } else { *before });
        written.extend(paths.map(|arg| file(arg.as_str())));
    }
}

fn other(name: &str, call: &Call) -> Vec<Written> {
    let value = |prefix: &str| call.args().iter().find_map(|arg| arg.as_str().strip_prefix(prefix).map(file));
    match name {
        "dd" | "dcfldd" | "dc3dd" => value("of=").into_iter().collect(),
        "find" => {
            let search = search(call);
            let starts = search.starts.iter().filter(|_| search.deletes);
            let found = |start: &Arg| {
                if search.is_narrow {
                    file(&format!("{}/{UNKNOWN}", start.as_str()))
                } else {
                    Written { whole: true, ..file(start.as_str()) }
                }
            };
            starts.map(found).collect()
        }
        "git" => match call.args() {
            [verb, rest @ ..] if matches!(verb.as_str(), "rm" | "mv") => {
                rest.iter().map(|arg| file(arg.as_str())).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
