//! Expansion of a word: fields, single values, documents.

use super::Walker;
use super::substitute::{is_from_outside, may_be_unset};
use crate::{
    arg::{Arg, HOME, ONE, SET, STAR, Stream, UNKNOWN},
    scope::Scope,
    word::{Atom, Doubt, Reading, expand_braces, read},
};

/// A word under construction, which blanks in unquoted values end.
#[derive(Default)]
struct Fields {
    done: Vec<Arg>,
    open: Arg,
    started: bool,
    /// True if a quoted value is one of the names that a loop's pattern matches.
    matched: bool,
    /// True if a bracket of an unquoted value opens a bracket expression of a pattern.
    opens: bool,
}

impl Fields {
    fn push(&mut self, c: char) {
        self.open.text.push(c);
        self.started = true;
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.started) {
            self.done.push(std::mem::take(&mut self.open));
        }
    }

    fn finish(mut self) -> Vec<Arg> {
        self.end();
        self.done
    }

    /// An unquoted value: blanks split it, and what is a pattern becomes one.
    fn split(&mut self, value: &Arg, separators: &str) {
        for c in value.text.chars() {
            match c {
                c if separators.contains(c) => self.end(),
                '*' => self.push(STAR),
                '?' => self.push(ONE),
                '[' if self.opens => self.push(SET),
                other => self.push(other),
            }
            self.open.inherit(value);
        }
    }

    /// A quoted value: it stays in one piece.
    fn join(&mut self, value: &Arg) {
        self.started = true;
        // The pattern that a loop's variable still is stands for the names that it matches.
        self.matched |= value.text.contains([STAR, ONE, SET]);
        self.open.text.push_str(&value.text);
        self.open.inherit(value);
    }
}

impl Walker<'_> {
    /// The words that one word of a command becomes.
    pub(super) fn fields(&mut self, text: &str, scope: &mut Scope) -> Vec<Arg> {
        if !self.spend_word(text.len()) {
            return vec![Arg::unknown()];
        }
        let atoms = match read(text, Reading::Word) {
            Ok(atoms) => atoms,
            Err(doubt) => {
                self.doubt(doubt);
                return vec![Arg::unknown()];
            }
        };
        let Ok(words) = expand_braces(&atoms) else {
            self.doubt(Doubt::TooComplex("braces make too many words"));
            return vec![Arg::unknown()];
        };
        words.iter().flat_map(|word| self.word_fields(word, scope)).collect()
    }

    fn word_fields(&mut self, atoms: &[Atom], scope: &mut Scope) -> Vec<Arg> {
        let mut fields = Fields { opens: self.touched.is_some(), ..Fields::default() };
        let (tilde, atoms) = tilde(atoms, scope);
        tilde.chars().for_each(|c| fields.push(c));
        let separators = separators(scope);
        let mut has_list = false;
        // Before the expansion: `${x:=…}` sets the variable.
        let (from_outside, unset) = (is_from_outside(atoms, scope), may_be_unset(atoms, scope));
        let split = atoms.iter().any(|atom| matches!(atom, Atom::Parameter { quoted: false, .. }));
        let closes = atoms.contains(&Atom::Plain(']'));
        for atom in atoms {
            match atom {
                Atom::Plain('*') => fields.push(STAR),
                Atom::Plain('?') => fields.push(ONE),
                Atom::Plain('[') if closes => fields.push(SET),
                Atom::Plain(c) | Atom::Quoted(c) => fields.push(*c),
                Atom::Quotes => fields.started = true,
                Atom::Parameter { text, quoted: true } if is_list(text) => {
                    has_list = true;
                    self.list_fields(text, scope, &mut fields);
                }
                Atom::Parameter { quoted, .. } | Atom::Command { quoted, .. } => {
                    let value = self.atom(atom, scope);
                    if *quoted { fields.join(&value) } else { fields.split(&value, &separators) }
                }
                Atom::Arithmetic(_) => fields.join(&self.atom(atom, scope)),
            }
        }
        if has_list && fields.open.text.is_empty() {
            // A list without elements is no word at all, whatever the quotes around it say.
            fields.started = false;
        }
        let matched = fields.matched;
        let mut fields = fields.finish();
        if let [field] = fields.as_mut_slice() {
            field.from_outside = from_outside || (matched && !field.text.contains(UNKNOWN));
            field.may_be_several = from_outside && split;
            field.may_be_unset = unset;
        }
        if scope.matches_dots && self.touched.is_some() {
            fields = fields.iter().flat_map(with_dots).collect();
        }
        self.spend_text(fields.iter().map(|field| field.text.len()).sum());
        fields
    }

    /// `"$@"` and `"${name[@]}"`: each element is a word.
    fn list_fields(&mut self, text: &str, scope: &mut Scope, fields: &mut Fields) {
        if text != "@" {
            let elements = self.parameter(text, scope);
            return fields.split(&elements, " \t\n");
        }
        let values = scope.positional.clone().unwrap_or_else(|| vec![Arg::unknown()]);
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                fields.end();
            }
            fields.join(value);
        }
        self.spend_text(values.len());
    }

    /// A word that is neither split nor a pattern: an assigned value, a here-string.
    pub(super) fn single(&mut self, text: &str, scope: &mut Scope) -> Arg {
        match read(text, Reading::Word) {
            Ok(atoms) => self.joined(&atoms, scope),
            Err(doubt) => {
                self.doubt(doubt);
                Arg::unknown()
            }
        }
    }

    /// The body of a here-document, or an expression.
    pub(super) fn document(&mut self, text: &str, scope: &mut Scope) -> Arg {
        match read(text, Reading::Document) {
            Ok(atoms) => self.joined(&atoms, scope),
            Err(doubt) => {
                self.doubt(doubt);
                Arg::unknown()
            }
        }
    }

    pub(super) fn joined(&mut self, atoms: &[Atom], scope: &mut Scope) -> Arg {
        let mut value = Arg { from_outside: is_from_outside(atoms, scope), ..Arg::default() };
        value.may_be_unset = may_be_unset(atoms, scope);
        let (tilde, atoms) = tilde(atoms, scope);
        value.text.push_str(&tilde);
        for atom in atoms {
            match atom {
                Atom::Plain(c) | Atom::Quoted(c) => value.text.push(*c),
                Atom::Quotes => {}
                other => {
                    let part = self.atom(other, scope);
                    value.text.push_str(&part.text);
                    value.inherit(&part);
                }
            }
        }
        if !self.spend_text(value.text.len()) {
            return Arg::unknown();
        }
        value
    }

    /// Returns the result of one expansion.
    fn atom(&mut self, atom: &Atom, scope: &mut Scope) -> Arg {
        match atom {
            Atom::Parameter { text, .. } => self.parameter(text, scope),
            Atom::Command { text, .. } => {
                let out = self.substitution(text, scope);
                substituted(&out)
            }
            Atom::Arithmetic(text) => {
                self.arithmetic(text, scope);
                Arg::unknown()
            }
            Atom::Plain(_) | Atom::Quoted(_) | Atom::Quotes => Arg::default(),
        }
    }

    /// Returns the output of a command substitution, which runs in a process of its own.
    pub(super) fn substitution(&mut self, text: &str, scope: &mut Scope) -> Stream {
        let mut child = scope.clone();
        let was_concurrent = std::mem::replace(&mut self.is_concurrent, false);
        let out = self.nested(Some("$(…)"), |walker| walker.text(text, &mut child, None));
        self.is_concurrent = was_concurrent;
        scope.adopt(&child);
        out
    }
}

