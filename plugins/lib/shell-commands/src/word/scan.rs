//! Ends of quoted and nested constructs.

use super::{Doubt, cursor::Cursor};

/// Maximum depth of quotes and substitutions inside one word.
const MAX_NESTING: usize = 24;

/// A here-document whose body is still to come.
struct Document {
    tag: String,
    /// True if tabs in front of a line do not count.
    tabs: bool,
    /// True if the tag is quoted, so that every character of the body stands for itself.
    literal: bool,
}

/// The here-documents of a command line.
#[derive(Default)]
pub(crate) struct Documents {
    /// The positions behind every `<<` that begins one, in characters.
    pub(crate) starts: Vec<usize>,
    /// The tags of those that the end of the text ends, in order.
    pub(crate) unclosed: Vec<String>,
}

impl Cursor<'_> {
    /// Behind the opening `'`: to behind the closing one.
    pub(crate) fn skip_single(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.take_raw() {
            if c == '\'' {
                return Ok(());
            }
        }
        Err(Doubt::Unreadable("a single quote is not closed"))
    }

    /// Behind the opening `$'`: to behind the closing quote.
    pub(crate) fn skip_ansi(&mut self) -> Result<(), Doubt> {
        while let Some(c) = self.take_raw() {
            match c {
                '\\' => drop(self.take_raw()),
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
                '\\' => drop(self.take_raw()),
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
                    '\\' => drop(cursor.take_raw()),
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
        let start = self.position();
        self.nested(|cursor| {
            while let Some(c) = cursor.take() {
                match c {
                    '\\' => drop(cursor.take_raw()),
                    '}' => return Ok(()),
                    '<' if cursor.peek() == Some('<') => {
                        return Err(Doubt::Unreadable("a `<<` in `${…}`"));
                    }
                    '\'' if quoted => cursor.skip_single_in_double(start)?,
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

    /// Behind a `'` in a quoted `${…}` that begins at `start`. Some shells take it for a quote and some do not, which
    /// depends on the operator, too. So only a pair around text that ends nothing in either reading, in the pattern or
    /// the text of `#`, `%` and `/`, whose result is not followed.
    fn skip_single_in_double(&mut self, start: usize) -> Result<(), Doubt> {
        const DOUBT: Doubt = Doubt::Unreadable("a single quote in a quoted `${…}`");
        let head = self.text_since(start, 1);
        let operator = head.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if operator.len() == head.len() || !operator.starts_with(['#', '%', '/']) {
            return Err(DOUBT);
        }
        while let Some(c) = self.take_raw() {
            match c {
                '\'' => return Ok(()),
                '\\' if self.peek_raw().is_some_and(|next| next.is_ascii_alphanumeric()) => {}
                '\\' | '"' | '$' | '`' | '{' | '}' | '<' => return Err(DOUBT),
                _ => {}
            }
        }
        Err(DOUBT)
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
        let start = self.position();
        let mut open = 0usize;
        while let Some(c) = self.take() {
            match c {
                '\\' => drop(self.take_raw()),
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
        self.rewind(start);
        Ok(false)
    }

    /// Behind `$(`: to behind its `)`.
    pub(crate) fn skip_command(&mut self) -> Result<(), Doubt> {
        self.nested(|cursor| cursor.commands(true).map(|_| ()))
    }

    /// Over a whole command line: its here-documents.
    pub(crate) fn documents(&mut self) -> Result<Documents, Doubt> {
        self.commands(false)
    }

    fn commands(&mut self, in_parentheses: bool) -> Result<Documents, Doubt> {
        let mut open = 1usize;
        let mut documents = Vec::new();
        let mut found = Documents::default();
        let mut word_start = true;
        while let Some(c) = self.take() {
            match c {
                '\\' => drop(self.take_raw()),
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
                        found.starts.push(position);
                    }
                }
                '\n' => {
                    found.unclosed = self.skip_documents(std::mem::take(&mut documents), in_parentheses)?;
                }
                _ => {}
            }
            if open == 0 {
                break;
            }
            word_start = matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>');
        }
        if in_parentheses && !documents.is_empty() {
            return Err(Doubt::Unreadable("a here-document has no body"));
        }
        found.unclosed.extend(documents.into_iter().map(|document| document.tag));
        if in_parentheses && open > 0 {
            return Err(Doubt::Unreadable("a `$(` is not closed"));
        }
        Ok(found)
    }

    /// Behind the first of two parentheses: over `((…))`, if it is one.
    fn skip_expression(&mut self) -> bool {
        let start = self.position();
        self.skip(1);
        let is_arithmetic = self.skip_arithmetic() == Ok(true);
        if !is_arithmetic {
            self.rewind(start);
        }
        is_arithmetic
    }

    /// At the second half of `$$`: whether something follows that `$` could begin. Between double quotes it begins
    /// no quotes.
    pub(crate) fn doubles(&self, quoted: bool) -> bool {
        match self.peek_second() {
            Some('{' | '(' | '[') => true,
            Some('\'' | '"') => !quoted,
            _ => false,
        }
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
                let start = self.position();
                if self.peek() == Some('(') {
                    self.skip(1);
                    if self.skip_arithmetic()? {
                        return Ok(());
                    }
                    self.rewind(start);
                }
                self.skip_command()
            }
            // The parser lends the second half of `$$` to what follows, the shell does not.
            Some('$') if self.doubles(quoted) => Err(Doubt::Unreadable("a quote or bracket behind `$$`")),
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

    /// To the end of the line. Lines that the shell joins are one, unless they are literal.
    fn skip_line(&mut self, literal: bool) {
        loop {
            if !literal {
                self.pass_joints();
            }
            if matches!(self.peek_raw(), None | Some('\n')) {
                return;
            }
            if self.take_raw() == Some('\\') && self.peek_raw() != Some('\n') {
                self.take_raw();
            }
        }
    }

    /// The tokenizer reads some comments inside `$(…)` as words: there must be nothing in them to misread.
    fn skip_comment(&mut self, in_parentheses: bool) -> Result<(), Doubt> {
        let start = self.position();
        self.skip_line(true);
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
        let position = self.position();
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.skip(1);
        }
        let start = self.position();
        while self
            .peek()
            .is_some_and(|c| !matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')'))
        {
            self.skip(1);
        }
        let word = self.text_since(start, 0);
        match plain_tag(&word) {
            Some(tag) => Ok(Some((Document { literal: tag != word, tag, tabs }, position))),
            None => Err(Doubt::Unreadable("the end tag of a here-document is not plain")),
        }
    }

    /// Behind the newline that begins them: over the bodies of the here-documents. Gives the tags of those that only
    /// the end of the text ends: every shell takes that for the end of the document, too.
    fn skip_documents(
        &mut self,
        documents: Vec<Document>,
        in_parentheses: bool,
    ) -> Result<Vec<String>, Doubt> {
        let mut unclosed = Vec::new();
        for document in documents {
            if !self.skip_document(&document, in_parentheses)? {
                unclosed.push(document.tag);
            }
        }
        Ok(unclosed)
    }

    /// Over the body of one; false if the text ends before it does.
    fn skip_document(&mut self, document: &Document, in_parentheses: bool) -> Result<bool, Doubt> {
        let Document { tag, tabs, literal } = document;
        loop {
            match self.peek_raw() {
                None if in_parentheses => return Err(Doubt::Unreadable("a here-document has no end")),
                None => return Ok(false),
                Some(_) => {}
            }
            let (start, joints) = (self.position(), self.joints().len());
            self.skip_line(*literal);
            let line = self.text_since(start, 0);
            let is_joined = self.joints().len() > joints;
            if !literal && self.peek_raw().is_none() && line.ends_with('\\') {
                return Err(Doubt::Unreadable("a here-document ends in a backslash"));
            }
            self.take_raw();
            let line = if *tabs { line.trim_start_matches('\t') } else { &line };
            if line == tag && is_joined {
                // bash ends the document here, dash does not.
                return Err(Doubt::Unreadable("the end tag of a here-document on two lines"));
            }
            if line == tag {
                return Ok(true);
            }
            if in_parentheses && line.starts_with(tag.as_str()) && line.contains(')') {
                // For bash this line ends the document, too.
                return Err(Doubt::Unreadable("a line that may end a here-document"));
            }
        }
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
