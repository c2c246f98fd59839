//! State of a shell while it runs: variables, functions, files it has just written.

mod elements;
mod folders;
mod shared;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use brush_parser::ast::FunctionBody;

pub(crate) use shared::Shared;

use crate::arg::{Arg, HOME, Stream, is_mark, is_network};

/// Maximum number of values of a variable that depends on branches.
const MAX_VALUES: usize = 32;
/// Maximum number of references that are followed.
const MAX_REFERENCES: usize = 8;

/// The state of one shell process, where the command line determines it.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Scope {
    /// Variables by name. An array is one value, its elements joined.
    pub(crate) variables: Shared<BTreeMap<String, Arg>>,
    /// Values of variables that differ between branches. Each of these variables is unknown in `variables`.
    pub(crate) alternatives: Shared<BTreeMap<String, Vec<Arg>>>,
    /// Variables that are other names of one: `declare -n`.
    pub(crate) references: Shared<BTreeMap<String, String>>,
    /// Functions by name.
    pub(crate) functions: Shared<BTreeMap<String, Rc<FunctionBody>>>,
    /// Aliases by name.
    pub(crate) aliases: Shared<BTreeMap<String, String>>,
    /// Files that the command line has written, by the name that it used.
    pub(crate) files: Shared<BTreeMap<String, Stream>>,
    /// `$1` and so on; `None` if they are not known.
    pub(crate) positional: Option<Vec<Arg>>,
    /// `$0`.
    pub(crate) zero: Option<Arg>,
    /// The working folder, absolute.
    pub(crate) cwd: Option<String>,
    /// The one before: what `cd -` goes back to.
    pub(crate) old_cwd: Option<String>,
    /// Folders that `popd` returns to.
    pub(crate) folders: Vec<Option<String>>,
    /// True if a `cd` on the way there may have failed.
    pub(crate) strayed: bool,
    /// The descriptors that are connected to the network.
    pub(crate) sockets: Shared<BTreeSet<i32>>,
    /// Input of the descriptors above 2.
    pub(crate) inputs: Shared<BTreeMap<i32, Stream>>,
    /// The functions that are being called.
    pub(crate) running: Vec<String>,
    /// True if a command that fails ends the script: `set -e`.
    pub(crate) ends_at_failure: bool,
    /// True if the shell prints the commands that it runs: `set -x`, `set -v`.
    pub(crate) is_traced: bool,
    /// The secret file whose values have become variables, with unknown names.
    pub(crate) loaded: Option<String>,
    /// True if a variable without a value ends the script: `set -u`.
    pub(crate) ends_at_unset: bool,
    /// True if `*` matches names with a dot in front: `shopt -s dotglob`.
    pub(crate) matches_dots: bool,
    /// Known elements of arrays, by `name[index]`.
    pub(crate) elements: Shared<BTreeMap<String, Arg>>,
}

impl Scope {
    /// A shell that an agent starts in this folder.
    pub(crate) fn new(cwd: &str) -> Self {
        let mut scope = Self { positional: Some(Vec::new()), cwd: absolute(cwd), ..Self::default() };
        scope.set("HOME", Arg::new(HOME));
        scope.set("IFS", Arg::new(" \t\n"));
        scope
    }

    /// Gives a variable a value.
    pub(crate) fn set(&mut self, name: &str, value: Arg) {
        // An element stands for its array.
        let name = name.split('[').next().unwrap_or_default();
        let name = self.meant(name).to_owned();
        if self.alternatives.contains_key(&name) {
            self.alternatives.remove(&name);
        }
        self.variables.insert(name, value);
    }

    /// The values that a variable may have; none if it comes from outside.
    fn values(&self, name: &str) -> Vec<Arg> {
        match self.alternatives.get(name) {
            Some(values) => values.clone(),
            None => self.variables.get(name).cloned().into_iter().collect(),
        }
    }

