//! The words of a command line, where they are known before a shell reads it.
//!
//! A trusted hook runs the files that its words named when it was trusted. So either every character of a word is known, or the
//! line is refused: no word is guessed. The grammar is that of `sh` for words, quotes and operators; anything else that a shell
//! would expand is unknown here.

use std::ops::Range;

/// Variable with the project's folder as its value where a trusted hook runs.
pub(crate) const PROJECT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";
/// Variable with the folder in which a command runs as its value.
const FOLDER_VARIABLE: &str = "PWD";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Position in the line, with its quotes.
    pub(crate) place: Range<usize>,
    /// The word after the shell's expansion.
    pub(crate) value: String,
}

/// A word that is not known before the line runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownWord {
    pub(crate) word: String,
    /// Description of the expansion in it.
    pub(crate) what: &'static str,
}

const VARIABLE: &str = "a variable";
const SUBSTITUTION: &str = "the output of a command";
const PATTERN: &str = "a pattern of file names";
const ALTERNATIVES: &str = "alternatives in braces";
const HOME: &str = "a home folder";
const OPEN_QUOTE: &str = "a quotation mark without its other half";
const NOT_OF_SH: &str = "a quotation that not every shell reads alike";
const HERE_DOCUMENT: &str = "a here-document";

/// Splits a line into its words; `root` is the project's folder, and `folder` is where the line runs.
///
/// # Errors
///
/// The first word that is not known before the line runs.
pub(crate) fn split_line(line: &str, root: &str, folder: &str) -> Result<Vec<Word>, UnknownWord> {
    let mut reader = Reader { line, at: 0, root, folder, words: Vec::new() };
    while reader.at < line.len() {
        reader.next()?;
    }
    Ok(reader.words)
}

struct Reader<'a> {
    line: &'a str,
    at: usize,
    root: &'a str,
    folder: &'a str,
    words: Vec<Word>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.line.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take_char(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads blanks, a comment, an operator or a word.
    fn next(&mut self) -> Result<(), UnknownWord> {
        match self.peek() {
            Some('<') if self.rest().starts_with("<<") => {
                return Err(self.reject_word(self.at, HERE_DOCUMENT));
            }
            Some(';' | '&' | '|' | '(' | ')' | '<' | '>') => drop(self.take_char()),
            Some(blank) if is_blank(blank) => drop(self.take_char()),
            Some('#') => self.at = self.rest().find('\n').map_or(self.line.len(), |end| self.at + end),
            Some(_) => self.read_word()?,
            None => {}
        }
        Ok(())
    }

    fn read_word(&mut self) -> Result<(), UnknownWord> {
        let start = self.at;
        let mut value = String::new();
        while let Some(next) = self.peek() {
            match next {
                ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                blank if is_blank(blank) => break,
                '\'' => self.single_quoted(start, &mut value)?,
                '"' => self.double_quoted(start, &mut value)?,
                '\\' => {
                    self.take_char();
                    // A line break behind it is not part of the word.
                    value.extend(self.take_char().filter(|escaped| *escaped != '\n'));
                }
                // bash reads escapes in `$'…'`; older shells read a `$` and a quoted word.
                '$' if is_quotation(self.rest()) => return Err(self.reject_word(start, NOT_OF_SH)),
                '$' => self.read_variable(start, &mut value)?,
                '`' => return Err(self.reject_word(start, SUBSTITUTION)),
                '*' | '?' => return Err(self.reject_word(start, PATTERN)),
                '[' if self.closes_bracket() => return Err(self.reject_word(start, PATTERN)),
                // bash, which is `sh` on some systems, expands alternatives; dash does not.
                '{' if !is_brace_word(self.rest()) => return Err(self.reject_word(start, ALTERNATIVES)),
                // In an assignment a shell also expands `~` after `=` and `:`.
                '~' if value.is_empty() || value.ends_with(['=', ':']) => {
                    return Err(self.reject_word(start, HOME));
                }
                other => {
                    self.take_char();
                    value.push(other);
                }
            }
        }
        self.words.push(Word { place: start..self.at, value });
        Ok(())
    }

    /// Returns true if the word closes its bracket. One that stays open is literal: `[` is a command, too.
    fn closes_bracket(&self) -> bool {
        self.rest().split(is_blank).next().is_some_and(|word| word.contains(']'))
    }

    fn single_quoted(&mut self, start: usize, value: &mut String) -> Result<(), UnknownWord> {
        self.take_char();
        let Some(end) = self.rest().find('\'') else { return Err(self.reject_word(start, OPEN_QUOTE)) };
        value.push_str(self.rest().get(..end).unwrap_or_default());
        self.at += end + 1;
        Ok(())
    }

    fn double_quoted(&mut self, start: usize, value: &mut String) -> Result<(), UnknownWord> {
        self.take_char();
        loop {
            match self.peek() {
                None => return Err(self.reject_word(start, OPEN_QUOTE)),
                Some('"') => {
                    self.take_char();
                    return Ok(());
                }
                Some('$') => self.read_variable(start, value)?,
                Some('`') => return Err(self.reject_word(start, SUBSTITUTION)),
                Some('\\') => {
                    self.take_char();
                    match self.take_char() {
                        Some('\n') | None => {}
                        Some(escaped @ ('$' | '`' | '"' | '\\')) => value.push(escaped),
                        // POSIX: within double quotes, a backslash before any other character is literal.
                        Some(other) => value.extend(['\\', other]),
                    }
                }
                Some(other) => {
                    self.take_char();
                    value.push(other);
                }
            }
        }
    }

    /// Reads a variable: that of the project's folder is known. A `$` that begins no variable is literal.
    fn read_variable(&mut self, start: usize, value: &mut String) -> Result<(), UnknownWord> {
        self.take_char();
        let rest = self.rest();
        match rest.chars().next() {
            Some('(') => return Err(self.reject_word(start, SUBSTITUTION)),
            Some(next) if next.is_ascii_alphanumeric() || "{_@*#?$!-".contains(next) => {}
            _ => {
                value.push('$');
                return Ok(());
            }
        }
        let (name, length) = if let Some(braced) = rest.strip_prefix('{') {
            // Without a closing brace the name is empty, and so the variable is unknown.
            let end = braced.find('}').unwrap_or_default();
            (braced.get(..end).unwrap_or_default(), end + 2)
        } else {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            (rest.get(..end).unwrap_or_default(), end)
        };
        let known = match name {
            PROJECT_VARIABLE => self.root,
            // A shell sets this variable when it starts.
            FOLDER_VARIABLE => self.folder,
            _ => return Err(self.reject_word(start, VARIABLE)),
        };
        self.at += length;
        value.push_str(known);
        Ok(())
    }

    /// Builds the error for the word that begins at `start`, up to the next blank.
    fn reject_word(&self, start: usize, what: &'static str) -> UnknownWord {
        let rest = self.line.get(start..).unwrap_or_default();
        let word = rest.split(is_blank).next().unwrap_or_default();
        UnknownWord { word: word.to_owned(), what }
    }
}

