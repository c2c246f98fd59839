//! The value of `$name` and `${…}`.

use super::{Walker, cut::Pattern};
use crate::{
    arg::{Arg, HOME, UNKNOWN, is_mark},
    scope::Scope,
    word::{Atom, Operator, Parameter, ParameterName, Reading, decode_all, read},
};

/// Variables that hold absolute paths: their first character is known.
const ABSOLUTE: &[&str] = &["PATH", "HOME", "PWD", "OLDPWD", "SHELL", "BASH", "TMPDIR"];

impl Walker<'_> {
    /// Returns the result of an expansion, with the secret file that it is from.
    pub(super) fn parameter(&mut self, text: &str, scope: &mut Scope) -> Arg {
        let parameter = Parameter::parse(text);
        let loaded = self.loaded(text, &parameter, scope);
        let mut value = self.expanded(&parameter, scope);
        if value.origin.secret.is_none() {
            value.origin.secret = loaded;
        }
        value
    }

    /// The secret file that a variable is from which this line does not set. How long it is, and whether it is there, tells little.
    fn loaded(&self, text: &str, parameter: &Parameter, scope: &Scope) -> Option<String> {
        // To send a value is what it is loaded for: only what is printed counts.
        let secret = scope.loaded.as_ref().filter(|_| self.touched.is_some())?;
        let ParameterName::Variable(name) = &parameter.name else { return None };
        let is_value = !text.starts_with('#') && !matches!(parameter.operator, Operator::Alternative(_));
        let is_own = SHELLS_OWN.contains(&name.as_str()) || name.starts_with("BASH_");
        (is_value && !is_own && scope.get(name).is_none()).then(|| secret.clone())
    }

    /// One element of an array. For a rule over commands the array is all of them: which one it is may be computed.
    fn element(&mut self, parameter: &Parameter, scope: &mut Scope) -> Option<Arg> {
        let ParameterName::Variable(name) = &parameter.name else { return None };
        self.touched.as_ref()?;
        if parameter.index.contains('$') {
            let index = self.document(&parameter.index, scope);
            return scope.element(name, index.as_str());
        }
        scope.element(name, &parameter.index)
    }

    fn expanded(&mut self, parameter: &Parameter, scope: &mut Scope) -> Arg {
        let mut value = self.element(parameter, scope).or_else(|| value_of(&parameter.name, scope));
        self.record_expression(&parameter.index, scope);
        if let Operator::Slice(slice) = &parameter.operator {
            self.record_expression(slice, scope);
        }
        if parameter.indirect {
            value = value.and_then(|name| name.literal().and_then(|name| scope.get(name)));
        }
        if parameter.index.contains(['$', '`']) {
            self.document(&parameter.index, scope);
        }
        match &parameter.operator {
            Operator::Value => value.unwrap_or_else(Arg::unknown),
            Operator::Default(word) => {
                let default = self.operand(word, scope);
                or_default(value, default)
            }
            Operator::Assign(word) => {
                let default = self.operand(word, scope);
                let from_outside = value.is_none();
                let value = Arg { from_outside, ..or_default(value, default) };
                if let ParameterName::Variable(name) = &parameter.name {
                    self.record_variable(name, &value, scope);
                    scope.set(name, value.clone());
                }
                value
            }
            Operator::Alternative(word) => {
                let alternative = self.operand(word, scope);
                match value {
                    Some(value) if value.text.is_empty() => value,
                    Some(_) => alternative,
                    // Without a value there is nothing, with one there is this.
                    None => Arg { guessed: !is_absolute(&parameter.name), ..alternative },
                }
            }
            Operator::Other(text) => {
                if parameter.name == ParameterName::Special && text.contains(')') {
                    // zsh: `${(e)NAME}` evaluates the value.
                    self.record_evaluation(text);
                }
                self.document(text, scope);
                Arg::unknown()
            }
            Operator::Prompt => match value.as_ref().and_then(Arg::literal) {
                Some(text) => self.document(text, scope),
                None => Arg::unknown(),
            },
            operator => self.changed(&parameter.name, value, operator, scope),
        }
    }

    /// The text behind an operator: what it substitutes runs, whether or not the text is used.
    fn operand(&mut self, text: &str, scope: &mut Scope) -> Arg {
        match read(text, Reading::Loose) {
            Ok(atoms) => self.joined(&atoms, scope),
            Err(doubt) => {
                self.doubt(doubt);
                Arg::unknown()
            }
        }
    }

    fn changed(
        &mut self,
        name: &ParameterName,
        value: Option<Arg>,
        operator: &Operator,
        scope: &mut Scope,
    ) -> Arg {
        if let Operator::Slice(slice) = operator
            && is_absolute(name)
            && slice.replace(' ', "") == "0:1"
        {
            return Arg::new("/");
        }
        // What the operator's own words contain runs, whatever becomes of the value.
        let words = match operator {
            Operator::Slice(text) => vec![text],
            Operator::Trim { pattern, .. } => vec![pattern],
            Operator::Replace { pattern, text, .. } => vec![pattern, text],
            _ => Vec::new(),
        };
        let words: Vec<Arg> = words.into_iter().map(|text| self.document(text, scope)).collect();
        let Some(value) = value.filter(|_| *name != ParameterName::All) else { return Arg::unknown() };
        let origin = value.origin.clone();
        let text = match operator {
            Operator::Slice(_) => {
                words.first().and_then(Arg::literal).and_then(|bounds| slice(&value.text, bounds))
            }
            Operator::Trim { pattern, from_end, longest } => {
                let pattern = self.pattern(pattern, scope);
                pattern.and_then(|pattern| pattern.trim(&value.text, *from_end, *longest))
            }
            Operator::Replace { pattern, text, anchor } => {
                let pattern = self.pattern(pattern, scope);
                let text = self.operand(text, scope);
                // An ampersand may stand for what was matched.
                let text = text.literal().filter(|text| !text.contains('&'));
                pattern.zip(text).and_then(|(pattern, text)| pattern.replace(&value.text, text, *anchor))
            }
            operator => value.literal().and_then(|value| change(value, operator)),
        };
        Arg { text: text.unwrap_or_else(|| UNKNOWN.to_string()), origin, ..Arg::default() }
    }

    /// Returns a text as a pattern; `None` if a part is unknown.
    fn pattern(&mut self, text: &str, scope: &mut Scope) -> Option<Pattern> {
        let mut chars: Vec<(char, bool)> = Vec::new();
        for atom in read(text, Reading::Loose).ok()? {
            match atom {
                Atom::Plain('~') if chars.is_empty() && (text == "~" || text.starts_with("~/")) => {
                    chars.extend("/home/".chars().map(|c| (c, false)));
                    chars.push((HOME, false));
                }
                Atom::Plain(c) => chars.push((c, true)),
                Atom::Quoted(c) => chars.push((c, false)),
                Atom::Quotes => {}
                Atom::Parameter { text, quoted } => {
                    let value = self.parameter(&text, scope);
                    chars.extend(value.literal()?.chars().map(|c| (c, !quoted)));
                }
                Atom::Command { .. } | Atom::Arithmetic(_) => return None,
            }
        }
        Pattern::new(&chars)
    }
}

