//! Files that a `find` expression selects: something in particular, or everything.

use crate::arg::{Arg, BELOW, ONE, SET, STAR};

/// Words of an expression that do not narrow down what is found.
const NEUTRAL: &[&str] = &[
    "-a",
    "-and",
    "-d",
    "-depth",
    "-follow",
    "-ls",
    "-maxdepth",
    "-mindepth",
    "-mount",
    "-noleaf",
    "-print",
    "-print0",
    "-prune",
    "-true",
    "-type",
    "-xdev",
];
/// Tests of a name, which may be a pattern that every name matches.
const NAMES: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename"];

/// An expression, read from left to right up to its actions.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Selection {
    /// True if the part of this alternative read so far selects something in particular.
    narrow: bool,
    /// True if any test selected something in particular.
    ever: bool,
    /// True if each action so far had such a test before it; `None` without an action.
    actions: Option<bool>,
    /// Number of open parentheses.
    depth: usize,
    /// The depth at which a negation began, and whether its operand is still to come.
    negated: Option<(usize, bool)>,
    /// True if the search finds nothing deeper than directly in its start folder.
    flat: bool,
    /// True if the search only finds files.
    files: bool,
    /// Names and paths that this alternative requires, below the start folder.
    here: Vec<String>,
    /// Names and paths that all alternatives with an action require; an alternative without a requirement matches any
    /// name.
    hits: Vec<String>,
}

impl Selection {
    /// Returns true if only something in particular is found, or acted on.
    pub(super) fn is_narrow(&self) -> bool {
        self.actions.unwrap_or(self.ever)
    }

    /// Returns true if only entries directly in the start folder are found, and not the folder itself.
    pub(super) fn is_flat(&self) -> bool {
        self.flat && (self.files || self.is_narrow())
    }

    /// Returns true if only files are found.
    pub(super) fn is_of_files(&self) -> bool {
        self.files
    }

    /// An action: what was read before it decides.
    pub(super) fn act(&mut self) {
        self.take();
        self.negated = None;
        self.actions = Some(self.actions.unwrap_or(true) && self.narrow);
    }

    /// Returns the hits below the start folder, as paths with patterns.
    pub(super) fn hits(mut self) -> Vec<String> {
        if self.hits.is_empty() {
            self.take();
        }
        self.hits
    }

    fn take(&mut self) {
        if self.here.is_empty() {
            self.hits.push(BELOW.to_string());
        }
        self.hits.extend(self.here.iter().cloned());
    }

    /// Reads a word that is not an action, and the one behind it.
    pub(super) fn read(&mut self, word: &str, value: Option<&Arg>) {
        let value_is = |text: &str| value.is_some_and(|value| value.as_str() == text);
        self.flat |= word == "-maxdepth" && value_is("1");
        self.files |= word == "-type" && value_is("f") && self.negated.is_none();
        match word {
            "!" | "-not" => self.negated = self.negated.or(Some((self.depth, true))),
            "(" => self.open(),
            ")" => self.close(),
            "-o" | "-or" | "," if self.depth == 0 => {
                self.narrow = false;
                self.here.clear();
            }
            "-print" | "-print0" | "-printf" | "-ls" => self.take(),
            "-o" | "-or" | "," => {}
            word if word.len() > 1 && word.starts_with('-') => self.test(word, value),
            _ => {}
        }
    }

    fn open(&mut self) {
        self.negated = self.negated.map(|(depth, _)| (depth, false));
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.negated = self.negated.filter(|(depth, _)| *depth < self.depth);
    }

    /// Reads a test. A negated test does not narrow the search, because it matches nearly everything.
    fn test(&mut self, word: &str, value: Option<&Arg>) {
        let everything = |arg: &Arg| arg.as_str().chars().all(|c| matches!(c, STAR | '*'));
        let neutral = NEUTRAL.contains(&word)
            || word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
            || (NAMES.contains(&word) && value.is_some_and(everything));
        // Links, sockets and their like are not what is in a folder.
        let special =
            word == "-type" && value.is_some_and(|kind| matches!(kind.as_str(), "l" | "s" | "p" | "b" | "c"));
        let neutral = neutral && !special;
        let narrows = !neutral && self.negated.is_none();
        if let Some(hit) = value.filter(|_| narrows).and_then(|value| named(word, value.as_str())) {
            self.here.push(hit);
        }
        self.narrow |= narrows;
        self.ever |= narrows;
        self.negated = self.negated.filter(|(_, pending)| !pending);
    }
}

/// Returns the paths that a test of a name or path accepts, below the start folder.
fn named(test: &str, value: &str) -> Option<String> {
    let pattern: String = value.chars().map(glob).collect();
    match test {
        "-name" | "-iname" => Some(format!("{BELOW}/{pattern}")),
        "-regex" | "-iregex" => {
            let last = value
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .replace("\\.", ".")
                .replace(".*", &STAR.to_string());
            let plain = last.chars().all(|c| c.is_alphanumeric() || "._-".contains(c) || c == STAR);
            Some(if plain { format!("{BELOW}/{last}") } else { BELOW.to_string() })
        }
        "-path" | "-ipath" | "-wholename" | "-iwholename" => Some(path(&pattern)),
        _ => None,
    }
}

/// A whole path, in which a star goes over slashes, too.
fn path(pattern: &str) -> String {
    let parts = pattern.split('/').filter(|part| !matches!(*part, "" | "."));
    let spread =
        |part: &str| if part.chars().all(|c| c == STAR) { BELOW.to_string() } else { part.to_owned() };
    let path = parts.map(spread).collect::<Vec<_>>().join("/");
    if path.starts_with(STAR) { format!("{BELOW}/{path}") } else { path }
}

/// Quotes keep a pattern from the shell, not from `find`.
fn glob(c: char) -> char {
    match c {
        '*' => STAR,
        '?' => ONE,
        '[' => SET,
        c => c,
    }
}
