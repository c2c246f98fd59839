//! Files that a command line touches, with the kind of access, for guards over files.

use std::collections::BTreeSet;

use crate::{
    arg::{Arg, HOME, ONE, SET, STAR, UNKNOWN, all_below, is_mark, some_below},
    budget::Budget,
    call::{Call, Grammar, Options},
    finding::quote,
    policy::{Config, Policy},
    readings,
    rules::{
        Alias, MAX_COPIES, PathEffect, Reading, closes_folders, list_aliases, of_a_person, read_files,
        through_process, volumes, written_files,
    },
    scope::home_of,
    secret::may_be,
    target::matches,
    walk::Walker,
};

/// Maximum size of the paths of one command line, in bytes.
const MAX_PATHS: usize = 1024 * 1024;
/// The longest path that a system opens, in characters. A pattern may be longer than what it matches.
const MAX_PATH: usize = 4096;
/// Maximum number of other names that one command line may give, and of names that one path leads through.
const MAX_ALIASES: usize = 1024;
const MAX_LINKS: usize = 8;
/// Maximum number of files that are found behind other names.
const MAX_LED: usize = 512;
/// The longest path that is shown, in characters.
const MAX_SHOWN: usize = 200;

/// Kind of access that a command has to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Prints or copies the content.
    Read,
    /// Processes the content, and shows none of it.
    Use,
    /// Creates, changes or removes the file.
    Write,
    /// Passes the file to a program whose effect on it is unknown.
    Give,
    /// The path is a program that makes such files, or only its owner and time change.
    Make,
    /// Makes a folder of this name.
    Folder,
    /// Gives the file another name that it can be written under: a link, a mount, a container's volume.
    Alias,
    /// Replaces the path, and everything below it, by the repository's version.
    Restore,
}

/// A file that a command touches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touched {
    /// Its path from the root or from `~`, if that is known. Noncharacters stand for what is not: compare by [`may_be_name`].
    pub path: String,
    /// The path as the command has it, for messages.
    pub shown: String,
    /// Kind of access.
    pub access: Access,
    /// For a read, the files that receive the content in place of being shown; for a write, the files that the content
    /// comes from.
    pub others: Vec<String>,
    /// True if everything below the path is affected, too.
    pub is_whole: bool,
    /// True if the path is a folder that receives files with unseen names: those of an archive, or of a repository.
    pub is_filled: bool,
    /// True if either holds only where no folder has this name yet: a copy, or a link, is put into an existing folder.
    pub is_unless_folder: bool,
}

impl Touched {
    /// Returns true if the path stands for some entries below a folder, which a search found by their content.
    pub fn is_some_below(&self) -> bool {
        let some = some_below("");
        self.path.contains(some.trim_end_matches(STAR).trim_end_matches('/'))
    }
}

/// The files of a command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Each once for each thing that is done with it.
    pub touched: BTreeSet<Touched>,
    /// An operation of hookbox that only the user may start, as the end of a sentence.
    pub of_a_person: Option<String>,
    /// True if the command line was not examined completely: it is too large, or contains this crate's placeholder
    /// characters.
    pub is_cut: bool,
}

/// Returns the files that a command line touches when it runs in a folder for an agent with a workspace. Files that
/// are only known when the line runs are missing. For a text with an error, the result has the files that a shell
/// touches before it reaches the error.
pub fn files(command: &str, folder: &str, workspace: &str) -> Files {
    files_within(command, folder, workspace, &Budget::of_the_host())
}

/// The same for a plugin, whose commands share what they may take.
pub fn files_within(command: &str, folder: &str, workspace: &str, budget: &Budget) -> Files {
    let mut all = Files::default();
    let Ok(policy) = Policy::new(&Config::default()) else { return all };
    if command.contains(is_mark) {
        // What stands for something else here must not be in what is read.
        return Files { is_cut: true, ..all };
    }
    for read in readings(command) {
        let mut collected = Walker::touched(&read, folder, workspace, (&policy, budget));
        all.of_a_person = all.of_a_person.take().or(collected.of_a_person.take());
        all.touched.extend(collected.found());
        all.is_cut |= collected.is_cut;
    }
    all
}

/// Returns true if a component of a path may be this name: it is equal, or a pattern that is meant for it.
pub fn may_be_name(component: &str, name: &str) -> bool {
    may_be(component, name)
}

/// Returns true if a component of a path is a pattern that matches this name as a shell would, whatever the pattern is
/// meant for.
pub fn is_matched(component: &str, name: &str) -> bool {
    is_pattern(component)
        && (component.starts_with('.') || !name.starts_with('.'))
        && matches(component, name)
}