/// Variables that every shell has, whatever it loads.
const SHELLS_OWN: &[&str] = &[
    "COLUMNS",
    "EPOCHSECONDS",
    "EUID",
    "HOME",
    "HOSTNAME",
    "IFS",
    "LANG",
    "LC_ALL",
    "LINENO",
    "LINES",
    "LOGNAME",
    "OLDPWD",
    "OSTYPE",
    "PATH",
    "PPID",
    "PWD",
    "RANDOM",
    "REPLY",
    "SECONDS",
    "SHELL",
    "SHLVL",
    "TERM",
    "TMPDIR",
    "UID",
    "USER",
];

/// Variables that the shell itself sets to something that the command line determines.
const FROM_INSIDE: &[&str] = &["_", "COPROC", "DIRSTACK", "FUNCNAME", "MAPFILE", "OLDPWD", "OPTARG", "REPLY"];

/// Returns true if all unknown parts of a word are variables that the command line does not set: `"$name"`,
/// `${name:-default}`, `$name/bin/x`.
pub(super) fn is_from_outside(atoms: &[Atom], scope: &Scope) -> bool {
    let mut any = false;
    atoms.iter().all(|atom| match atom {
        Atom::Plain(_) | Atom::Quoted(_) | Atom::Quotes => true,
        Atom::Parameter { text, .. } => {
            any = true;
            is_outside(text, scope)
        }
        Atom::Command { .. } | Atom::Arithmetic(_) => false,
    }) && any
}

