//! A word as the characters and expansions that it consists of.

use std::borrow::Cow;

use super::{
    Doubt,
    ansi::decode,
    cursor::Cursor,
    scan::{Documents, plain_tag},
};

/// The smallest part of a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Atom {
    /// A character that may be an operator of a pattern, a brace or a tilde.
    Plain(char),
    /// A character that stands for itself.
    Quoted(char),
    /// Quotes, perhaps around nothing: the word exists even if it is empty.
    Quotes,
    /// The value of `$name` or `${…}`.
    Parameter {
        /// The text between the braces.
        text: String,
        /// True if the value is neither split nor a pattern.
        quoted: bool,
    },
    /// The output of `$(…)` or a backquote.
    Command {
        /// The command line.
        text: String,
        /// True if the output is neither split nor a pattern.
        quoted: bool,
    },
    /// The result of `$((…))` or `$[…]`.
    Arithmetic(String),
}

/// Rules for reading a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reading {
    /// A word of a bash command.
    Word,
    /// A word where blanks and operators stand for themselves, as in `[[ … =~ … ]]`.
    Loose,
    /// The body of a here-document, or an arithmetic expression: only `$`, backquotes and `\` mean something.
    Document,
}

/// Reads a text completely, or returns the reason why it cannot be read.
pub(crate) fn read(text: &str, reading: Reading) -> Result<Vec<Atom>, Doubt> {
    let chars: Vec<char> = text.chars().collect();
    let mut reader = Reader { cursor: Cursor::new(&chars), atoms: Vec::with_capacity(chars.len()), reading };
    if reading == Reading::Document {
        reader.quoted(None)?;
    } else {
        reader.unquoted()?;
    }
    Ok(reader.atoms)
}

/// The here-documents of a command line.
pub(crate) fn documents(text: &str) -> Result<Documents, Doubt> {
    let chars: Vec<char> = text.chars().collect();
    Cursor::new(&chars).documents()
}

/// A command line with its continued lines joined, as the shell joins them before it looks for words.
pub(crate) fn join_lines(text: &str) -> Result<Cow<'_, str>, Doubt> {
    if !text.contains("\\\n") {
        return Ok(Cow::Borrowed(text));
    }
    let chars: Vec<char> = text.chars().collect();
    let mut cursor = Cursor::new(&chars);
    cursor.documents()?;
    let mut joints = cursor.joints().iter().copied().peekable();
    let mut joined = String::with_capacity(text.len());
    let mut rest = chars.iter().enumerate();
    while let Some((at, c)) = rest.next() {
        if joints.next_if_eq(&at).is_some() {
            rest.next();
        } else {
            joined.push(*c);
        }
    }
    Ok(Cow::Owned(joined))
}