/// A word, and the patterns that stand with it for names with a dot in front.
fn with_dots(field: &Arg) -> Vec<Arg> {
    let parts: Vec<&str> = field.text.split('/').collect();
    let open =
        (0..parts.len()).filter(|at| parts.get(*at).is_some_and(|part| part.starts_with([STAR, ONE, SET])));
    let dotted = |at: usize| {
        let part = |(number, part): (usize, &&str)| {
            if number == at { format!(".{part}") } else { (*part).to_owned() }
        };
        Arg { text: parts.iter().enumerate().map(part).collect::<Vec<_>>().join("/"), ..field.clone() }
    };
    [field.clone()].into_iter().chain(open.take(MAX_DOTTED).map(dotted)).collect()
}

/// Maximum number of patterns of one path that are resolved this way.
const MAX_DOTTED: usize = 4;

/// Returns true if a quoted parameter stands for a list of words.
fn is_list(text: &str) -> bool {
    text.starts_with('@') || text.contains("[@]")
}

/// The value of a command substitution whose command prints this.
fn substituted(out: &Stream) -> Arg {
    let text = match &out.text {
        // The shell leaves a NUL out.
        Some(text) => text.replace('\0', "").trim_end_matches('\n').to_owned(),
        None => UNKNOWN.to_string(),
    };
    Arg { text, origin: out.origin.clone(), ..Arg::default() }
}

/// The characters that split an unquoted value.
fn separators(scope: &Scope) -> String {
    let value = scope.get("IFS");
    value.as_ref().and_then(Arg::literal).unwrap_or(" \t\n").to_owned()
}

/// Returns the expansion of a leading `~`, `~name`, `~+` or `~1`, and the rest of the word.
fn tilde<'a>(atoms: &'a [Atom], scope: &Scope) -> (String, &'a [Atom]) {
    let Some((Atom::Plain('~'), rest)) = atoms.split_first() else {
        return (String::new(), atoms);
    };
    let end = rest.iter().position(|atom| *atom == Atom::Plain('/')).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let is_name =
        |atom: &Atom| matches!(atom, Atom::Plain(c) if c.is_ascii_alphanumeric() || "_.-".contains(*c));
    let plain = |atom: &Atom| if let Atom::Plain(c) = atom { Some(*c) } else { None };
    let is_place = |atom: &Atom| plain(atom).is_some_and(|c| c.is_ascii_digit() || "+-".contains(c));
    let value = |name: &str| scope.get(name).map_or_else(|| UNKNOWN.to_string(), |value| value.text);
    match name {
        // Without a value it is the account's.
        [] if scope.get("HOME").is_some_and(|home| !home.text.is_empty()) => (value("HOME"), after),
        [Atom::Plain('+')] => (value("PWD"), after),
        [Atom::Plain('-')] => (value("OLDPWD"), after),
        [_, ..] if name.iter().all(is_place) => {
            let place: String = name.iter().filter_map(plain).collect();
            (scope.left(&place).unwrap_or_else(|| UNKNOWN.to_string()), after)
        }
        _ if name.iter().all(is_name) => (HOME.to_string(), after),
        _ => (String::new(), atoms),
    }
}