/// A name with the patterns of a tool, as a command's are written here.
pub fn pattern(name: &str) -> String {
    let mark = |c| match c {
        '*' => STAR,
        '?' => ONE,
        '[' => SET,
        other => other,
    };
    name.chars().map(mark).collect()
}

/// Returns true if a component of a path matches this name, whatever the pattern is meant for: `.*` matches `.env`.
pub fn matches_name(component: &str, name: &str) -> bool {
    component == name || (component.starts_with('.') && is_pattern(component) && matches(component, name))
}

/// Returns true if a path or a component has parts that are only known when the command runs.
pub fn is_pattern(text: &str) -> bool {
    text.contains(is_mark)
}

/// Returns true if a component of a path has an unknown part, which may expand to several components.
pub fn is_unknown(component: &str) -> bool {
    // A home folder is where a path begins. Elsewhere it is of a list of a folder, which is told by the folder's path.
    component.contains([UNKNOWN, HOME])
}

/// Extent of an operation on a path; a variant with `IfNew` applies only where no folder has the path yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Itself,
    /// With all below it.
    Whole,
    WholeIfNew,
    /// The path is filled with entries whose names are unseen.
    Filled,
    FilledIfNew,
}

/// The files that were found so far.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    touched: BTreeSet<Touched>,
    bytes: usize,
    aliases: Vec<Alias>,
    of_a_person: Option<String>,
    pub(crate) is_cut: bool,
}

impl Collected {
    /// Adds the files of a command. With `is_kept`, its output is not shown.
    pub(crate) fn add(&mut self, call: &Call, is_kept: bool) {
        if !call.is_guessed {
            self.add_person(call);
        }
        self.add_named(call, is_kept);
        if let Some(meant) = through_process(call) {
            self.add_named(&meant, is_kept);
        }
    }

    /// Looks only for an operation of hookbox that only the user may start.
    pub(crate) fn add_person(&mut self, call: &Call) {
        if self.of_a_person.is_none() {
            self.of_a_person = of_a_person(call);
        }
    }

    fn add_named(&mut self, call: &Call, is_kept: bool) {
        let read = read_files(call);
        for file in &read {
            let (access, others) = match &file.how {
                // A shell that prints what it does prints what its variables become.
                Reading::Shown if is_kept && !call.is_traced => (Access::Use, Vec::new()),
                Reading::Shown => (Access::Read, Vec::new()),
                Reading::Copied(into) => (Access::Read, into.iter().map(|path| full(path, call)).collect()),
                Reading::Used => (Access::Use, Vec::new()),
            };
            self.push(&file.path, access, others, Extent::Itself, call);
            if self.is_cut {
                return;
            }
        }
        let closes = closes_folders(call);
        for file in written_files(call) {
            let sources = read.iter().take(MAX_COPIES).filter(|read| goes_into(&read.how, &file.path));
            let others = sources.map(|read| full(&read.path, call)).collect();
            let access = match file.how {
                PathEffect::Given => Access::Give,
                PathEffect::Restored => Access::Restore,
                _ if makes(call) => Access::Make,
                _ => Access::Write,
            };
            let extent = match file.how {
                PathEffect::Filled if file.unless_folder => Extent::FilledIfNew,
                PathEffect::Filled => Extent::Filled,
                PathEffect::Whole if file.unless_folder => Extent::WholeIfNew,
                _ if file.how == PathEffect::Whole || file.path.ends_with(&all_below("")) => Extent::Whole,
                // A list or a pattern is mostly of files.
                _ if closes && !file.path.contains([STAR, ONE, SET, UNKNOWN]) => Extent::Whole,
                _ => Extent::Itself,
            };
            self.push(&file.path, access, others, extent, call);
            if self.is_cut {
                return;
            }
        }
        for folder in made_folders(call) {
            self.push(folder.as_str(), Access::Folder, Vec::new(), Extent::Itself, call);
        }
        for alias in list_aliases(call) {
            self.push(&alias.target, Access::Alias, Vec::new(), Extent::Itself, call);
            if self.aliases.len() < MAX_ALIASES {
                let (name, target) = (full(&alias.name, call), full(&alias.target, call));
                self.aliases.push(Alias { name: plain(&name), target });
            }
        }
        for volume in volumes(call) {
            self.push(&volume.target, Access::Alias, Vec::new(), Extent::Itself, call);
        }
    }

    /// Adds a container's accesses to folders of this machine, which have other names in the container.
    pub(crate) fn add_inside(&mut self, call: &Call, volumes: &[Alias]) {
        let mut inside = Self::default();
        inside.add_named(call, true);
        self.is_cut |= inside.is_cut;
        self.touched.extend(inside.touched.iter().flat_map(|touched| led(touched, volumes)));
    }

