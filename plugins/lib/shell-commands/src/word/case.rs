//! `case` inside `$(…)`: its bare patterns end in a `)` that closes nothing.
//!
//! Parser and scanner both count parentheses, so a bare pattern ends the substitution for them, and what
//! is left is an incomplete command. Here the places are found where `(` may be written without a change
//! of meaning. A `case` counts only where it certainly is the reserved word, and what could be read in
//! two ways is left as it is.

use super::{Doubt, cursor::Cursor};

/// Maximum depth of substitutions and `case` commands.
const MAX_DEPTH: usize = 8;

/// Words behind which another command begins.
const OPENERS: &[&str] = &["if", "then", "elif", "else", "while", "until", "do", "{", "!"];
/// Words that begin something whose words are not commands, or are read by other rules.
const OTHER_STARTS: &[&str] = &["[[", "function", "coproc", "select", "time"];

/// Returns the text with every bare pattern inside `$(…)` in parentheses; `None` without such a pattern, or if the
/// result is not sure.
pub(crate) fn close_patterns(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut finder = Finder { cursor: Cursor::new(&chars), bare: Vec::new(), depth: 0 };
    finder.outside().ok()?;
    let mut bare = finder.bare.iter().copied().peekable();
    bare.peek()?;
    let mut closed = String::with_capacity(text.len() + finder.bare.len());
    for (at, c) in chars.iter().enumerate() {
        closed.extend(bare.next_if_eq(&at).map(|_| '('));
        closed.push(*c);
    }
    Some(closed)
}

/// Reason for leaving the text unchanged; it is judged as it is.
const UNSURE: Doubt = Doubt::Unreadable("a `case` inside `$(…)`");

/// End of a list of commands.
enum End {
    /// `)`.
    Parenthesis,
    /// `;;`, `;&` or `;;&`.
    Item,
    /// `esac`.
    Esac,
}

struct Finder<'a> {
    cursor: Cursor<'a>,
    /// Positions of bare patterns, in order.
    bare: Vec<usize>,
    depth: usize,
}

impl Finder<'_> {
    /// Text around substitutions: only quotes and `$` matter.
    fn outside(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.cursor.peek() {
            // Comments and here-documents hide quotes.
            if c == '#' || (c == '<' && self.cursor.peek_second() == Some('<')) {
                return Err(UNSURE);
            }
            self.unit(c)?;
        }
        Ok(())
    }

    /// One character, or one quoted or substituted piece.
    fn unit(&mut self, c: char) -> Result<(), Doubt> {
        self.cursor.skip(1);
        match c {
            '\\' => drop(self.cursor.take_raw()),
            '\'' => self.cursor.skip_single()?,
            '"' => self.double()?,
            '`' => self.cursor.skip_backquote()?,
            '$' => self.dollar(false)?,
            _ => {}
        }
        Ok(())
    }

    fn double(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.cursor.take() {
            match c {
                '\\' => drop(self.cursor.take_raw()),
                '"' => return Ok(()),
                '`' => self.cursor.skip_backquote()?,
                '$' => self.dollar(true)?,
                _ => {}
            }
        }
        Err(UNSURE)
    }

    fn dollar(&mut self, quoted: bool) -> Result<(), Doubt> {
        if self.cursor.peek() != Some('(') || self.cursor.peek_second() == Some('(') {
            return self.cursor.skip_dollar(quoted);
        }
        self.cursor.skip(1);
        match self.deeper(Self::list)? {
            End::Parenthesis => Ok(()),
            End::Esac | End::Item => Err(UNSURE),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Doubt>) -> Result<T, Doubt> {
        self.depth += 1;
        let result = if self.depth > MAX_DEPTH { Err(UNSURE) } else { read(self) };
        self.depth -= 1;
        result
    }

    /// Commands to behind what ends them; `;;` is not passed over.
    fn list(&mut self) -> Result<End, Doubt> {
        // Whether a reserved word would be one here.
        let mut start = true;
        while let Some(c) = self.cursor.peek() {
            match c {
                ' ' | '\t' => self.cursor.skip(1),
                ';' if self.cursor.peek_second().is_some_and(|next| matches!(next, ';' | '&')) => {
                    return Ok(End::Item);
                }
                '\n' | ';' | '|' | '&' => {
                    self.cursor.skip(1);
                    start = true;
                }
                ')' => {
                    self.cursor.skip(1);
                    return Ok(End::Parenthesis);
                }
                '<' | '>' => {
                    self.redirection()?;
                    start = false;
                }
                '(' | '#' => return Err(UNSURE),
                _ => {
                    let word = self.word()?;
                    match word.as_str() {
                        "esac" if start => return Ok(End::Esac),
                        "case" if start => self.deeper(Self::case)?,
                        // The reserved word in a place that is not known to be one's.
                        "case" | "esac" => return Err(UNSURE),
                        word if start && OTHER_STARTS.contains(&word) => return Err(UNSURE),
                        _ => {}
                    }
                    start = start && OPENERS.contains(&word.as_str());
                }
            }
        }
        Err(UNSURE)
    }

    /// `>`, `>>`, `2>&1`, `&>`: the target is a word like any other. Here-documents are not followed.
    fn redirection(&mut self) -> Result<(), Doubt> {
        let first = self.cursor.take();
        match self.cursor.peek() {
            Some('<' | '(') => Err(UNSURE),
            Some('>') if first == Some('<') => Err(UNSURE),
            Some('>' | '&' | '|') => {
                self.cursor.skip(1);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Behind `case`: to behind its `esac`.
    fn case(&mut self) -> Result<(), Doubt> {
        self.blanks();
        self.word()?;
        self.blanks();
        if self.word()? != "in" {
            return Err(UNSURE);
        }
        loop {
            self.blanks();
            if self.cursor.peek() == Some('(') {
                self.cursor.skip(1);
                self.blanks();
            } else {
                let at = self.cursor.position();
                self.bare.push(at);
            }
            if self.patterns()? {
                self.bare.pop();
                return Ok(());
            }
            match self.list()? {
                End::Item => {}
                End::Esac => return Ok(()),
                End::Parenthesis => return Err(UNSURE),
            }
            while matches!(self.cursor.peek(), Some(';' | '&')) {
                self.cursor.skip(1);
            }
        }
    }

    /// `a | b)`; true if there was only the `esac` of the command.
    fn patterns(&mut self) -> Result<bool, Doubt> {
        let mut first = true;
        loop {
            self.blanks();
            match self.word()?.as_str() {
                "" => return Err(UNSURE),
                "esac" if first => return Ok(true),
                _ => {}
            }
            first = false;
            self.blanks();
            match self.cursor.take() {
                Some(')') => return Ok(false),
                Some('|') => {}
                _ => return Err(UNSURE),
            }
        }
    }

    /// A word as it is written.
    fn word(&mut self) -> Result<String, Doubt> {
        let start = self.cursor.position();
        let ends = |c: char| matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')');
        while let Some(c) = self.cursor.peek().filter(|c| !ends(*c)) {
            self.unit(c)?;
        }
        Ok(self.cursor.text_since(start, 0))
    }

    fn blanks(&mut self) {
        while matches!(self.cursor.peek(), Some(' ' | '\t' | '\n')) {
            self.cursor.skip(1);
        }
    }
}
