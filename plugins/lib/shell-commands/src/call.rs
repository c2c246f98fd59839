//! One simple command after expansion, and its options.

use std::cell::OnceCell;

use crate::{
    arg::{Arg, Stream, unglob},
    scope::{full_name, short_name},
    secret::is_secret,
};

/// A command as it would be started.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Call {
    /// The command and its arguments.
    pub(crate) words: Vec<Arg>,
    /// Standard input of the command.
    pub(crate) stdin: Stream,
    /// True if something was piped or redirected into the command.
    pub(crate) has_stdin: bool,
    /// The files that its redirections write.
    pub(crate) writes: Vec<Arg>,
    /// The files that its redirections read from the standard input.
    pub(crate) reads: Vec<Arg>,
    /// The file that its output goes to.
    pub(crate) output: Option<String>,
    /// True if the command's output is not shown: it goes into a variable, an argument or a program that takes it as a
    /// secret.
    pub(crate) is_kept: bool,
    /// True if the shell prints each command and each line that it reads: `set -x`, `set -v`.
    pub(crate) is_traced: bool,
    /// The secret file whose values are variables by now.
    pub(crate) loaded: Option<String>,
    /// True if the command may not be a program of that name: a function has the name, or the text is probably not a
    /// command.
    pub(crate) is_guessed: bool,
    /// The folder it runs in.
    pub(crate) cwd: Option<String>,
    /// True if the command may run in another folder, because a `cd` may have failed.
    pub(crate) strayed: bool,
    /// The folder that the agent works in.
    pub(crate) workspace: Option<String>,
    /// True if only the touched files are wanted, and not a judgement of the danger.
    pub(crate) touches: bool,
    /// The variables that are set for this command alone, if facts are wanted.
    pub(crate) assignments: Vec<(String, Arg)>,
    /// The files that this command line has made from secret ones, and those.
    pub(crate) copies: Vec<(String, String)>,
    /// The command's name, computed on first use: every rule needs it.
    pub(crate) known_name: OnceCell<String>,
}

impl Call {
    /// The command's name without its folder, in lower case; empty if it is not known.
    pub(crate) fn name(&self) -> &str {
        self.known_name.get_or_init(|| self.words.first().and_then(Arg::base_name).unwrap_or_default())
    }

    /// The arguments.
    pub(crate) fn args(&self) -> &[Arg] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Returns true if the command has one of these names.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        names.contains(&self.name())
    }

    /// Returns true if an argument is exactly this text.
    pub(crate) fn has_arg(&self, text: &str) -> bool {
        self.args().iter().any(|arg| arg.as_str() == text)
    }

    /// The secret file that a path, perhaps with patterns, names, or that the file there was made from.
    pub(crate) fn secret(&self, path: &str) -> Option<String> {
        if is_secret(path) {
            return Some(path.chars().map(unglob).collect());
        }
        let (short, full) = (short_name(path), full_name(self.cwd.as_deref(), path));
        let copy = self.copies.iter().find(|(copy, _)| *copy == short || Some(copy) == full.as_ref());
        copy.map(|(_, secret)| secret.clone())
    }

    /// Returns the command with other words.
    pub(crate) fn with_words(&self, words: &[Arg]) -> Self {
        Self {
            words: words.to_vec(),
            stdin: self.stdin.clone(),
            has_stdin: self.has_stdin,
            writes: self.writes.clone(),
            reads: self.reads.clone(),
            output: self.output.clone(),
            is_kept: self.is_kept,
            is_traced: self.is_traced,
            loaded: self.loaded.clone(),
            is_guessed: false,
            cwd: self.cwd.clone(),
            strayed: self.strayed,
            workspace: self.workspace.clone(),
            touches: self.touches,
            assignments: self.assignments.clone(),
            copies: self.copies.clone(),
            known_name: OnceCell::new(),
        }
    }
}

/// Options of a command that take the next word as their value, and the end of its options.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Grammar<'a> {
    /// Short options with a value.
    pub(crate) short: &'a str,
    /// Long options with a value, without dashes.
    pub(crate) long: &'a [&'a str],
    /// True if options may follow operands.
    pub(crate) anywhere: bool,
}

impl Grammar<'_> {
    /// Options may stand anywhere and none takes a value.
    pub(crate) const ANYWHERE: Grammar<'static> = Grammar { short: "", long: &[], anywhere: true };

    /// The long option with a value that is meant, perhaps shortened as GNU tools accept it.
    fn full(&self, name: &str) -> Option<&str> {
        let mut fitting = self.long.iter().filter(|long| long.starts_with(name) && !name.is_empty());
        let exact = self.long.iter().find(|long| **long == name);
        let only = || fitting.next().filter(|_| fitting.next().is_none());
        exact.or_else(only).copied()
    }
}

/// A command's arguments, split into options and operands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Options as single letters or with their two dashes, with their values.
    pub(crate) given: Vec<(String, Option<Arg>)>,
    /// Everything else.
    pub(crate) operands: Vec<Arg>,
}

impl Options {
    /// Tells options from operands.
    pub(crate) fn parse(args: &[Arg], grammar: Grammar<'_>) -> Self {
        let mut options = Self::default();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let text = arg.as_str();
            if text == "--" {
                options.operands.extend(rest.by_ref().cloned());
            } else if let Some(long) = text.strip_prefix("--") {
                options.long(long, &mut rest, grammar);
            } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
                options.short(letters, &mut rest, grammar);
            } else {
                options.operands.push(arg.clone());
                if !grammar.anywhere {
                    options.operands.extend(rest.by_ref().cloned());
                }
            }
        }
        options
    }

    fn long<'a>(&mut self, text: &str, rest: &mut impl Iterator<Item = &'a Arg>, grammar: Grammar<'_>) {
        let (name, glued) = match text.split_once('=') {
            Some((name, value)) => (name, Some(Arg::new(value))),
            None => (text, None),
        };
        let full = grammar.full(name);
        let value = match (glued, full) {
            (None, Some(_)) => rest.next().cloned(),
            (glued, _) => glued,
        };
        let name = full.unwrap_or(name);
        self.given.push((format!("--{name}"), value));
    }

    fn short<'a>(&mut self, letters: &str, rest: &mut impl Iterator<Item = &'a Arg>, grammar: Grammar<'_>) {
        let mut chars = letters.chars();
        while let Some(letter) = chars.next() {
            if grammar.short.contains(letter) {
                let glued = chars.as_str();
                let value = if glued.is_empty() { rest.next().cloned() } else { Some(Arg::new(glued)) };
                self.given.push((letter.to_string(), value));
                return;
            }
            self.given.push((letter.to_string(), None));
        }
    }

    /// Returns true if one of these letters was given.
    pub(crate) fn has_letter(&self, letters: &str) -> bool {
        self.given.iter().any(|(name, _)| name.chars().count() == 1 && letters.contains(name.as_str()))
    }

    /// Returns true if a long option was given, perhaps shortened as GNU tools accept it.
    pub(crate) fn has_long(&self, full: &str) -> bool {
        self.given
            .iter()
            .any(|(name, _)| name.len() > 2 && name.starts_with("--") && full.starts_with(name.as_str()))
    }

    /// The value of one of these options, the last one given.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&Arg> {
        let mut given = self.given.iter().rev();
        given.find(|(name, _)| names.contains(&name.as_str())).and_then(|(_, value)| value.as_ref())
    }
}
