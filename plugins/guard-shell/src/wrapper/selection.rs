//! Which files a `find` expression selects: something in particular, or everything.

use crate::arg::{Arg, STAR};

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
pub(super) struct Selection {
    /// Whether what was read of this alternative selects something in particular.
    narrow: bool,
    /// Whether any test did.
    ever: bool,
    /// Whether each action so far had such a test before it; nothing without an action.
    actions: Option<bool>,
    /// How many parentheses are open.
    depth: usize,
    /// The depth at which a negation began, and whether its operand is still to come.
    negated: Option<(usize, bool)>,
}

impl Selection {
    /// Whether only something in particular is found, or acted on.
    pub(super) fn is_narrow(&self) -> bool {
        self.actions.unwrap_or(self.ever)
    }

    /// An action: what was read before it decides.
    pub(super) fn act(&mut self) {
        self.negated = None;
        self.actions = Some(self.actions.unwrap_or(true) && self.narrow);
    }

    /// A word that is no action, and the one behind it.
    pub(super) fn read(&mut self, word: &str, value: Option<&Arg>) {
        match word {
            "!" | "-not" => self.negated = self.negated.or(Some((self.depth, true))),
            "(" => self.open(),
            ")" => self.close(),
            "-o" | "-or" | "," if self.depth == 0 => self.narrow = false,
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

    /// What does not have a name is nearly everything.
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
        self.narrow |= narrows;
        self.ever |= narrows;
        self.negated = self.negated.filter(|(_, pending)| !pending);
    }
}
