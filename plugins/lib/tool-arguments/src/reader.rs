//! Goes through arguments, value by value.

use serde_json::{Map, Value};

use crate::{Found, asked, command, embedded, folder, name, patch, path, typed};

/// Names of members that contain other arguments.
const WRAPPERS: &[&str] =
    &["args", "arguments", "config", "input", "options", "params", "request", "settings"];
/// Argument names for a language server's operation.
const OPERATIONS: &[&str] = &["action", "method", "operation"];
/// Words in the name of a tool whose text is a patch, whatever that text is called.
const PATCHING: &[&str] = &["apply", "diff", "patch"];
/// Longest text that is read as a name below a folder, bytes.
const MAX_NAME: usize = 4096;

/// Bounds of the reader.
pub(crate) struct Bounds {
    /// Maximum depth of values in lists, objects and texts of each other.
    depth: usize,
    /// Maximum number of values, numbers and flags aside.
    values: usize,
    /// How many folders a command may run in, and one name may be below.
    folders: usize,
    /// How many names are put below folders.
    joined: usize,
    /// How many files a patch may name.
    patched: usize,
    /// How many files all arguments may name.
    paths: usize,
}

impl Bounds {
    /// Most work that a plugin has fuel for.
    pub(crate) const PLUGIN: Self =
        Self { depth: 16, values: 1 << 16, folders: 16, joined: 4096, patched: 1024, paths: 4096 };
    /// As deep and as long as an event may be, and more files than a model names in one turn.
    pub(crate) const HOST: Self = Self {
        depth: 128,
        values: usize::MAX,
        folders: 256,
        joined: 1 << 16,
        patched: 1 << 16,
        paths: usize::MAX,
    };
}

pub(crate) struct Reader<'a> {
    tool: &'a str,
    bounds: Bounds,
    found: Found,
    values: usize,
    joined: usize,
    /// The files of patches that may be no more than texts.
    patched: Vec<String>,
}