    /// Makes a name refer to another variable; returns false if the variable cannot be determined.
    pub(crate) fn refer(&mut self, name: &str, target: &str) -> bool {
        let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let known = is_name(name) && is_name(target) && self.meant(target) != name;
        if known {
            self.references.insert(name.to_owned(), target.to_owned());
        }
        known
    }

    /// The variable that a name means.
    pub(crate) fn meant<'a>(&'a self, name: &'a str) -> &'a str {
        let mut name = name;
        for _ in 0..MAX_REFERENCES {
            match self.references.get(name) {
                Some(target) => name = target,
                None => break,
            }
        }
        name
    }

    /// Returns a variable's value; `None` if it comes from outside.
    pub(crate) fn get(&self, name: &str) -> Option<Arg> {
        match self.meant(name) {
            // Whoever sets it has that, until the next change of the folder.
            "PWD" => self.variables.get("PWD").cloned().or_else(|| self.cwd.as_deref().map(Arg::new)),
            "OLDPWD" if self.old_cwd.is_some() => self.old_cwd.as_deref().map(Arg::new),
            // Where it is not told otherwise, git has no other.
            "GIT_DIR" if !self.variables.contains_key("GIT_DIR") => Some(Arg::new(".git")),
            name => self.variables.get(name).cloned(),
        }
    }

    /// A name that means one variable here and another one there means nothing that is known.
    fn merge_references(&mut self, other: &Self) {
        if self.references.is_same(&other.references) {
            return;
        }
        let both = self.references.iter().chain(other.references.iter());
        let differs = |name: &String| self.references.get(name) != other.references.get(name);
        let doubtful = both.filter(|(name, _)| differs(name));
        let doubtful: Vec<(String, String)> =
            doubtful.map(|(name, target)| (name.clone(), target.clone())).collect();
        for (name, target) in doubtful {
            self.references.remove(&name);
            self.set(&name, Arg::unknown());
            self.set(&target, Arg::unknown());
        }
    }

