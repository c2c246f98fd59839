//! Files that a command reads, where its arguments name them.

mod clients;
mod environment;
mod git;
mod operands;
mod quiet;
mod silent;
mod tables;

pub(crate) use self::{environment::loads, operands::given, quiet::is_quiet};

pub(crate) use self::tables::TAKERS;
use self::tables::{COPIERS, LOADERS, Reader};
use super::exfiltrate::uploads_of;
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    output::copying,
    wrapper::{is_shell, is_traced, opened_by_code, option_values},
};

/// Maximum number of copies by one command whose names are recorded.
pub(crate) const MAX_COPIES: usize = 64;

/// Destination of the content that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Printed, or copied into files that cannot be named.
    Shown,
    /// Copied into one of these files.
    Copied(Vec<String>),
    /// A program works with it and shows nothing of it.
    Used,
}

/// A file that a command reads.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    /// Its path.
    pub(crate) path: String,
    /// Destination of its content.
    pub(crate) how: Reading,
}

impl Read {
    fn new(path: &str, how: Reading) -> Self {
        Self { path: path.to_owned(), how }
    }
}

/// The files that a command reads.
pub(crate) fn read_files(call: &Call) -> Vec<Read> {
    let mut read = Vec::new();
    let printed = printed(call);
    let name = known_name(call);
    read.extend(listed(call));
    if is_quiet(name, &[call.args(), call.reads.as_slice()].concat()) {
        read.extend(redirected(call, &Reading::Used));
        read.extend(tables::find(name).into_iter().flat_map(|reader| operands(reader, call, &Reading::Used)));
        return read;
    }
    if let Some(reader) = tables::find(name) {
        let files = operands(reader, call, &printed);
        // Nothing but the standard input is left to read.
        let inherited = call.stdin.file.as_ref().filter(|_| call.has_stdin && files.is_empty());
        read.extend(inherited.map(|path| Read::new(path, printed.clone())));
        read.extend(files);
    }
    let is_kept = (silent::keeps_input(name) && !clients::is_encoder(call))
        || is_shell(name)
        || hides_input(call.args());
    read.extend(redirected(call, if is_kept { &Reading::Used } else { &printed }));
    read.extend(operands::printed(name, call).iter().map(|path| Read::new(path, printed.clone())));
    read.extend(environment::files(name, call, &printed));
    if COPIERS.contains(&name) {
        read.extend(copied(name, call));
    }
    read.extend(git::files(call, &printed));
    read.extend(clients::files(name, call, &printed));
    read.extend(uploads_of(call).iter().map(|path| Read::new(path, Reading::Shown)));
    read.extend(opened_by_code(call).iter().map(|path| Read::new(path, Reading::Shown)));
    read.extend(loaded(name, call));
    read.retain(|read| is_path(&read.path));
    read
}

/// Options of any program whose value is a file of names: the program prints entries that are not names.
const LISTS: &[&str] = &["--files0-from", "--files-from", "--arg-file"];

fn listed(call: &Call) -> Vec<Read> {
    option_values(call.args(), LISTS).iter().map(|path| Read::new(path, Reading::Shown)).collect()
}

/// Options of programs that take a secret from the standard input.
pub(super) fn hides_input(args: &[Arg]) -> bool {
    let is_secret = |word: &str| matches!(word, "secret" | "secrets" | "variable" | "env");
    args.iter().any(|arg| TAKERS.contains(&arg.as_str()))
        || args.first().is_some_and(|arg| is_secret(arg.as_str()))
}

/// Returns the destination of a command's output.
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
        !silent::keeps_operands(name, "")
            && tables::find(name).is_none()
            && (tables::find(short).is_some() || COPIERS.contains(short))
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

/// Returns the files that are copied, with their targets.
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

/// Returns the files that are passed to a program that needs them.
fn loaded(name: &str, call: &Call) -> Vec<Read> {
    let used = |path: &str| Read::new(path, Reading::Used);
    if matches!(name, "." | "source") || is_shell(name) {
        let is_shown = call.is_traced || (is_shell(name) && is_traced(call.args()));
        let how = if is_shown { Reading::Shown } else { Reading::Used };
        let first = call.args().iter().find(|arg| !arg.as_str().starts_with('-'));
        return first.map(|arg| Read::new(arg.as_str(), how)).into_iter().collect();
    }
    let rows = LOADERS.iter().filter(|(names, _)| names.is_empty() || names.contains(&name));
    rows.flat_map(|(_, options)| option_values(call.args(), options)).map(|path| used(&path)).collect()
}

/// Returns true if a word may be a path of this machine.
fn is_path(text: &str) -> bool {
    !text.is_empty() && text != "-" && !text.contains("://")
}
