//! Archives that a command makes, and folders that it unpacks them into.

use super::{PathEffect, Written, file};
use crate::{
    arg::{Arg, HOME, is_mark},
    call::{Call, Grammar, Options},
};

/// The files that an archiver writes: what it makes, or where it puts what is in an archive.
pub(super) fn files(name: &str, call: &Call) -> Vec<Written> {
    match name {
        "tar" | "gtar" | "bsdtar" | "jar" => tar(call),
        "unzip" => unzip(call),
        "7z" | "7za" | "7zr" | "7zz" => seven_zip(call),
        "zip" => zip(call),
        "cpio" => cpio(call),
        "pax" => pax(call),
        "rar" | "unrar" => rar(call),
        "dpkg" | "dpkg-deb" => debian(call),
        "cabextract" => into(call, "d", "directory"),
        "unar" => into(call, "o", "output-directory"),
        "unsquashfs" => into(call, "d", "dest"),
        "mksquashfs" => {
            parsed(call, "", &[]).operands.get(1).map(|arg| file(arg.as_str())).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn parsed(call: &Call, short: &str, long: &[&str]) -> Options {
    Options::parse(call.args(), Grammar { short, long, anywhere: true })
}

fn filled(path: &str) -> Written {
    Written::new(path, PathEffect::Filled)
}

/// Letters of `tar` with a value.
const TAR: &str = "bCfFgHIKLNTVX";
/// Its long options with a value.
const TAR_LONG: &[&str] = &[
    "directory",
    "exclude",
    "file",
    "index-file",
    "listed-incremental",
    "one-top-level",
    "strip-components",
    "transform",
];

/// Returns the writes of `tar`: extracted members go below a folder; packed files may be removed afterwards.
fn tar(call: &Call) -> Vec<Written> {
    let options =
        Options::parse(&with_dashes(call.args()), Grammar { short: TAR, long: TAR_LONG, anywhere: true });
    let has_option = |letters: &str, long: &[&str]| {
        options.has_letter(letters) || long.iter().any(|long| options.has_long(long))
    };
    let values = |names: &'static [&'static str]| {
        let given = options.given.iter().filter(move |(name, _)| names.contains(&name.as_str()));
        given.filter_map(|(_, value)| value.as_ref()).filter(|value| value.as_str() != "-")
    };
    let mut written: Vec<Written> =
        values(&["g", "--listed-incremental", "--index-file"]).map(|arg| file(arg.as_str())).collect();
    if options.has_long("--remove-files") {
        let folders: Vec<&Arg> = values(&["C", "--directory"]).collect();
        for arg in &options.operands {
            written.push(Written::new(arg.as_str(), PathEffect::Whole));
            let below = |folder: &&Arg| format!("{}/{}", folder.as_str(), arg.as_str());
            written.extend(folders.iter().map(|folder| Written::new(&below(folder), PathEffect::Whole)));
        }
    }
    if has_option("cruA", &["--create", "--append", "--update", "--catenate", "--concatenate", "--delete"]) {
        written.extend(values(&["f", "--file"]).map(|arg| file(arg.as_str())));
    }
    if has_option("x", &["--extract", "--get"]) {
        let members = call.stdin.text.iter().filter(|_| call.has_stdin && call.stdin.origin.files);
        let members: Vec<Arg> = members.flat_map(|text| text.lines().map(Arg::new)).collect();
        written.extend(unpacked(&values(&["C", "--directory"]).collect::<Vec<_>>(), &options, &members));
    }
    written
}

/// `cbf 20 file`: letters without a dash, and their values behind them in their order.
fn with_dashes(args: &[Arg]) -> Vec<Arg> {
    let Some((first, rest)) = args.split_first().filter(|(first, _)| !first.as_str().starts_with('-')) else {
        return args.to_vec();
    };
    let mut rest = rest.iter();
    let mut all = Vec::new();
    for letter in first.as_str().chars() {
        all.push(Arg::new(format!("-{letter}")));
        all.extend(TAR.contains(letter).then(|| rest.next().cloned()).flatten());
    }
    all.extend(rest.cloned());
    all
}

/// Options that give members other names, or read names from a file.
const RENAMING: [&str; 5] = ["--files-from", "--strip", "--strip-components", "--transform", "--xform"];

/// Returns true if each member is named, at least its beginning.
fn are_named(members: &[Arg]) -> bool {
    let is_named = |member: &Arg| {
        let first = member.as_str().split('/').next().unwrap_or_default();
        !matches!(first, "" | "." | "..") && !first.contains(|c: char| is_mark(c) || "*?[".contains(c))
    };
    !members.is_empty() && members.iter().all(is_named)
}

/// The folders that an archive is unpacked into, and the files that are asked for by name.
fn unpacked(folders: &[&Arg], options: &Options, members: &[Arg]) -> Vec<Written> {
    let into = folders.last().map_or(".", |folder| folder.as_str());
    let below = |arg: &Arg| filled(&format!("{into}/{}", arg.as_str()));
    let renames = options.has_letter("sT") || RENAMING.iter().any(|option| options.has_long(option));
    let mut written: Vec<Written> = Vec::new();
    if renames || !are_named(&options.operands) {
        written.extend(folders.iter().map(|folder| filled(folder.as_str())));
        if written.is_empty() {
            written.push(filled(into));
        }
    }
    written.extend(options.value(&["--one-top-level"]).map(below));
    written.extend(options.operands.iter().chain(members).map(below));
    // With `-P` a name may begin at the root.
    let is_whole = |arg: &&Arg| arg.as_str().starts_with(['/', HOME]);
    if options.has_letter("P") || options.has_long("--absolute-names") {
        written.extend(options.operands.iter().filter(is_whole).map(|arg| filled(arg.as_str())));
    }
    written
}

/// The names of what an archive has that a command prints.
pub(crate) fn printed_members(call: &Call) -> Option<Vec<String>> {
    let grammar = Grammar { short: TAR, long: TAR_LONG, anywhere: true };
    let options = Options::parse(&with_dashes(call.args()), grammar);
    let makes = options.has_letter("c") || options.has_long("--create");
    let is_printed = options.value(&["f", "--file"]).is_none_or(|file| file.as_str() == "-");
    let names = options.operands.iter().map(|arg| arg.text.clone());
    (call.touches && makes && is_printed).then(|| names.collect())
}

fn unzip(call: &Call) -> Vec<Written> {
    let options = parsed(call, "dxP", &[]);
    if options.has_letter("lptvZz") {
        return Vec::new();
    }
    let into = options.value(&["d"]).map_or(".", Arg::as_str);
    // Behind the archive: what is taken out of it.
    members(into, options.operands.get(1..).unwrap_or_default(), options.has_letter("j"))
}

/// Returns the files that `zip -m archive file` removes after packing. The archive itself is reported elsewhere.
fn zip(call: &Call) -> Vec<Written> {
    let options = parsed(call, "bntxi", &[]);
    let moves = options.has_letter("m") || options.has_long("--move");
    options.operands.iter().skip(1).filter(|_| moves).map(whole).collect()
}

fn whole(arg: &Arg) -> Written {
    Written::new(arg.as_str(), PathEffect::Whole)
}

fn seven_zip(call: &Call) -> Vec<Written> {
    let options = parsed(call, "o", &[]);
    let mut operands = options.operands.iter();
    match operands.next().map_or("", Arg::as_str) {
        verb @ ("x" | "e") => {
            let into = options.value(&["o"]).map_or(".", Arg::as_str);
            members(into, options.operands.get(2..).unwrap_or_default(), verb == "e")
        }
        "a" | "d" | "rn" | "u" => {
            let archive = operands.next().map(|arg| file(arg.as_str()));
            let taken = operands.filter(|_| call.has_arg("-sdel")).map(whole);
            archive.into_iter().chain(taken).collect()
        }
        _ => Vec::new(),
    }
}

/// Some of an archive, perhaps without the folders that it has them in.
fn members(into: &str, names: &[Arg], are_loose: bool) -> Vec<Written> {
    let taken = names.iter().map(|name| filled(&format!("{into}/{}", name.as_str())));
    let others = (are_loose || !are_named(names)).then(|| filled(into));
    others.into_iter().chain(taken).collect()
}

fn cpio(call: &Call) -> Vec<Written> {
    let options = parsed(call, "DFEHRCMO", &["directory", "file"]);
    let passed = if options.has_letter("p") { options.operands.last() } else { None };
    let into = options.value(&["D", "--directory"]).or(passed).map_or(".", Arg::as_str);
    if options.has_letter("ip") || options.has_long("--extract") {
        return vec![filled(into)];
    }
    options.value(&["O", "F", "--file"]).map(|arg| file(arg.as_str())).into_iter().collect()
}

fn pax(call: &Call) -> Vec<Written> {
    let options = parsed(call, "bfosxBEGTU", &[]);
    match (options.has_letter("r"), options.has_letter("w")) {
        (true, true) => options.operands.last().map(|arg| filled(arg.as_str())).into_iter().collect(),
        (true, false) => vec![filled(".")],
        (false, true) => options.value(&["f"]).map(|arg| file(arg.as_str())).into_iter().collect(),
        (false, false) => Vec::new(),
    }
}

/// `unrar x archive folder/`
fn rar(call: &Call) -> Vec<Written> {
    let operands = parsed(call, "", &[]).operands;
    let folder = operands.last().filter(|last| operands.len() > 2 && last.as_str().ends_with('/'));
    match operands.first().map_or("", Arg::as_str) {
        "x" | "e" => vec![filled(folder.map_or(".", Arg::as_str))],
        verb @ ("a" | "u" | "m" | "mf") => {
            let moves = verb.starts_with('m') || call.has_arg("-df") || call.has_arg("-dw");
            let taken = operands.iter().skip(2).filter(|_| moves).map(whole);
            operands.get(1).map(|arg| file(arg.as_str())).into_iter().chain(taken).collect()
        }
        _ => Vec::new(),
    }
}

/// `dpkg -x package folder`, `dpkg-deb -b folder package`
fn debian(call: &Call) -> Vec<Written> {
    const UNPACKING: &[&str] =
        &["-x", "-X", "-R", "-e", "--extract", "--vextract", "--raw-extract", "--control", "-b", "--build"];
    let operands = parsed(call, "", &[]).operands;
    let unpacks = call.args().iter().any(|arg| UNPACKING.contains(&arg.as_str()));
    operands.get(1).filter(|_| unpacks).map(|arg| filled(arg.as_str())).into_iter().collect()
}

fn into(call: &Call, short: &str, long: &str) -> Vec<Written> {
    let options = parsed(call, short, &[long]);
    vec![filled(options.value(&[short, &format!("--{long}")]).map_or(".", Arg::as_str))]
}
