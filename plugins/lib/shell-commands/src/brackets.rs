//! Bracket expressions of a pattern: `[abc]`, `[!a-z]`, `[[:alpha:]_]`.

use crate::arg::SET;

/// A name, and whether a character is of this kind.
type Class = (&'static str, fn(char) -> bool);

/// Kinds of characters that have a name there. Of one that is not here any character may be.
const CLASSES: &[Class] = &[
    ("alnum", char::is_alphanumeric),
    ("alpha", char::is_alphabetic),
    ("blank", |c| matches!(c, ' ' | '\t')),
    ("digit", |c| c.is_ascii_digit()),
    // Names are compared without case.
    ("lower", char::is_alphabetic),
    ("punct", |c| c.is_ascii_punctuation()),
    ("space", char::is_whitespace),
    ("upper", char::is_alphabetic),
    ("xdigit", |c| c.is_ascii_hexdigit()),
];

/// Returns the pattern behind the brackets whose inside it begins with, if the brackets match the character.
pub(crate) fn behind(pattern: &[char], name: char) -> Option<&[char]> {
    let is_open = |c: char| matches!(c, '[' | SET);
    let (negated, mut rest) = match pattern.split_first() {
        Some(('!' | '^', rest)) => (true, rest),
        _ => (false, pattern),
    };
    let (mut is_in, mut is_first) = (false, true);
    while let Some((&c, after)) = rest.split_first() {
        rest = after;
        match (c, after) {
            (']', _) if !is_first => return (is_in != negated).then_some(rest),
            (open, [':', named @ ..]) if is_open(open) => {
                let end = named.iter().position(|c| *c == ':')?;
                let (class, behind) = named.split_at(end);
                is_in |= is_of_class(&class.iter().collect::<String>(), name);
                rest = behind.get(2..).unwrap_or_default();
            }
            (low, ['-', high, behind @ ..]) if *high != ']' => {
                is_in |= (low..=*high).contains(&name);
                rest = behind;
            }
            (c, _) => is_in |= c == name || (is_open(c) && name == '['),
        }
        is_first = false;
    }
    // Without an end nobody knows: any character may be meant.
    Some(rest)
}

fn is_of_class(class: &str, name: char) -> bool {
    CLASSES.iter().find(|(known, _)| *known == class).is_none_or(|(_, is)| is(name))
}