/// The end tag of a here-document, if it is plain.
pub(crate) fn here_tag(word: &str) -> Option<String> {
    plain_tag(word)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    atoms: Vec<Atom>,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn unquoted(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.cursor.take() {
            match c {
                '\\' => self.escape()?,
                '\'' => {
                    let start = self.cursor.position();
                    self.cursor.skip_single()?;
                    let text = self.cursor.text_since(start, 1);
                    self.literal(&text);
                }
                '"' => {
                    self.atoms.push(Atom::Quotes);
                    self.quoted(Some('"'))?;
                }
                '$' => self.dollar(false)?,
                '`' => self.backquote(false)?,
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')'
                    if self.reading != Reading::Loose =>
                {
                    return Err(Doubt::Unreadable("a word continues behind its end"));
                }
                other => self.atoms.push(Atom::Plain(other)),
            }
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Doubt> {
        match self.cursor.take_raw() {
            Some(c) => {
                self.atoms.push(Atom::Quoted(c));
                Ok(())
            }
            None => Err(Doubt::Unreadable("a backslash escapes nothing")),
        }
    }

    fn literal(&mut self, text: &str) {
        self.atoms.push(Atom::Quotes);
        self.atoms.extend(text.chars().map(Atom::Quoted));
    }

    /// To behind the closing quote, or to the end of the text.
    fn quoted(&mut self, close: Option<char>) -> Result<(), Doubt> {
        while let Some(c) = self.cursor.take() {
            match c {
                _ if close == Some(c) => return Ok(()),
                '\\' => match self.cursor.peek_raw() {
                    Some(c @ ('$' | '`' | '\\')) => {
                        self.cursor.take_raw();
                        self.atoms.push(Atom::Quoted(c));
                    }
                    Some('"') if close.is_some() => {
                        self.cursor.take_raw();
                        self.atoms.push(Atom::Quoted('"'));
                    }
                    _ => self.atoms.push(Atom::Quoted('\\')),
                },
                '$' => self.dollar(true)?,
                '`' => self.backquote(true)?,
                other => self.atoms.push(Atom::Quoted(other)),
            }
        }
        match close {
            Some(_) => Err(Doubt::Unreadable("a double quote is not closed")),
            None => Ok(()),
        }
    }

    fn dollar(&mut self, quoted: bool) -> Result<(), Doubt> {
        match self.cursor.peek() {
            Some('$') if self.cursor.doubles(quoted) => {
                Err(Doubt::Unreadable("a quote or bracket behind `$$`"))
            }
            Some('\'') if !quoted => self.ansi(),
            Some('"') if !quoted => Ok(()),
            Some('{') => {
                let text = self.extent(1, 1, |cursor| cursor.skip_braces(quoted))?;
                self.atoms.push(Atom::Parameter { text, quoted });
                Ok(())
            }
            Some('[') => {
                let text = self.extent(1, 1, Cursor::skip_brackets)?;
                self.atoms.push(Atom::Arithmetic(text));
                Ok(())
            }
            Some('(') => self.parenthesis(quoted),
            Some(c) if c.is_ascii_digit() || "@*#?-$!".contains(c) => {
                self.cursor.skip(1);
                self.atoms.push(Atom::Parameter { text: c.to_string(), quoted });
                Ok(())
            }
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let text = self.extent(0, 0, |cursor| {
                    while cursor.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
                        cursor.skip(1);
                    }
                    Ok(())
                })?;
                self.atoms.push(Atom::Parameter { text, quoted });
                Ok(())
            }
            _ => {
                self.atoms.push(Atom::Quoted('$'));
                Ok(())
            }
        }
    }

    fn parenthesis(&mut self, quoted: bool) -> Result<(), Doubt> {
        if self.cursor.peek_second() == Some('(') {
            let start = self.cursor.position();
            self.cursor.skip(2);
            if self.cursor.skip_arithmetic()? {
                self.atoms.push(Atom::Arithmetic(self.cursor.text_since(start + 2, 2)));
                return Ok(());
            }
            self.cursor.rewind(start);
        }
        let text = self.extent(1, 1, Cursor::skip_command)?;
        self.atoms.push(Atom::Command { text, quoted });
        Ok(())
    }

    fn ansi(&mut self) -> Result<(), Doubt> {
        let text = self.extent(1, 1, Cursor::skip_ansi)?;
        if text.contains("\\'") {
            return Err(Doubt::Unreadable("not every `sh` knows `$'…'`, and this one would end elsewhere"));
        }
        self.literal(&decode(&text));
        Ok(())
    }

    fn backquote(&mut self, quoted: bool) -> Result<(), Doubt> {
        let raw = self.extent(0, 1, Cursor::skip_backquote)?;
        let mut text = String::with_capacity(raw.len());
        let mut chars = raw.chars().peekable();
        while let Some(c) = chars.next() {
            let escaped = |next: &char| matches!(next, '$' | '`' | '\\') || (quoted && *next == '"');
            match chars.next_if(|next| c == '\\' && escaped(next)) {
                Some(next) => text.push(next),
                None => text.push(c),
            }
        }
        self.atoms.push(Atom::Command { text, quoted });
        Ok(())
    }

    /// The text that `skip` goes over, without the delimiters at its two ends.
    fn extent(
        &mut self,
        open: usize,
        close: usize,
        skip: impl FnOnce(&mut Cursor<'a>) -> Result<(), Doubt>,
    ) -> Result<String, Doubt> {
        self.cursor.skip(open);
        let start = self.cursor.position();
        skip(&mut self.cursor)?;
        Ok(self.cursor.text_since(start, close))
    }
}