    /// Keeps only what holds whether or not the other state came about.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.merge_references(other);
        self.merge_variables(other);
        self.adopt(other);
        if self.cwd != other.cwd {
            self.cwd = None;
        }
        if self.old_cwd != other.old_cwd {
            self.old_cwd = None;
        }
        if self.folders != other.folders {
            self.folders.clear();
        }
        if !self.elements.is_same(&other.elements) {
            self.elements.retain(|name, value| other.elements.get(name) == Some(value));
        }
        self.matches_dots |= other.matches_dots;
        self.strayed |= other.strayed;
        self.is_traced |= other.is_traced;
        if self.loaded.is_none() {
            self.loaded.clone_from(&other.loaded);
        }
        self.ends_at_failure &= other.ends_at_failure;
        self.ends_at_unset &= other.ends_at_unset;
        if self.positional != other.positional {
            self.positional = None;
        }
    }

    fn merge_variables(&mut self, other: &Self) {
        if self.variables.is_same(&other.variables) && self.alternatives.is_same(&other.alternatives) {
            return;
        }
        for (name, value) in other.variables.iter() {
            let same = self.variables.get(name) == Some(value);
            if same && self.alternatives.get(name) == other.alternatives.get(name) {
                continue;
            }
            let mut values = self.values(name);
            for other in other.values(name) {
                if !values.contains(&other) {
                    values.push(other);
                }
            }
            self.set_values(name, values);
        }
    }

    /// Gives a variable one of several values.
    fn set_values(&mut self, name: &str, mut values: Vec<Arg>) {
        let mut either = Arg::unknown();
        for value in &values {
            either.origin.join(&value.origin);
        }
        if values.len() > MAX_VALUES {
            // What lies outside the working folder, or is a pattern, matters most.
            values.sort_by_key(|value| !value.text.starts_with(|c: char| c == '/' || c == '.' || is_mark(c)));
            values.truncate(MAX_VALUES);
        }
        match <[Arg; 1]>::try_from(values) {
            Ok([value]) => {
                self.alternatives.remove(name);
                self.variables.insert(name.to_owned(), value);
            }
            Err(values) => {
                self.variables.insert(name.to_owned(), either);
                self.alternatives.insert(name.to_owned(), values);
            }
        }
    }

    /// Takes over what a child process leaves behind, and definitions that may have been made.
    pub(crate) fn adopt(&mut self, other: &Self) {
        if !self.files.is_same(&other.files) {
            let files = other.files.iter().map(|(path, stream)| (path.clone(), stream.clone()));
            self.files.extend(files);
        }
        if !self.functions.is_same(&other.functions) {
            for (name, body) in other.functions.iter() {
                self.functions.entry(name.clone()).or_insert_with(|| Rc::clone(body));
            }
        }
        if !self.aliases.is_same(&other.aliases) {
            for (name, text) in other.aliases.iter() {
                self.aliases.entry(name.clone()).or_insert_with(|| text.clone());
            }
        }
    }

    /// Returns true if two states differ in a way that a second round of a loop could see.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        (!self.variables.is_same(&other.variables) && self.variables != other.variables)
            || (!self.alternatives.is_same(&other.alternatives) && self.alternatives != other.alternatives)
            || self.cwd != other.cwd
            || self.loaded != other.loaded
            || self.files.len() != other.files.len()
    }

    /// Remembers what descriptors are connected to.
    pub(crate) fn open(&mut self, descriptors: &[i32], target: &Arg) {
        if is_network(target.as_str()) {
            self.sockets.extend(descriptors);
        }
    }

    /// Remembers what a file contains now, under the name given and under its full one.
    pub(crate) fn write_file(&mut self, path: &str, content: &Stream, append: bool) {
        let full = full_name(self.cwd.as_deref(), path);
        self.write_name(short_name(path), content, append);
        if let Some(full) = full.filter(|full| full != path) {
            self.write_name(full, content, append);
        }
    }

    fn write_name(&mut self, path: String, content: &Stream, append: bool) {
        match self.files.get_mut(&path) {
            Some(old) if append => old.append(content),
            _ => {
                let content =
                    if append { Stream::from_origin(content.origin.clone()) } else { content.clone() };
                self.files.insert(path, content);
            }
        }
    }

    /// Returns the content of a file, if the command line wrote it.
    pub(crate) fn file(&self, path: &str) -> Option<&Stream> {
        let full = || self.files.get(&full_name(self.cwd.as_deref(), path)?);
        self.files.get(&short_name(path)).or_else(full)
    }

    /// A secret file whose content a variable has.
    pub(crate) fn held(&self) -> Option<String> {
        self.variables.values().find_map(|value| value.origin.secret.clone())
    }

    /// The files that were made from secret ones, and those.
    pub(crate) fn copies(&self) -> Vec<(String, String)> {
        let secret = |stream: &Stream| stream.origin.secret.clone();
        self.files.iter().filter_map(|(path, stream)| Some((path.clone(), secret(stream)?))).collect()
    }
}

/// Returns a folder if its path is absolute; that of `/` is empty.
pub(crate) fn absolute(folder: &str) -> Option<String> {
    folder.starts_with('/').then(|| folder.trim_end_matches('/').to_owned())
}

/// The home folder that a path is in: the sandbox does not know whose hook it runs.
pub(crate) fn home_of(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('/').skip(1).take(2).collect();
    match parts.as_slice() {
        ["root", ..] => Some("/root".to_owned()),
        [top @ ("home" | "Users"), user] => Some(format!("/{top}/{user}")),
        _ => None,
    }
}

/// A path as the command line would write it again.
pub(crate) fn short_name(path: &str) -> String {
    path.trim_start_matches("./").to_owned()
}

/// The one name of a file, if the folder that its path begins in is known.
pub(crate) fn full_name(cwd: Option<&str>, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some(lexical(path));
    }
    cwd.map(|cwd| lexical(&format!("{cwd}/{path}")))
}

/// A path without `.`, `..` and double slashes.
fn lexical(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}
