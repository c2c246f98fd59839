//! Python's `fnmatch`: `*`, `?`, `[seq]` and `[!seq]`, with a sequence's ranges and oddities as Python reads them.

/// A pattern for the whole of a text. Case counts.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// Any text, including the empty text.
    Star,
    /// Any single character.
    Any,
    Char(char),
    Class(Class),
}

/// One character inside these ranges, or outside of them. Without a range the former matches no character, the latter every one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Class {
    negated: bool,
    ranges: Vec<(char, char)>,
}

impl Class {
    fn contains_char(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c)) != self.negated
    }
}

impl Token {
    fn matches_char(&self, c: char) -> bool {
        match self {
            Self::Star | Self::Any => true,
            Self::Char(own) => *own == c,
            Self::Class(class) => class.contains_char(c),
        }
    }
}

impl Glob {
    /// Parses a pattern. Every text is valid.
    pub(super) fn new(text: &str) -> Self {
        let mut tokens = Vec::new();
        let mut rest: &[char] = &text.chars().collect::<Vec<_>>();
        while let [first, after @ ..] = rest {
            rest = after;
            match first {
                // A second star matches nothing more, and would add a position to every step of the search.
                '*' if tokens.last() == Some(&Token::Star) => {}
                '*' => tokens.push(Token::Star),
                '?' => tokens.push(Token::Any),
                '[' => match split_sequence(rest) {
                    Some((sequence, after)) => {
                        tokens.push(Token::Class(parse_class(sequence)));
                        rest = after;
                    }
                    // For Python a bracket without an end is an ordinary character.
                    None => tokens.push(Token::Char('[')),
                },
                c => tokens.push(Token::Char(*c)),
            }
        }
        Self { tokens }
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        let end = self.close_positions(&self.find_positions(text));
        end.last() == Some(&self.tokens.len())
    }

    /// Returns the possible remainders of the pattern after `start`, one for each way to match `start`.
    pub(super) fn list_remainders(&self, start: &str) -> Vec<Self> {
        let places = self.find_positions(start).into_iter();
        places.filter_map(|at| Some(Self { tokens: self.tokens.get(at..)?.to_vec() })).collect()
    }

    /// Returns the text, if the pattern matches only one.
    pub(super) fn text(&self) -> Option<String> {
        self.tokens.iter().map(|token| if let Token::Char(c) = token { Some(*c) } else { None }).collect()
    }

    /// Returns the pattern in terms of `*` and `?`, if it has nothing else.
    pub(super) fn plain(&self) -> Option<String> {
        let plain = |token: &Token| match token {
            Token::Star => Some('*'),
            Token::Any => Some('?'),
            Token::Char(c) if !matches!(c, '*' | '?') => Some(*c),
            Token::Char(_) | Token::Class(_) => None,
        };
        self.tokens.iter().map(plain).collect()
    }

    /// Returns the pattern as a regular expression.
    pub(super) fn regex(&self) -> String {
        self.tokens.iter().map(convert_token).collect()
    }

    /// Returns the possible positions in the pattern after `text`.
    fn find_positions(&self, text: &str) -> Vec<usize> {
        // All positions are followed at a time: a search that backtracks takes exponential time for many
        // stars.
        let mut places = vec![0];
        for c in text.chars() {
            let mut next = Vec::new();
            for at in self.close_positions(&places) {
                match self.tokens.get(at) {
                    Some(Token::Star) => next.push(at),
                    Some(token) if token.matches_char(c) => next.push(at + 1),
                    _ => {}
                }
            }
            next.dedup();
            places = next;
        }
        places
    }

    /// Adds to these ordered positions the ones after a star that matches the empty text.
    fn close_positions(&self, places: &[usize]) -> Vec<usize> {
        let behind = |at: &usize| (self.tokens.get(*at) == Some(&Token::Star)).then_some(at + 1);
        let mut closed: Vec<_> = places.iter().flat_map(|at| [Some(*at), behind(at)]).flatten().collect();
        closed.dedup();
        closed
    }
}

