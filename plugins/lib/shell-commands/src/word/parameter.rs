//! The text between the braces of `${…}`.

/// A parameter and what is done with its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    /// Name of the parameter.
    pub(crate) name: ParameterName,
    /// True if the value is the name of the variable that is meant.
    pub(crate) indirect: bool,
    /// The subscript of an array.
    pub(crate) index: String,
    /// Operation on the value.
    pub(crate) operator: Operator,
}

/// A parameter that can have a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ParameterName {
    /// A variable, or any element of an array.
    Variable(String),
    /// `$1`; `$0` is the shell's name.
    Positional(usize),
    /// `$@` or `$*`.
    All,
    /// `$?`, `$$` and the like: a number or some letters.
    Special,
}

/// Place where a pattern has to match to be replaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Anchor {
    /// At the first place that fits.
    First,
    /// At every place.
    All,
    /// At the beginning.
    Start,
    /// At the end.
    End,
}

/// Operation on a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operator {
    /// Nothing.
    Value,
    /// `:-`, `-`: this text if there is no value.
    Default(String),
    /// `:=`, `=`: the same, and the variable gets it.
    Assign(String),
    /// `:+`, `+`: this text if there is a value.
    Alternative(String),
    /// `:offset:length`.
    Slice(String),
    /// `#`, `##`: without this at the front, `%`, `%%`: without this at the end.
    Trim {
        /// Pattern of the removed text.
        pattern: String,
        /// True if the text is removed from the end.
        from_end: bool,
        /// True if the longest match is removed.
        longest: bool,
    },
    /// `/pattern/text`, `//pattern/text`, `/#pattern/text` and `/%pattern/text`.
    Replace {
        /// Pattern to search for.
        pattern: String,
        /// Replacement.
        text: String,
        /// Places that change.
        anchor: Anchor,
    },
    /// `^`, `^^`: upper case, which only matters to rules that do not ignore case.
    Upper,
    /// `,`, `,,`: lower case.
    Lower,
    /// `@E`: escapes in the value are decoded.
    Decoded,
    /// `@P`: the value is expanded as a prompt, and what it contains runs.
    Prompt,
    /// Anything whose result is not worth knowing; its text may contain substitutions.
    Other(String),
}

impl Parameter {
    /// Reads the text between the braces, or the name behind a lone `$`.
    pub(crate) fn parse(text: &str) -> Self {
        if let Some(rest) = text.strip_prefix('#').filter(|rest| !rest.is_empty())
            && let (name, index, "") = name(rest)
        {
            return Self { name, indirect: false, index, operator: Operator::Other(String::new()) };
        }
        let (text, indirect) = match text.strip_prefix('!') {
            Some(rest) if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') => (rest, true),
            _ => (text, false),
        };
        let (name, index, rest) = name(text);
        Self { name, indirect, index, operator: operator(rest) }
    }
}

/// The name, its subscript, and what follows.
fn name(text: &str) -> (ParameterName, String, &str) {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !word(c)).unwrap_or(text.len());
    let (head, rest) = text.split_at(end);
    if head.is_empty() {
        let mut chars = text.chars();
        let name = match chars.next() {
            Some('@' | '*') => ParameterName::All,
            _ => ParameterName::Special,
        };
        return (name, String::new(), chars.as_str());
    }
    if head.starts_with(|c: char| c.is_ascii_digit()) {
        return (head.parse().map_or(ParameterName::Special, ParameterName::Positional), String::new(), rest);
    }
    let (index, rest) = subscript(rest);
    (ParameterName::Variable(head.to_owned()), index.to_owned(), rest)
}

/// `[index]` at the front, its brackets balanced.
fn subscript(rest: &str) -> (&str, &str) {
    let mut open = 0usize;
    for (at, c) in rest.char_indices() {
        match c {
            '[' => open += 1,
            ']' if open > 0 => open -= 1,
            _ if open == 0 => break,
            _ => {}
        }
        if open == 0 {
            return (rest.get(1..at).unwrap_or_default(), rest.get(at + 1..).unwrap_or_default());
        }
    }
    ("", rest)
}

fn operator(rest: &str) -> Operator {
    let own = str::to_owned;
    let bare = rest.strip_prefix(':').unwrap_or(rest);
    if rest.is_empty() {
        Operator::Value
    } else if let Some(text) = bare.strip_prefix('-') {
        Operator::Default(own(text))
    } else if let Some(text) = bare.strip_prefix('=') {
        Operator::Assign(own(text))
    } else if let Some(text) = bare.strip_prefix('+') {
        Operator::Alternative(own(text))
    } else if bare.starts_with('?') {
        Operator::Value
    } else if let Some(text) = rest.strip_prefix(':') {
        Operator::Slice(own(text))
    } else if let Some(text) = rest.strip_prefix('#') {
        trim(text, '#')
    } else if let Some(text) = rest.strip_prefix('%') {
        trim(text, '%')
    } else if rest.starts_with('/') && rest.contains(['`', '(', '{']) {
        Operator::Other(own(rest))
    } else if rest == "@P" {
        Operator::Prompt
    } else if rest == "@E" {
        Operator::Decoded
    } else if rest == "@L" {
        Operator::Lower
    } else if matches!(rest, "@Q" | "@U" | "@u") {
        // Quotes or capitals around what a rule looks for change nothing for it.
        Operator::Upper
    } else if let Some(text) = rest.strip_prefix('/') {
        replace(text)
    } else if rest.starts_with('^') {
        Operator::Upper
    } else if rest.starts_with(',') {
        Operator::Lower
    } else {
        Operator::Other(own(rest))
    }
}

/// Parses the text behind the first slash: the sign of the places that change, the pattern, and the text behind its
/// slash.
fn replace(text: &str) -> Operator {
    let (anchor, text) = match text.split_at_checked(1) {
        Some(("/", rest)) => (Anchor::All, rest),
        Some(("#", rest)) => (Anchor::Start, rest),
        Some(("%", rest)) => (Anchor::End, rest),
        _ => (Anchor::First, text),
    };
    let mut quote = None;
    let mut is_escaped = false;
    let slash = text.find(|c| match c {
        _ if std::mem::take(&mut is_escaped) => false,
        '\\' if quote != Some('\'') => {
            is_escaped = true;
            false
        }
        c if quote == Some(c) => {
            quote = None;
            false
        }
        '\'' | '"' if quote.is_none() => {
            quote = Some(c);
            false
        }
        c => c == '/' && quote.is_none(),
    });
    let (pattern, text) = slash.and_then(|at| text.split_at_checked(at)).unwrap_or((text, ""));
    let text = text.strip_prefix('/').unwrap_or(text);
    Operator::Replace { pattern: pattern.to_owned(), text: text.to_owned(), anchor }
}

fn trim(text: &str, sign: char) -> Operator {
    let pattern = text.strip_prefix(sign);
    Operator::Trim {
        pattern: pattern.unwrap_or(text).to_owned(),
        from_end: sign == '%',
        longest: pattern.is_some(),
    }
}