/// Position of a value.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// The name of the argument, folded.
    key: &'a str,
    depth: usize,
    /// Folders that it may be below.
    bases: &'a [String],
    /// True if a text is typed into a terminal.
    is_typed: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(tool: &'a str, bounds: Bounds) -> Self {
        Self { tool, bounds, found: Found::default(), values: 0, joined: 0, patched: Vec::new() }
    }

    pub(crate) fn read(mut self, input: &str) -> Found {
        let is_typed = typed::is_terminal(self.tool);
        match serde_json::from_str(input) {
            Ok(value) => self.value(&value, Place { key: "", depth: 0, bases: &[], is_typed }),
            Err(_) => self.found.is_cut = !input.trim().is_empty(),
        }
        self.take_patches();
        self.bound_folders();
        self.found.is_cut |= self.found.paths.len() + self.found.maybe_paths.len() > self.bounds.paths;
        join_folders(&mut self.found.paths);
        self.found
    }

    fn value(&mut self, value: &Value, at: Place) {
        if !matches!(value, Value::String(_) | Value::Array(_) | Value::Object(_)) {
            return;
        }
        self.values += 1;
        self.found.is_cut |= self.values > self.bounds.values || at.depth > self.bounds.depth;
        if self.found.is_cut {
            return;
        }
        match value {
            Value::String(text) => self.text(text, at),
            Value::Array(items) => self.list(items, at),
            Value::Object(members) => self.object(members, at),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn list(&mut self, items: &[Value], at: Place) {
        self.found.commands.extend(command::of_words(at.key, items));
        let names: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
        // The names of one path.
        if let Some(names) =
            names.filter(|names| names.len() > 1 && ["parts", "path", "segments"].contains(&at.key))
        {
            self.name(&names.join("/"), at.bases);
        }
        for item in items {
            self.value(item, Place { depth: at.depth + 1, ..at });
        }
    }

    fn object(&mut self, members: &Map<String, Value>, at: Place) {
        self.found.commands.extend(command::of_program(members));
        let bases = self.bases(members, at.bases);
        let is_typed = at.is_typed || members.keys().any(|member| typed::is_terminal(member));
        for (member, value) in members {
            self.found.paths.extend(path::of_member(at.key, member));
            let has_effect = embedded::is_effect(&name::words(member), value);
            self.found.has_more |= has_effect || !asked::is_asking(member, value);
            if path::is_named(at.key) {
                self.below(member, &bases);
            }
            let key = name::folded(member);
            self.value(value, Place { key: &key, depth: at.depth + 1, bases: &bases, is_typed });
        }
    }

    /// Returns the folders that members may be below: those of outer objects, and their siblings.
    fn bases(&mut self, members: &Map<String, Value>, outer: &[String]) -> Vec<String> {
        let wrapped = members.iter().filter(|(member, _)| WRAPPERS.contains(&name::folded(member).as_str()));
        let wrapped = wrapped.filter_map(|(_, value)| value.as_object()).flatten();
        let named = members.iter().chain(wrapped).filter_map(|(member, value)| {
            let is_path =
                |text: &&str| (1..=path::MAX_PATH).contains(&text.len()) && !text.contains(char::is_control);
            let text = value.as_str().filter(is_path)?;
            folder::is_base(&name::folded(member))
                .then(|| path::of_url(text).unwrap_or_else(|| text.to_owned()))
        });
        let mut bases: Vec<String> = outer.iter().cloned().chain(named).collect();
        bases.sort();
        bases.dedup();
        self.found.is_cut |= bases.len() > self.bounds.folders;
        bases.truncate(self.bounds.folders);
        bases
    }

    /// Reads a text, which may be JSON, because agents pass arguments on as text.
    fn text(&mut self, text: &str, at: Place) {
        let key = at.key;
        // What is written into a file may be JSON, too.
        if !path::is_text(key) {
            self.json(text, at);
        }
        self.found.commands.extend(command::of_text(key, text));
        if at.is_typed && typed::is_text(key) {
            self.found.commands.extend(command::of_keys(text));
        }
        let short = path::shortened(key, text);
        let name = short.as_deref().unwrap_or(text);
        let path = path::of_text(key, name);
        self.found.has_path |= path.is_some();
        self.found.has_address |= path::is_address(text);
        self.found.paths.extend(path);
        self.found.has_more |= embedded::is_write_mode(key, text) || embedded::opens_for_writing(text);
        self.found.embedded_paths.extend(embedded::files(key, text));
        self.found.is_cut |= self.found.embedded_paths.len() > embedded::MAX_FILES;
        self.found.embedded_paths.truncate(embedded::MAX_FILES);
        self.patch(key, text);
        if folder::is_name(key) || path::is_named(key) {
            self.name(name, at.bases);
        }
        self.record_named(key, text);
    }

    fn json(&mut self, text: &str, at: Place) {
        if !text.trim_start().starts_with(['[', '{']) {
            return;
        }
        match serde_json::from_str(text) {
            Ok(value @ (Value::Array(_) | Value::Object(_))) => {
                self.value(&value, Place { depth: at.depth + 1, ..at });
            }
            Ok(_) => {}
            // Another reader may go deeper.
            Err(error) => self.found.is_cut |= error.to_string().starts_with("recursion limit"),
        }
    }

    /// Records the meaning of arguments with certain names.
    fn record_named(&mut self, key: &str, text: &str) {
        let found = &mut self.found;
        if key == "toolname" {
            found.tool = Some(text.to_owned());
        }
        found.has_effect |= OPERATIONS.contains(&key) && !name::only_looks(text);
        if folder::is_run_in(key) {
            found.run_in.push(text.to_owned());
        } else if folder::may_be_run_in(key) {
            found.may_run_in.push(text.to_owned());
        }
    }

    /// Limits the folders, because a command is judged in each folder that it may run in. Without a command, any
    /// number is kept.
    fn bound_folders(&mut self) {
        let found = &mut self.found;
        let runs = found.commands.iter().any(|command| command.is_certain);
        for folders in [&mut found.run_in, &mut found.may_run_in] {
            folders.sort();
            folders.dedup();
            found.is_cut |= runs && folders.len() > self.bounds.folders;
            folders.truncate(self.bounds.folders);
        }
    }

    fn patch(&mut self, key: &str, text: &str) {
        let files = patch::files(text, self.bounds.patched);
        self.found.is_cut |= files.len() > self.bounds.patched && !path::is_text(key);
        if path::is_text(key) { self.patched.extend(files) } else { self.found.paths.extend(files) }
    }

    /// A text that stands for a file may be a patch, if nothing else says what is changed or the tool is for that.
    fn take_patches(&mut self) {
        let is_for_patches = name::words(self.tool).iter().any(|word| PATCHING.contains(&word.as_str()));
        if is_for_patches || self.found.paths.is_empty() {
            self.found.is_cut |= self.patched.len() > self.bounds.patched;
            self.found.maybe_paths.append(&mut self.patched);
        }
    }

    /// Records a text that may be a name in a folder, or a pattern.
    fn name(&mut self, text: &str, bases: &[String]) {
        if folder::is_rooted(text) && text.len() < MAX_NAME && !text.contains(char::is_control) {
            self.found.maybe_paths.push(text.to_owned());
        }
        self.below(text, bases);
    }

    fn below(&mut self, text: &str, bases: &[String]) {
        if !folder::is_below(text) {
            return;
        }
        for base in bases.iter().filter(|base| *base != text) {
            self.joined += 1;
            self.found.is_cut |= self.joined > self.bounds.joined;
            if !self.found.is_cut {
                self.found.maybe_paths.push(format!("{base}/{text}"));
            }
        }
    }
}

/// Joins folders and relative paths: a call may name a file by both.
fn join_folders(paths: &mut Vec<String>) {
    let folders: Vec<String> = paths.iter().filter(|path| !path.is_empty()).take(8).cloned().collect();
    let below = |folder: &String| {
        let paths = paths.iter().filter(|path| *path != folder && !path.starts_with(['/', '~'])).take(64);
        paths.map(|path| format!("{folder}/{path}")).collect::<Vec<_>>()
    };
    let joined: Vec<String> = folders.iter().flat_map(below).collect();
    paths.extend(joined);
}
