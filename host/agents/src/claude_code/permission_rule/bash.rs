//! Matches command lines against patterns. A line is split into the commands that it runs; a line that is too complex to split cannot be
//! judged.

use crate::claude_code::wildcard;

/// Deepest nesting of `$(…)`.
const MAX_DEPTH: usize = 20;
/// Words that do not begin a simple command.
const KEYWORDS: [&str; 20] = [
    "!", "{", "}", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
    "if", "select", "then", "time", "until", "while",
];
/// Programs that run the command in their arguments, and that a rule looks through.
const WRAPPERS: [&str; 5] = ["timeout", "nice", "nohup", "stdbuf", "xargs"];

/// Returns true if the pattern matches a command of this line.
pub(super) fn matches_line(pattern: &str, line: &str) -> bool {
    // A line that cannot be split may hide any command, so the hook runs.
    let Some(line) = BashLine::parse(line, 0) else { return true };
    // The pattern may be about the expanded text.
    if line.expands && is_more_than_a_name(pattern) {
        return true;
    }
    line.commands.iter().any(|command| means_command(pattern, command))
}

/// Returns true if the pattern restricts more than the program's name.
fn is_more_than_a_name(pattern: &str) -> bool {
    let rest = pattern.trim_end_matches('*').trim_end_matches([':', ' ']);
    rest.contains(|c: char| c.is_whitespace() || c == '*')
}

fn means_command(pattern: &str, command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let Some(first) = words.first() else { return false };
    // The called program cannot be determined.
    if first.contains(['$', '`']) {
        return true;
    }
    // `timeout 5 git push` is a `git push`. The options of a wrapper are not parsed: the command may begin at
    // any of the words.
    let wraps = WRAPPERS.contains(first);
    (0..words.len()).take(if wraps { words.len() } else { 1 }).any(|skipped| {
        let text = words.get(skipped..).unwrap_or_default().join(" ");
        // `git push >log` is to match `git push`, but a pattern may also name the redirection.
        means_text(pattern, &text) || means_text(pattern, without_redirections(&text))
    })
}

fn means_text(pattern: &str, text: &str) -> bool {
    let begins =
        |name: &str| text == name || text.strip_prefix(name).is_some_and(|rest| rest.starts_with(' '));
    match pattern.strip_suffix(":*") {
        Some(name) => begins(name),
        None => {
            wildcard::matches_text(pattern, text)
                // A rule `git push *` also covers the command without arguments.
                || pattern.strip_suffix(" *").is_some_and(|name| text == name)
        }
    }
}

/// Returns the text before the first `<` or `>`.
fn without_redirections(text: &str) -> &str {
    let text = text.split(['<', '>']).next().unwrap_or_default();
    text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '&').trim_end()
}

#[derive(Default)]
struct BashLine {
    commands: Vec<String>,
    /// True if the line expands a variable or the output of a command.
    expands: bool,
}

impl BashLine {
    /// Parses a line; `None` if it does not consist of simple commands alone.
    fn parse(line: &str, depth: usize) -> Option<Self> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut scan = Scan { rest: line, depth, line: Self::default(), command: String::new() };
        while let Some(c) = scan.next() {
            scan.take_char(c)?;
        }
        scan.end_command()?;
        Some(scan.line)
    }
}

struct Scan<'l> {
    rest: &'l str,
    depth: usize,
    line: BashLine,
    command: String,
}

