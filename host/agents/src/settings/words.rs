//! Splits a command line as a shell does, to the extent that hookbox's own command lines need.

/// A command line that is one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) words: Vec<Word>,
    /// True if the line has nothing that a shell would replace or redirect.
    pub(super) is_plain: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Text without quotes.
    pub(super) text: String,
    /// Text as written in the line.
    pub(super) raw: String,
}

impl Word {
    /// Creates a word that no shell parses.
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), raw: text.to_owned() }
    }
}

/// Characters that begin another command.
const OPERATORS: [char; 7] = [';', '&', '|', '(', ')', '`', '\n'];
/// Characters that a shell replaces or redirects.
const SPECIAL: [char; 9] = ['$', '<', '>', '*', '?', '[', '{', '~', '#'];

/// Splits a line; `None` if a quote is open at the end or if there is more than one command.
pub(super) fn split_line(line: &str) -> Option<Line> {
    let mut reader = Reader { words: Vec::new(), word: None, is_plain: true };
    let mut chars = line.trim().chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' => reader.read_single_quotes(&mut chars)?,
            '"' => reader.read_double_quotes(&mut chars)?,
            '\\' => reader.push_escaped(chars.next()?),
            c if OPERATORS.contains(&c) => return None,
            c if c.is_whitespace() => reader.end_word(),
            // `$(…)` runs a second command.
            '$' if chars.as_str().starts_with('(') => return None,
            c => {
                reader.is_plain &= !SPECIAL.contains(&c);
                reader.push_char(c);
            }
        }
    }
    reader.end_word();
    Some(Line { words: reader.words, is_plain: reader.is_plain })
}

struct Reader {
    words: Vec<Word>,
    word: Option<Word>,
    is_plain: bool,
}

impl Reader {
    fn current_word(&mut self) -> &mut Word {
        self.word.get_or_insert_default()
    }

    fn push_char(&mut self, c: char) {
        let word = self.current_word();
        word.text.push(c);
        word.raw.push(c);
    }

    fn push_escaped(&mut self, c: char) {
        let word = self.current_word();
        word.text.push(c);
        word.raw.extend(['\\', c]);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take());
    }

    fn read_single_quotes(&mut self, chars: &mut impl Iterator<Item = char>) -> Option<()> {
        self.current_word().raw.push('\'');
        loop {
            match chars.next()? {
                '\'' => break,
                c => self.push_char(c),
            }
        }
        self.current_word().raw.push('\'');
        Some(())
    }

    fn read_double_quotes(&mut self, chars: &mut impl Iterator<Item = char>) -> Option<()> {
        self.current_word().raw.push('"');
        loop {
            match chars.next()? {
                '"' => break,
                // A shell runs the text between backquotes, in double quotes too.
                '`' => return None,
                '\\' => match chars.next()? {
                    // Only these four are escaped between double quotes; before any other character the
                    // backslash stays.
                    c @ ('"' | '\\' | '$' | '`') => self.push_escaped(c),
                    c => {
                        self.push_char('\\');
                        self.push_char(c);
                    }
                },
                c => {
                    self.is_plain &= c != '$';
                    self.push_char(c);
                }
            }
        }
        self.current_word().raw.push('"');
        Some(())
    }
}

/// Quotes a word so that every shell takes it literally. A `$` is never followed by a name: some agents replace their own variables in the
/// line, in quotes or not, before a shell reads it.
pub fn quote_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''").replace('$', "$''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list_words(line: &str) -> Vec<String> {
        split_line(line).unwrap().words.into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_lose_their_quotes() {
        assert_eq!(list_words(r#"a 'b c' "d $e" f\ g ''"#), ["a", "b c", "d $e", "f g", ""]);
        assert_eq!(list_words(r#"'it'\''s' "\"\\\n""#), ["it's", r#""\\n"#]);
    }

    #[test]
    fn an_open_quote_or_a_second_command_is_not_split() {
        for line in ["'a", "\"a", "a\\", "a; b", "a\nb", "a | b", "(a)", "$(a)", "\"`a`\"", "a & b"] {
            assert_eq!(split_line(line), None, "{line}");
        }
    }

    #[test]
    fn what_a_shell_would_replace_is_noticed() {
        for line in ["a $b", "a \"$b\"", "a >b", "a *", "~/a"] {
            assert!(!split_line(line).unwrap().is_plain, "{line}");
        }
        assert!(split_line("a '$b' \"\\$c\" '*'").unwrap().is_plain);
    }

    #[test]
    fn a_quoted_word_is_read_back_as_it_was() {
        for word in ["a", "a b", "it's", "$HOME", "a$", "ü", "", "a\"b", "!x", "$(x)`y`;z", "''"] {
            let line = quote_word(word);
            assert_eq!(list_words(&line), [word], "{line}");
            assert!(split_line(&line).unwrap().is_plain, "{line}");
            assert!(!line.contains("$HOME"), "{line}");
        }
    }
}
