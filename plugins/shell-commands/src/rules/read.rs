//! Which files a command reads, as far as its arguments name them.

mod clients;
mod git;
mod tables;

use self::tables::{COPIERS, LOADERS, QUIET, Reader};
use super::exfiltrate::uploads_of;
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    output::copying,
    wrapper::{opened_by_code, option_values},
};

/// Of how many copies of one command is known what they are called.
pub(crate) const MAX_COPIES: usize = 64;

/// What happens to what is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// It is printed, or copied into files that nobody can name.
    Shown,
    /// It is copied into one of these files.
    Copied(Vec<String>),
    /// A program works with it and shows nothing of it.
    Used,
}

/// A file that a command reads.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// Its path.
    pub(crate) path: String,
    /// What happens to its content.
    pub(crate) how: Reading,
}

impl Read {
    fn new(path: &str, how: Reading) -> Self {
        Self { path: path.to_owned(), how }
    }
}

/// The files that a command reads.
pub(crate) fn files(call: &Call) -> Vec<Read> {
    let mut read = Vec::new();
    let printed = printed(call);
    let name = known_name(call);
    if is_quiet(name, call.args()) {
        read.extend(redirected(call, &Reading::Used));
        read.extend(tables::find(name).into_iter().flat_map(|reader| operands(reader, call, &Reading::Used)));
        return read;
    }
    if let Some(reader) = tables::find(name) {
        read.extend(operands(reader, call, &printed));
        read.extend(redirected(call, &printed));
    } else if call.words.is_empty() {
        // `$(< file)`
        read.extend(redirected(call, &printed));
    } else {
        read.extend(redirected(call, &Reading::Used));
    }
    if COPIERS.contains(&name) {
        read.extend(copied(name, call));
    }
    read.extend(git::files(call, &printed));
    read.extend(clients::files(name, call));
    read.extend(uploads_of(call).iter().map(|path| Read::new(path, Reading::Shown)));
    read.extend(opened_by_code(call).iter().map(|path| Read::new(path, Reading::Shown)));
    read.extend(loaded(name, call));
    read.retain(|read| is_path(&read.path));
    read
}

/// Whether a command tells little of what it reads: how much it is, or whether something is in it.
pub(crate) fn is_quiet(name: &str, args: &[Arg]) -> bool {
    if QUIET.contains(&name) {
        return true;
    }
    let short = |letters: &str| {
        let clusters = args.iter().filter_map(|arg| arg.as_str().strip_prefix('-'));
        clusters.filter(|text| !text.starts_with('-')).any(|text| text.contains(|c| letters.contains(c)))
    };
    let long = |names: &[&str]| args.iter().any(|arg| names.contains(&arg.as_str()));
    match name {
        "grep" | "egrep" | "fgrep" | "ggrep" | "zgrep" | "rg" | "ag" => {
            short(if name == "rg" { "qcl" } else { "qclL" })
                || long(&["--quiet", "--silent", "--count", "--files-with-matches", "--files-without-match"])
        }
        // The names of variables without their values.
        "cut" => {
            let text: String = args.iter().map(Arg::as_str).collect();
            matches!(text.as_str(), t if t.starts_with("-d=-f1") || t.starts_with("-f1-d="))
        }
        "sed" => short("n") && args.iter().any(|arg| arg.as_str() == "$="),
        "diff" | "cmp" => short("qs") || long(&["--brief", "--quiet", "--silent"]),
        _ => false,
    }
}

/// Where what a command prints goes.
fn printed(call: &Call) -> Reading {
    match call.output.as_deref() {
        None => Reading::Shown,
        Some("/dev/null") => Reading::Used,
        Some(path) if path.starts_with("/dev/") => Reading::Shown,
        Some(path) => Reading::Copied(vec![path.to_owned()]),
    }
}

/// GNU tools have another name where others' are installed, too.
fn known_name(call: &Call) -> &str {
    let name = call.name();
    let short = name.strip_prefix('g').filter(|short| {
        tables::find(name).is_none() && (tables::find(short).is_some() || COPIERS.contains(short))
    });
    short.unwrap_or(name)
}

fn redirected(call: &Call, how: &Reading) -> Vec<Read> {
    call.reads.iter().map(|arg| Read::new(arg.as_str(), how.clone())).collect()
}

fn operands(reader: &Reader, call: &Call, how: &Reading) -> Vec<Read> {
    let grammar = Grammar { short: reader.short, long: reader.long, anywhere: true };
    let options = Options::parse(call.args(), grammar);
    let is_scripted = options.value(reader.script).is_some();
    let before = if is_scripted { 0 } else { reader.before };
    options.operands.iter().skip(before).map(|arg| Read::new(arg.as_str(), how.clone())).collect()
}

/// What is copied, and where to.
fn copied(name: &str, call: &Call) -> Vec<Read> {
    let mut grammar = copying(name);
    let with_target = format!("{}t", grammar.short);
    let mut long = grammar.long.to_vec();
    if matches!(name, "cp" | "install" | "ln") {
        grammar.short = &with_target;
        long.push("target-directory");
    }
    let options = Options::parse(call.args(), Grammar { long: &long, ..grammar });
    let folder = options.value(&["t", "--target-directory"]);
    let (target, sources) = match (folder, options.operands.split_last()) {
        (Some(folder), _) => (folder, options.operands.as_slice()),
        (None, Some((target, sources))) => (target, sources),
        (None, None) => return Vec::new(),
    };
    let into_folder = folder.is_some() || sources.len() > 1 || target.as_str().ends_with('/');
    let is_remote = |path: &str| {
        matches!(name, "scp" | "rsync") && path.split_once(':').is_some_and(|(head, _)| !head.contains('/'))
    };
    let is_followed = sources.len() <= MAX_COPIES && !is_remote(target.as_str());
    let copy = |source: &Arg| {
        let own = source.as_str().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let folder = target.as_str().trim_end_matches('/');
        if into_folder { format!("{folder}/{own}") } else { target.text.clone() }
    };
    let read = |source: &Arg| {
        let how = if is_followed { Reading::Copied(vec![copy(source)]) } else { Reading::Shown };
        Read::new(source.as_str(), how)
    };
    sources.iter().filter(|source| !is_remote(source.as_str())).map(read).collect()
}

/// What is handed to a program that needs it.
fn loaded(name: &str, call: &Call) -> Vec<Read> {
    let used = |path: &str| Read::new(path, Reading::Used);
    if matches!(name, "." | "source") {
        return call.args().first().map(|arg| used(arg.as_str())).into_iter().collect();
    }
    let rows = LOADERS.iter().filter(|(names, _)| names.is_empty() || names.contains(&name));
    rows.flat_map(|(_, options)| option_values(call.args(), options)).map(|path| used(&path)).collect()
}

/// Whether a word may be a path of this machine.
fn is_path(text: &str) -> bool {
    !text.is_empty() && text != "-" && !text.contains("://")
}
