//! Where a quoted or nested construct ends.

use super::Doubt;

/// How deep quotes and substitutions may nest inside one word.
const MAX_NESTING: usize = 24;

/// A here-document whose body is still to come.
struct Document {
    tag: String,
    /// Whether tabs in front of a line do not count.
    tabs: bool,
}

/// A place in shell text.
pub(crate) struct Cursor<'a> {
    chars: &'a [char],
    at: usize,
    depth: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(chars: &'a [char]) -> Self {
        Self { chars, at: 0, depth: 0 }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(crate) fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    pub(crate) fn skip(&mut self, count: usize) {
        self.at = (self.at + count).min(self.chars.len());
    }

    /// Back to a position that `position` gave.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position.min(self.at);
    }

    /// The text from a position to `trim` characters before this one.
    pub(crate) fn text_since(&self, start: usize, trim: usize) -> String {
        let end = self.at.saturating_sub(trim).max(start);
        self.chars.get(start..end).unwrap_or_default().iter().collect()
    }

    /// Behind the opening `'`: to behind the closing one.
    pub(crate) fn skip_single(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.take() {
            if c == '\'' {
                return Ok(());
            }
        }
        Err(Doubt::Unreadable("a single quote is not closed"))
    }

    /// Behind the opening `$'`: to behind the closing quote.
    pub(crate) fn skip_ansi(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.take() {
            match c {
                '\\' => self.skip(1),
                '\'' => return Ok(()),
                _ => {}
            }
        }
        Err(Doubt::Unreadable("a `$'` quote is not closed"))
    }

    /// Behind the opening backquote: to behind the closing one.
    pub(crate) fn skip_backquote(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.take() {
            match c {
                '\\' => self.skip(1),
                '`' => return Ok(()),
                _ => {}
            }
        }
        Err(Doubt::Unreadable("a backquote is not closed"))
    }

    /// Behind the opening `"`: to behind the closing one.
    pub(crate) fn skip_double(&mut self) -> Result<(), Doubt> {
        self.nested(|cursor| {
            while let Some(c) = cursor.take() {
                match c {
                    '\\' => cursor.skip(1),
                    '"' => return Ok(()),
                    '$' => cursor.skip_dollar(true)?,
                    '`' => cursor.skip_backquote()?,
                    _ => {}
                }
            }
            Err(Doubt::Unreadable("a double quote is not closed"))
        })
    }

    /// Behind `${`: to behind its `}`.
    pub(crate) fn skip_braces(&mut self, quoted: bool) -> Result<(), Doubt> {
        self.nested(|cursor| {
            while let Some(c) = cursor.take() {
                match c {
                    '\\' => cursor.skip(1),
                    '}' => return Ok(()),
                    '<' if cursor.peek() == Some('<') => {
                        return Err(Doubt::Unreadable("a `<<` in `${…}`"));
                    }
                    '\'' if quoted => {
                        return Err(Doubt::Unreadable("a single quote in a quoted `${…}`"));
                    }
                    '\'' => cursor.skip_single()?,
                    '"' => cursor.skip_double()?,
                    '$' => cursor.skip_dollar(quoted)?,
                    '`' => cursor.skip_backquote()?,
                    _ => {}
                }
            }
            Err(Doubt::Unreadable("a `${` is not closed"))
        })
    }

    /// Behind `$[`: to behind its `]`.
    pub(crate) fn skip_brackets(&mut self) -> Result<(), Doubt> {
        let mut open = 1usize;
        while let Some(c) = self.take() {
            match c {
                '[' => open += 1,
                ']' => open -= 1,
                _ => {}
            }
            if open == 0 {
                return Ok(());
            }
            if matches!(c, '\'' | '"' | '\\' | '$' | '`' | '{' | '}' | ';' | '#') {
                return Err(Doubt::Unreadable("more than an expression in `$[…]`"));
            }
        }
        Err(Doubt::Unreadable("a `$[` is not closed"))
    }

    /// Behind `$((`: to behind `))` and true, or unmoved and false if this is a command after all.
    pub(crate) fn skip_arithmetic(&mut self) -> Result<bool, Doubt> {
        let start = self.at;
        let mut open = 0usize;
        while let Some(c) = self.take() {
            match c {
                '\\' => self.skip(1),
                '\'' => return Err(Doubt::Unreadable("a single quote in `$((…))`")),
                '"' => self.skip_double()?,
                '$' => self.nested(|cursor| cursor.skip_dollar(true))?,
                '`' => self.skip_backquote()?,
                '(' => open += 1,
                ')' if open > 0 => open -= 1,
                ')' if self.peek() == Some(')') => {
                    self.skip(1);
                    return Ok(true);
                }
                ')' => break,
                _ => {}
            }
        }
        self.at = start;
        Ok(false)
    }

    /// Behind `$(`: to behind its `)`.
    pub(crate) fn skip_command(&mut self) -> Result<(), Doubt> {
        self.nested(|cursor| cursor.commands(true).map(|_| ()))
    }

    /// Over a whole command line: the positions behind every `<<` that begins a here-document.
    pub(crate) fn documents(&mut self) -> Result<Vec<usize>, Doubt> {
        self.commands(false)
    }

    fn commands(&mut self, in_parentheses: bool) -> Result<Vec<usize>, Doubt> {
        let mut open = 1usize;
        let mut documents = Vec::new();
        let mut found = Vec::new();
        let mut word_start = true;
        while let Some(c) = self.take() {
            match c {
                '\\' => self.skip(1),
                '\'' => self.skip_single()?,
                '"' => self.skip_double()?,
                '$' => self.skip_dollar(false)?,
                '`' => self.skip_backquote()?,
                '(' if self.peek() == Some('(') && self.skip_expression() => {}
                '(' => open += 1,
                ')' if in_parentheses || open > 1 => open -= 1,
                '#' if word_start => self.skip_comment(in_parentheses)?,
                '<' if self.peek() == Some('<') => {
                    if let Some((document, position)) = self.here_tag()? {
                        documents.push(document);
                        found.push(position);
                    }
                }
                '\n' => self.skip_documents(&mut documents, in_parentheses)?,
                _ => {}
            }
            if open == 0 {
                break;
            }
            word_start = matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>');
        }
        if !documents.is_empty() {
            return Err(Doubt::Unreadable("a here-document has no body"));
        }
        if in_parentheses && open > 0 {
            return Err(Doubt::Unreadable("a `$(` is not closed"));
        }
        Ok(found)
    }

    /// Behind the first of two parentheses: over `((…))`, if it is one.
    fn skip_expression(&mut self) -> bool {
        let start = self.at;
        self.skip(1);
        let is_arithmetic = self.skip_arithmetic() == Ok(true);
        if !is_arithmetic {
            self.at = start;
        }
        is_arithmetic
    }

    /// At the second half of `$$`: whether something follows that `$` could begin.
    pub(crate) fn doubles(&self) -> bool {
        matches!(self.peek_at(1), Some('{' | '(' | '[' | '\'' | '"'))
    }

    /// Behind `$`: over whatever it begins.
    pub(crate) fn skip_dollar(&mut self, quoted: bool) -> Result<(), Doubt> {
        match self.peek() {
            Some('\'') if !quoted => {
                self.skip(1);
                self.skip_ansi()
            }
            Some('{') => {
                self.skip(1);
                self.skip_braces(quoted)
            }
            Some('[') => {
                self.skip(1);
                self.skip_brackets()
            }
            Some('(') => {
                self.skip(1);
                if self.peek() == Some('(') {
                    self.skip(1);
                    if self.skip_arithmetic()? {
                        return Ok(());
                    }
                    self.at -= 1;
                }
                self.skip_command()
            }
            // The parser lends the second half of `$$` to what follows, the shell does not.
            Some('$') if self.doubles() => Err(Doubt::Unreadable("a quote or bracket behind `$$`")),
            Some('$') => {
                self.skip(1);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Doubt>) -> Result<T, Doubt> {
        self.depth += 1;
        let result = if self.depth > MAX_NESTING {
            Err(Doubt::TooComplex("substitutions nest too deep"))
        } else {
            read(self)
        };
        self.depth -= 1;
        result
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.skip(1);
        }
    }

    /// The tokenizer reads some comments inside `$(…)` as words: there must be nothing in them to misread.
    fn skip_comment(&mut self, in_parentheses: bool) -> Result<(), Doubt> {
        let start = self.at;
        self.skip_line();
        let special = ['<', '\'', '"', '(', ')', '{', '}', '[', ']', '$', '`', '\\'];
        if in_parentheses && self.text_since(start, 0).contains(special) {
            return Err(Doubt::Unreadable("a comment with quotes or brackets inside `$(…)`"));
        }
        Ok(())
    }

    /// Behind the first `<` of `<<`: the end tag and where the operator ends, or nothing for a here-string.
    fn here_tag(&mut self) -> Result<Option<(Document, usize)>, Doubt> {
        self.skip(1);
        if self.peek() == Some('<') {
            self.skip(1);
            return Ok(None);
        }
        let tabs = self.peek() == Some('-');
        self.skip(usize::from(tabs));
        let position = self.at;
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.skip(1);
        }
        let start = self.at;
        while self
            .peek()
            .is_some_and(|c| !matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')'))
        {
            self.skip(1);
        }
        match plain_tag(&self.text_since(start, 0)) {
            Some(tag) => Ok(Some((Document { tag, tabs }, position))),
            None => Err(Doubt::Unreadable("the end tag of a here-document is not plain")),
        }
    }

    /// Behind the newline that begins them: over the bodies of the here-documents.
    fn skip_documents(&mut self, documents: &mut Vec<Document>, in_parentheses: bool) -> Result<(), Doubt> {
        for Document { tag, tabs } in documents.drain(..) {
            loop {
                if self.peek().is_none() {
                    return Err(Doubt::Unreadable("a here-document has no end"));
                }
                let start = self.at;
                self.skip_line();
                let line = self.text_since(start, 0);
                self.skip(1);
                let line = if tabs { line.trim_start_matches('\t') } else { &line };
                if line == tag {
                    break;
                }
                if in_parentheses && line.starts_with(&tag) && line.contains(')') {
                    // For bash this line ends the document, too.
                    return Err(Doubt::Unreadable("a line that may end a here-document"));
                }
            }
        }
        Ok(())
    }
}

/// The end tag that a here-document's word means, if every shell and every parser reads it alike.
pub(crate) fn plain_tag(word: &str) -> Option<String> {
    let inner = word
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
        .or_else(|| word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')))
        .or_else(|| word.strip_prefix('\\'))
        .unwrap_or(word);
    let plain = |c: char| {
        c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '!' | '@' | '%' | '+' | '=' | ':' | '/' | ',')
    };
    (!inner.is_empty() && inner.chars().all(plain)).then(|| inner.to_owned())
}
