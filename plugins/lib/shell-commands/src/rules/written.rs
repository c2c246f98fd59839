//! Files that a command creates, changes or removes, where its arguments name them.

mod archives;
mod copies;
mod databases;
mod git;
mod here;
mod in_place;
mod locked;
mod looking;
mod other;
mod outputs;
mod scripts;
mod tables;

pub(crate) use self::{archives::printed_members, in_place::is_in_place};
use self::{
    looking::{is_viewer, only_looks, rewrites},
    tables::{ALL, LAST, NAMED},
};
use super::read::given;
use crate::{
    call::{Call, Grammar, Options},
    output::Download,
    wrapper::{is_editor, written_by_code},
};

/// Effect on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathEffect {
    /// The path alone is written, or changed in another way.
    Itself,
    /// The path is removed or replaced, with everything below it.
    Whole,
    /// The folder is filled with entries whose names are unseen.
    Filled,
    /// The path becomes the repository's version, which is unseen.
    Restored,
    /// The path is passed to a program whose effect on it is unknown.
    Given,
}

/// A file that a command writes.
pub(crate) struct Written {
    /// Its path.
    pub(crate) path: String,
    /// Effect on the path.
    pub(crate) how: PathEffect,
    /// True if the effect is limited to paths that are not an existing folder.
    pub(crate) unless_folder: bool,
}

impl Written {
    fn new(path: &str, how: PathEffect) -> Self {
        Self { path: path.to_owned(), how, unless_folder: false }
    }
}

/// The files that a command writes.
pub(crate) fn written_files(call: &Call) -> Vec<Written> {
    let name = call.name();
    let name = name.strip_prefix('g').filter(|short| is_known(short)).unwrap_or(name);
    let mut written: Vec<Written> = call.writes.iter().map(|arg| file(arg.as_str())).collect();
    if let Some((_, short, long, before)) = ALL.iter().find(|(known, ..)| *known == name) {
        let options = Options::parse(call.args(), Grammar { short, long, anywhere: true });
        let whole = name != "touch" && (options.has_letter("rR") || options.has_long("--recursive"));
        let how = if whole { PathEffect::Whole } else { PathEffect::Itself };
        let paths =
            options.operands.iter().skip(*before).filter(|_| !(is_editor(name) && is_viewer(&options)));
        written.extend(paths.map(|arg| Written::new(arg.as_str(), how)));
    }
    if let Some((_, short, long)) = LAST.iter().find(|(known, ..)| *known == name) {
        let options = Options::parse(call.args(), Grammar { short, long, anywhere: true });
        copies::copied(name, &options, call, &mut written);
    }
    if let Some((_, names)) = NAMED.iter().find(|(known, _)| *known == name) {
        named(names, call, &mut written);
    }
    written.extend(in_place::files(name, call));
    written.extend(other::files(name, call));
    written.extend(locked::programs(name, call));
    written.extend(downloaded(call));
    written.extend(outputs::files(name, call));
    written.extend(databases::files(name, call).iter().map(|path| file(path)));
    written.extend(here::is_written(name, call).then(|| file(".")));
    written.extend(scripts::files(name, call).iter().map(|path| file(path)));
    written.extend(written_by_code(call).into_iter().map(|path| file(&path)));
    if !is_listed(name) && !only_looks(name, call) {
        let how = if rewrites(name, call) { PathEffect::Itself } else { PathEffect::Given };
        written.extend(given(call.name(), call).iter().map(|path| Written::new(path, how)));
    }
    written
}

/// Returns the files of a download, with names from the address.
fn downloaded(call: &Call) -> Vec<Written> {
    let Some(download) = Download::of(call) else { return Vec::new() };
    let mut written: Vec<Written> =
        download.files.iter().map(|name| file(&format!("{}/{name}", download.folder))).collect();
    if download.is_open {
        written.push(Written::new(&download.folder, PathEffect::Filled));
    }
    written
}

/// Returns true if a table here lists the words that a program writes to.
fn is_listed(name: &str) -> bool {
    is_known(name)
        || NAMED.iter().any(|(known, _)| *known == name)
        || in_place::is_listed(name)
        || outputs::is_placed(name)
}

fn is_known(name: &str) -> bool {
    ALL.iter().any(|(known, ..)| *known == name) || LAST.iter().any(|(known, ..)| *known == name)
}

fn file(path: &str) -> Written {
    Written::new(path, PathEffect::Itself)
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