/// Splits a sequence at the `]` that ends it. A `]` that comes first does not end it; without an end there is no sequence.
fn split_sequence(text: &[char]) -> Option<(&[char], &[char])> {
    let negation = usize::from(text.first() == Some(&'!'));
    let first = negation + usize::from(text.get(negation) == Some(&']'));
    let end = first + text.get(first..)?.iter().position(|c| *c == ']')?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// Parses a character class. A hyphen makes a range of its two neighbours, unless it is first or last or one of them belongs to a range
/// already. A descending range is dropped with both its ends: a `!` that was not first as written may then be first, and negates all the
/// same.
fn parse_class(sequence: &[char]) -> Class {
    let mut ranges = Vec::new();
    let mut rest = sequence;
    if let ['!', after @ ..] = rest {
        ranges.push(('!', '!'));
        rest = after;
    }
    while let [first, after @ ..] = rest {
        rest = after;
        let mut last = first;
        if let ['-', end, after @ ..] = after {
            (last, rest) = (end, after);
        }
        if first <= last {
            ranges.push((*first, *last));
        }
    }
    match ranges.first().copied() {
        Some(('!', last)) => {
            ranges.remove(0);
            if last != '!' {
                // The `!` was the beginning of a range: as a negation it leaves the hyphen and the end as
                // characters.
                ranges.extend([('-', '-'), (last, last)]);
            }
            Class { negated: true, ranges }
        }
        _ => Class { negated: false, ranges },
    }
}

fn convert_token(token: &Token) -> String {
    match token {
        Token::Star => "(?s:.*)".to_owned(),
        Token::Any => "(?s:.)".to_owned(),
        Token::Char(c) => regex::escape(&c.to_string()),
        Token::Class(Class { negated, ranges }) if ranges.is_empty() => {
            if *negated {
                "(?s:.)".to_owned()
            } else {
                // The regex syntax has no empty class.
                r"[^\x00-\x{10FFFF}]".to_owned()
            }
        }
        Token::Class(Class { negated, ranges }) => {
            let code = |c: char| format!(r"\x{{{:X}}}", u32::from(c));
            let ranges: Vec<_> =
                ranges.iter().map(|(first, last)| format!("{}-{}", code(*first), code(*last))).collect();
            format!("[{}{}]", if *negated { "^" } else { "" }, ranges.concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of Python's `fnmatch.fnmatchcase` for the patterns that this module parses itself.
    const AS_PYTHON: [(&str, &str, bool); 33] = [
        ("a*c", "abbc", true),
        ("a*c", "ab", false),
        ("a?c", "a\nc", true),
        ("[abc]x", "bx", true),
        ("[!abc]x", "bx", false),
        ("[!abc]x", "dx", true),
        ("[a-c]", "b", true),
        ("[a-c]", "-", false),
        ("[ac-]", "-", true),
        ("[-ac]", "-", true),
        ("[!-ac]", "-", false),
        ("[]a]", "]", true),
        ("[!]a]", "]", false),
        ("[]", "[]", true),
        ("[a", "[a", true),
        ("[!", "[!", true),
        ("[c-a]", "b", false),
        ("[c-a]", "c", false),
        ("[!c-a]", "c", true),
        ("[c-ab]", "b", true),
        ("[a-c-e]", "d", false),
        ("[a-c-e]", "-", true),
        ("[a-c-e]", "e", true),
        ("[^a]", "^", true),
        ("[^a]", "b", false),
        ("[[]", "[", true),
        ("[\\]]", "\\]", true),
        ("[\\a]", "\\", true),
        ("[a&&b]", "&", true),
        ("**", "", true),
        ("[b-a!x]", "x", false),
        ("[b-a!-z]", "y", true),
        ("[b-a!-z]", "-", false),
    ];

    #[test]
    fn patterns_are_read_as_python_reads_them() {
        for (pattern, text, expected) in AS_PYTHON {
            assert_eq!(Glob::new(pattern).matches(text), expected, "{pattern} {text}");
            let regex = regex::Regex::new(&format!("^(?:{})$", Glob::new(pattern).regex())).unwrap();
            assert_eq!(regex.is_match(text), expected, "{pattern} {text} by {regex}");
        }
    }
}