impl Scan<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = self.rest.get(c.len_utf8()..)?;
        Some(c)
    }

    fn take_char(&mut self, c: char) -> Option<()> {
        match c {
            '\\' => self.take_escape()?,
            '\'' => self.take_single_quotes()?,
            '"' => self.take_double_quotes()?,
            '$' => self.take_expansion()?,
            '`' => self.take_backquotes()?,
            // `2>&1` does not end a command.
            '&' if self.command.ends_with(['>', '<']) || self.rest.starts_with('>') => self.command.push(c),
            ';' | '&' | '|' | '\n' => self.end_command()?,
            // A subshell or a function definition; its commands are not simple ones.
            '(' | ')' => return None,
            // The body of a here-document follows in later lines, which are not commands of this shell.
            '<' if self.rest.starts_with('<') => return None,
            // Whether a `#` begins a comment depends on the shell and its options, so the line is not judged.
            '#' if self.command.is_empty() || self.command.ends_with(char::is_whitespace) => return None,
            c => self.command.push(c),
        }
        Some(())
    }

    fn take_escape(&mut self) -> Option<()> {
        match self.next()? {
            '\n' => self.command.push(' '),
            c => self.command.extend(['\\', c]),
        }
        Some(())
    }

    fn take_single_quotes(&mut self) -> Option<()> {
        let (text, rest) = self.rest.split_once('\'')?;
        self.command.extend(["'", text, "'"]);
        self.rest = rest;
        Some(())
    }

    fn take_double_quotes(&mut self) -> Option<()> {
        self.command.push('"');
        loop {
            match self.next()? {
                '"' => break,
                '\\' => self.take_escape()?,
                '$' => self.take_expansion()?,
                '`' => self.take_backquotes()?,
                c => self.command.push(c),
            }
        }
        self.command.push('"');
        Some(())
    }

    /// Reads a variable, or the commands of `$(…)`; arithmetic and `${…}` with anything but a name in it are not judged.
    fn take_expansion(&mut self) -> Option<()> {
        self.command.push('$');
        let begins = |rest: &str, is: fn(char) -> bool| rest.chars().next().is_some_and(is);
        if let Some(rest) = self.rest.strip_prefix('(') {
            let inner = rest.get(..find_closing(rest)?)?;
            self.rest = rest.get(inner.len() + 1..)?;
            self.add_substitution(inner)?;
        } else if let Some(rest) = self.rest.strip_prefix('{') {
            let (name, rest) = rest.split_once('}')?;
            self.rest = rest;
            self.line.expands = true;
            return name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()).then_some(());
        // `$'…'` has escapes that can write any command name.
        } else if begins(self.rest, |c| c == '\'' || c == '"') {
            return None;
        } else if begins(self.rest, |c| c.is_ascii_alphanumeric() || "_@*#?$!-".contains(c)) {
            self.line.expands = true;
        }
        Some(())
    }

    fn take_backquotes(&mut self) -> Option<()> {
        let (inner, rest) = self.rest.split_once('`')?;
        self.rest = rest;
        self.command.push('`');
        // Within backquotes a backslash has rules of its own, and nested backquotes are written with it.
        if inner.contains('\\') {
            return None;
        }
        self.add_substitution(inner)
    }

    fn add_substitution(&mut self, inner: &str) -> Option<()> {
        self.line.expands = true;
        self.line.commands.extend(BashLine::parse(inner, self.depth + 1)?.commands);
        Some(())
    }

    /// Ends the current command, and removes the assignments before it.
    fn end_command(&mut self) -> Option<()> {
        let command = std::mem::take(&mut self.command);
        let mut rest = command.trim();
        while let Some((name, behind)) = rest.split_once('=') {
            let is_name = !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
            if !is_name {
                break;
            }
            rest = behind.get(value_length(behind)..)?.trim_start();
        }
        let first = rest.split_whitespace().next().unwrap_or_default();
        // The commands of a compound statement follow its keyword, so the first word is not the program.
        if KEYWORDS.contains(&first) {
            return None;
        }
        self.line.commands.extend((!rest.is_empty()).then(|| rest.to_owned()));
        Some(())
    }
}

/// Returns the length of an assignment's value, which ends at an unquoted blank.
fn value_length(text: &str) -> usize {
    let mut quoting = Quoting::default();
    text.find(|c: char| quoting.passes_plain(c) && c.is_whitespace()).unwrap_or(text.len())
}

/// Returns the position of the bracket that closes `$(`; `None` if it cannot be determined.
fn find_closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoting) = (0, Quoting::default());
    for (at, c) in text.char_indices() {
        // Quotes within quotes: not as simple as that.
        if c == '(' && quoting.open == Some('"') && !quoting.is_escaped {
            return None;
        }
        match c {
            _ if !quoting.passes_plain(c) => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// State of quotes and backslashes at a position of a text.
#[derive(Default)]
struct Quoting {
    /// The open quote.
    open: Option<char>,
    /// True if a backslash precedes the position.
    is_escaped: bool,
}

impl Quoting {
    /// Passes the next character; returns true if it is outside quotes, and neither quotes nor escapes.
    fn passes_plain(&mut self, next: char) -> bool {
        match (next, self.open) {
            _ if self.is_escaped => self.is_escaped = false,
            ('\\', None | Some('"')) => self.is_escaped = true,
            (c, Some(open)) if c == open => self.open = None,
            ('\'' | '"', None) => self.open = Some(next),
            (_, open) => return open.is_none(),
        }
        false
    }
}