    /// The files, those by other names under their own, too.
    pub(crate) fn found(&mut self) -> BTreeSet<Touched> {
        let mut all = std::mem::take(&mut self.touched);
        let mut new: Vec<Touched> = all.iter().flat_map(|touched| led(touched, &self.aliases)).collect();
        let most = all.len() + MAX_LED;
        for _ in 0..MAX_LINKS {
            new.retain(|touched| all.len() < most && all.insert(touched.clone()));
            new = new.iter().flat_map(|touched| led(touched, &self.aliases)).collect();
        }
        self.is_cut |= all.len() >= most || self.aliases.len() >= MAX_ALIASES;
        all
    }

    fn push(&mut self, path: &str, access: Access, others: Vec<String>, extent: Extent, call: &Call) {
        if path.len() > MAX_PATH && path.chars().count() > MAX_PATH {
            self.is_cut |= is_pattern(path);
            return;
        }
        // Where all is meant that is below, it need not be said of each.
        let path = path
            .strip_suffix(STAR)
            .filter(|_| path.ends_with(&all_below("")))
            .map_or(path, |all| all.trim_end_matches('/'));
        let touched = Touched {
            path: full(path, call),
            shown: quote(path, MAX_SHOWN),
            access,
            others,
            is_whole: matches!(extent, Extent::Whole | Extent::WholeIfNew),
            is_filled: matches!(extent, Extent::Filled | Extent::FilledIfNew),
            is_unless_folder: matches!(extent, Extent::WholeIfNew | Extent::FilledIfNew),
        };
        self.bytes += touched.path.len() + touched.others.iter().map(String::len).sum::<usize>();
        self.is_cut |= self.bytes > MAX_PATHS;
        if !self.is_cut {
            self.touched.insert(touched);
        }
    }
}

/// Returns the accesses at the targets of other names. A name that is made or removed alone is not followed.
fn led(touched: &Touched, aliases: &[Alias]) -> Vec<Touched> {
    let path = plain(&touched.path);
    let lead = |alias: &Alias| {
        let rest = match alias.name.as_str() {
            "/" => path.get(1..).filter(|_| path.starts_with('/'))?,
            name => path.strip_prefix(name)?,
        };
        let is_below = alias.name == "/" || rest.is_empty() || rest.starts_with('/');
        let is_linked = || touched.others.iter().any(|other| plain(other) == plain(&alias.target));
        let is_name_alone = rest.is_empty() && (touched.is_whole || is_linked());
        let path = format!("{}/{}", alias.target.trim_end_matches('/'), rest.trim_start_matches('/'));
        let path = if rest.is_empty() { alias.target.clone() } else { path };
        (is_below && !is_name_alone && path.len() <= MAX_PATH).then(|| Touched { path, ..touched.clone() })
    };
    aliases.iter().filter_map(lead).collect()
}

/// Other names with what they lead to by its whole path.
pub(crate) fn full_aliases(aliases: &[Alias], call: &Call) -> Vec<Alias> {
    let full = |alias: &Alias| Alias { name: plain(&alias.name), target: full(&alias.target, call) };
    aliases.iter().map(full).collect()
}

/// A path without `.`, `..` and double slashes.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Returns true if the content that is read ends up in this file.
fn goes_into(how: &Reading, path: &str) -> bool {
    let Reading::Copied(into) = how else { return false };
    // A copy may lie in its target under its own name.
    let is_copy = |copy: &String| {
        let rest = path.trim_start_matches("./").strip_prefix(copy.trim_start_matches("./"));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    into.iter().any(is_copy)
}

/// Programs that make keys and certificates, and those that leave what is in a file as it is.
const MAKERS: &[&str] = &[
    "age-keygen",
    "certtool",
    "cfssl",
    "cfssljson",
    "chattr",
    "chgrp",
    "chmod",
    "chown",
    "easyrsa",
    "keytool",
    "mkcert",
    "openssl",
    "puttygen",
    "setfacl",
    "ssh-keygen",
    "ssh-keyscan",
    "step",
    "touch",
    "wg",
];

fn made_folders(call: &Call) -> Vec<Arg> {
    if !call.is(&["mkdir", "gmkdir"]) {
        return Vec::new();
    }
    Options::parse(call.args(), Grammar { short: "m", long: &["mode"], anywhere: true }).operands
}

fn makes(call: &Call) -> bool {
    call.is(MAKERS)
}

/// Returns a path from the root, or from an unknown home folder.
fn full(path: &str, call: &Call) -> String {
    let path = match &call.cwd {
        Some(cwd) if !path.starts_with(['/', HOME, UNKNOWN]) => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    };
    match path.strip_prefix(HOME) {
        Some(below) => {
            let home = call.workspace.as_deref().and_then(home_of);
            format!("{}{below}", home.as_deref().unwrap_or("~"))
        }
        None => path,
    }
}
