//! Options of a command, read by a list of those that are known.

use shell_commands::facts::FactWord;

/// The options and operands of a command.
#[derive(Debug, Default)]
pub(crate) struct Given<'a> {
    /// Options with the values that belong to them.
    pub(crate) options: Vec<(String, Option<&'a str>)>,
    /// The other words.
    pub(crate) operands: Vec<&'a FactWord>,
}

impl Given<'_> {
    /// Returns true if an option is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }
}

/// Kind of the value of an option.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    /// A value in the same word, or none.
    Optional,
    /// A value in the same word or the next one.
    Value,
}

/// Reads the words behind a program by a list of its options: `-a`, `-n:` with a value, `--color=` with a value in the same word, `-0` for a
/// number (`-20`), `first` if options end at the first operand. Returns none if an option is not listed, or a word is not known.
pub(crate) fn read_options<'a>(words: &'a [FactWord], known: &str) -> Option<Given<'a>> {
    let mut given = Given::default();
    let mut rest = words.iter();
    let ends_at_operand = known.split(' ').any(|item| item == "first");
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if !word.certain {
            return None;
        }
        if text == "--" {
            given.operands.extend(rest.by_ref());
        } else if let Some(long) = text.strip_prefix("--") {
            let (name, value) =
                long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            let value = match (find_option(known, &format!("--{name}"))?, value) {
                (Takes::Nothing, Some(_)) => return None,
                (Takes::Value, None) => Some(certain_text(rest.next()?)?),
                (_, value) => value,
            };
            given.options.push((format!("--{name}"), value));
        } else if text.len() > 1 && text.starts_with('-') {
            read_letters(text.get(1..)?, known, &mut rest, &mut given)?;
        } else {
            given.operands.push(word);
            if ends_at_operand {
                given.operands.extend(rest.by_ref());
            }
        }
    }
    given.operands.iter().all(|word| word.certain).then_some(given)
}

fn read_letters<'a>(
    letters: &'a str,
    known: &str,
    rest: &mut std::slice::Iter<'a, FactWord>,
    given: &mut Given<'a>,
) -> Option<()> {
    if letters.chars().all(|c| c.is_ascii_digit()) && find_option(known, "-0").is_some() {
        return Some(());
    }
    // Words such as `-name` have one dash.
    if letters.chars().count() > 1 && find_option(known, &format!("-{letters}")).is_some() {
        let value = match find_option(known, &format!("-{letters}"))? {
            Takes::Value => Some(certain_text(rest.next()?)?),
            Takes::Nothing | Takes::Optional => None,
        };
        given.options.push((format!("-{letters}"), value));
        return Some(());
    }
    for (at, letter) in letters.char_indices() {
        let behind = letters.get(at + letter.len_utf8()..)?;
        let name = format!("-{letter}");
        match find_option(known, &name)? {
            Takes::Nothing => given.options.push((name, None)),
            Takes::Value if behind.is_empty() => {
                given.options.push((name, Some(certain_text(rest.next()?)?)));
            }
            Takes::Value | Takes::Optional => {
                given.options.push((name, Some(behind)));
                return Some(());
            }
        }
    }
    Some(())
}

fn certain_text(word: &FactWord) -> Option<&str> {
    word.certain.then_some(word.text.as_str())
}

fn find_option(known: &str, name: &str) -> Option<Takes> {
    known.split(' ').find_map(|item| match item.strip_prefix(name)? {
        "" => Some(Takes::Nothing),
        ":" => Some(Takes::Value),
        "=" => Some(Takes::Optional),
        _ => None,
    })
}