/// Returns true for a blank of `sh`. A carriage return or a form feed is part of a word for every shell.
fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n')
}

/// Returns true for `$'…'` and `$"…"`.
fn is_quotation(rest: &str) -> bool {
    rest.strip_prefix('$').is_some_and(|rest| rest.starts_with(['\'', '"']))
}

/// Returns true for a brace alone and for `{}`, which are words.
fn is_brace_word(rest: &str) -> bool {
    let after = rest.strip_prefix("{}").or_else(|| rest.strip_prefix('{')).unwrap_or_default();
    after.chars().next().is_none_or(|next| is_blank(next) || ";&|)".contains(next))
}

/// Quotes a word so that every shell reads it as itself.
pub(crate) fn quote_word(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:=@%".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_owned();
    }
    format!("'{}'", value.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_values(line: &str) -> Vec<String> {
        split_line(line, "/p", "/p").unwrap().into_iter().map(|word| word.value).collect()
    }

    #[test]
    fn a_word_is_what_a_shell_makes_of_it() {
        for (line, words) in [
            ("sh scripts/a.sh", &["sh", "scripts/a.sh"][..]),
            (r#""$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh"#, &["/p/.claude/hooks/check.sh"]),
            (r#""${CLAUDE_PROJECT_DIR}/a b.sh""#, &["/p/a b.sh"]),
            ("$PWD/a.sh;'b'\".sh\"", &["/p/a.sh", "b.sh"]),
            (r"scri'pts'/a\.sh", &["scripts/a.sh"]),
            (r#""a\"b\c$" '$HOME'"#, &["a\"b\\c$", "$HOME"]),
            ("a # b $c\nd", &["a", "d"]),
            ("sh a.sh\r\nb\x0cc", &["sh", "a.sh\r", "b\x0cc"]),
            ("x 2>/dev/null <in", &["x", "2", "/dev/null", "in"]),
            ("find . -exec a {} +", &["find", ".", "-exec", "a", "{}", "+"]),
            ("[ -f a ] && b", &["[", "-f", "a", "]", "b"]),
        ] {
            assert_eq!(split_values(line), words, "{line}");
        }
    }

    #[test]
    fn a_line_with_a_word_that_is_not_known_is_refused_with_the_word() {
        for (line, word, what) in [
            ("sh $DIR/a.sh b", "$DIR/a.sh", VARIABLE),
            ("sh \"${PWD:-x}\"/a.sh", "\"${PWD:-x}\"/a.sh", VARIABLE),
            ("sh $1", "$1", VARIABLE),
            ("sh ${PWD", "${PWD", VARIABLE),
            ("sh $(cat a)", "$(cat", SUBSTITUTION),
            ("sh `cat a`", "`cat", SUBSTITUTION),
            ("sh scripts/*.sh", "scripts/*.sh", PATTERN),
            ("sh scripts/[a].sh", "scripts/[a].sh", PATTERN),
            ("sh scripts/{a,b}.sh", "scripts/{a,b}.sh", ALTERNATIVES),
            ("sh ~/a.sh", "~/a.sh", HOME),
            ("sh $'a.sh'", "$'a.sh'", NOT_OF_SH),
            ("sh 'a.sh", "'a.sh", OPEN_QUOTE),
            ("sh <<E\na.sh\nE", "<<E", HERE_DOCUMENT),
        ] {
            assert_eq!(
                split_line(line, "/p", "/p"),
                Err(UnknownWord { word: word.to_owned(), what }),
                "{line}"
            );
        }
    }

    #[test]
    fn a_quoted_word_is_read_as_itself() {
        for value in ["a", "a b", "it's", "$PWD", "", "a\nb"] {
            assert_eq!(split_values(&quote_word(value)), [value], "{value}");
        }
    }
}