fn is_outside(text: &str, scope: &Scope) -> bool {
    let parameter = Parameter::parse(text);
    let plain = matches!(parameter.operator, Operator::Value | Operator::Default(_) | Operator::Assign(_))
        && !parameter.indirect
        && parameter.index.is_empty();
    match &parameter.name {
        ParameterName::Variable(name) => {
            let inside = FROM_INSIDE.contains(&name.as_str()) || name.starts_with("BASH_");
            let known = scope.get(name).is_some_and(|value| !value.from_outside);
            plain && !inside && !known && !scope.alternatives.contains_key(name)
        }
        _ => false,
    }
}

/// Returns true if a word begins with a variable that may be unset, and is then empty.
pub(super) fn may_be_unset(atoms: &[Atom], scope: &Scope) -> bool {
    let first = atoms.iter().find(|atom| **atom != Atom::Quotes);
    let Some(Atom::Parameter { text, .. }) = first.filter(|_| !scope.ends_at_unset) else { return false };
    let parameter = Parameter::parse(text);
    let ParameterName::Variable(name) = &parameter.name else { return false };
    // Not `${name:?}`, which stops there. What is cut off or put in changes nothing where nothing is.
    let plain = match &parameter.operator {
        Operator::Value => name == text,
        Operator::Default(default) => default.is_empty(),
        Operator::Trim { .. }
        | Operator::Replace { .. }
        | Operator::Lower
        | Operator::Upper
        | Operator::Decoded => true,
        _ => false,
    };
    let unset = scope.get(name).map_or(!ABSOLUTE.contains(&name.as_str()), |value| value.may_be_unset);
    plain && unset
}

/// The value, or what comes instead of an empty one.
fn or_default(value: Option<Arg>, default: Arg) -> Arg {
    match value {
        Some(value) if !value.text.is_empty() => value,
        Some(_) => default,
        None if default.text.is_empty() => Arg::unknown(),
        None => Arg { guessed: true, ..default },
    }
}

fn is_absolute(name: &ParameterName) -> bool {
    matches!(name, ParameterName::Variable(name) if ABSOLUTE.contains(&name.as_str()))
}

fn change(value: &str, operator: &Operator) -> Option<String> {
    match operator {
        Operator::Decoded => Some(decode_all(value)),
        Operator::Upper => Some(value.to_uppercase()),
        Operator::Lower => Some(value.to_lowercase()),
        _ => None,
    }
}

/// Returns a part of a value, by its bounds; `None` if it begins or ends in the path of a home folder, whose length is
/// unknown.
fn slice(value: &str, bounds: &str) -> Option<String> {
    let below = value.strip_prefix(HOME);
    if below.unwrap_or(value).contains(is_mark) {
        return None;
    }
    let count = i64::try_from(value.chars().count()).ok()?;
    let (from, length) = bounds.split_once(':').map_or((bounds, None), |(from, length)| (from, Some(length)));
    let from: i64 = from.trim().parse().ok()?;
    let from = if from < 0 { (count + from).max(0) } else { from.min(count) };
    let length: i64 = length.map_or(Some(count), |length| length.trim().parse().ok())?;
    let end = if length < 0 { count.checked_add(length)? } else { from.saturating_add(length).min(count) };
    if below.is_some() && (from > 0 || (length >= 0 && bounds.contains(':')) || end < 1) {
        return None;
    }
    let take = usize::try_from(end.checked_sub(from)?).unwrap_or(0);
    Some(value.chars().skip(usize::try_from(from).ok()?).take(take).collect())
}

/// Returns the value of a name; `None` if the value comes from outside.
fn value_of(name: &ParameterName, scope: &Scope) -> Option<Arg> {
    match name {
        ParameterName::Variable(name) => scope.get(name),
        ParameterName::Positional(0) => scope.zero.clone(),
        ParameterName::Positional(at) => {
            let values = scope.positional.as_ref()?;
            Some(values.get(at - 1).cloned().unwrap_or_default())
        }
        ParameterName::All => {
            let values = scope.positional.as_ref()?;
            let mut all = Arg::default();
            for (at, value) in values.iter().enumerate() {
                all.text.extend((at > 0).then_some(' '));
                all.text.push_str(value.as_str());
                all.origin.join(&value.origin);
            }
            Some(all)
        }
        ParameterName::Special => None,
    }
}
