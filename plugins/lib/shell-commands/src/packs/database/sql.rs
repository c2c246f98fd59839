//! A reader of SQL: enough to separate statements, their verbs and their conditions.

use crate::arg::UNKNOWN;

/// Maximum size of a script that is read, in bytes.
const MAX_SCRIPT: usize = 256 * 1024;

/// Effects of a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// True if the script drops something that holds data or that others rely on.
    pub(super) drops: bool,
    /// True if the script changes or deletes rows without a condition.
    pub(super) touches_all_rows: bool,
}

/// Kinds of objects that can be dropped.
const KINDS: &[&str] = &[
    "AGGREGATE",
    "BUCKET",
    "CATALOG",
    "COLLECTION",
    "COLUMN",
    "CONNECTION",
    "CONTINUOUS",
    "DATABASE",
    "DICTIONARY",
    "DOMAIN",
    "EVENT",
    "EXTENSION",
    "EXTERNAL",
    "FOREIGN",
    "FUNCTION",
    "GRAPH",
    "GROUP",
    "INDEX",
    "KEYSPACE",
    "LOGIN",
    "MATERIALIZED",
    "MEASUREMENT",
    "OWNED",
    "PARTITION",
    "PIPE",
    "POLICY",
    "PROCEDURE",
    "PUBLICATION",
    "RETENTION",
    "ROLE",
    "RULE",
    "SCHEMA",
    "SEQUENCE",
    "SERIES",
    "SERVER",
    "SHARD",
    "SNAPSHOT",
    "STAGE",
    "STREAM",
    "SUBSCRIPTION",
    "SYNONYM",
    "TABLE",
    "TABLESPACE",
    "TASK",
    "TRIGGER",
    "TYPE",
    "USER",
    "VIEW",
    "WAREHOUSE",
];
/// Words behind `ALTER … DROP` that lose no data.
const RULES_OF_COLUMNS: &[&str] = &[
    "CHECK",
    "CONSTRAINT",
    "DEFAULT",
    "EXPRESSION",
    "FOREIGN",
    "IDENTITY",
    "INDEX",
    "KEY",
    "NOT",
    "PRIMARY",
    "TAG",
];
/// Words that begin a block: a statement follows.
const OPENERS: &[&str] = &["BEGIN", "ELSE", "GO", "LOOP", "THEN"];

/// Reads a script, in which a backslash may escape a quote.
pub(super) fn read(script: &str, escapes: bool) -> Effects {
    let mut end = script.len().min(MAX_SCRIPT);
    while !script.is_char_boundary(end) {
        end -= 1;
    }
    let script = script.get(..end).unwrap_or_default();
    let mut effects = Effects::default();
    let mut statement = Statement::default();
    let mut tokens = Tokens { rest: script, before: "", escapes, in_body: false };
    while let Some(token) = tokens.next() {
        if token == ";" || (statement.depth == 0 && is_one_of(OPENERS, token)) {
            statement.judge(&mut effects);
            statement = Statement::default();
        } else {
            statement.push(token);
            tokens.in_body = statement.first().eq_ignore_ascii_case("DO");
        }
    }
    statement.judge(&mut effects);
    effects
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The words of one statement that stand outside parentheses and cases.
#[derive(Default)]
struct Statement<'a> {
    words: Vec<&'a str>,
    depth: usize,
}

impl<'a> Statement<'a> {
    fn push(&mut self, token: &'a str) {
        match token {
            "(" => self.depth += 1,
            ")" => self.depth = self.depth.saturating_sub(1),
            _ if token.eq_ignore_ascii_case("CASE") => self.depth += 1,
            _ if token.eq_ignore_ascii_case("END") => self.depth = self.depth.saturating_sub(1),
            _ if self.depth == 0 => self.words.push(token),
            _ => {}
        }
    }

    fn first(&self) -> &str {
        self.words.first().copied().unwrap_or_default()
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).copied().unwrap_or_default()
    }

    fn has(&self, at: usize, word: &str) -> bool {
        self.word(at).eq_ignore_ascii_case(word)
    }

    fn position(&self, words: &[&str]) -> Option<usize> {
        self.words.iter().position(|word| is_one_of(words, word))
    }

    fn judge(&self, effects: &mut Effects) {
        // What is only defined or explained does not happen now.
        if is_one_of(&["CREATE", "GRANT", "REVOKE", "COMMENT"], self.first()) {
            return;
        }
        let is_run = |word: &&str| word.eq_ignore_ascii_case("ANALYZE");
        if self.has(0, "EXPLAIN") && !self.words.iter().any(is_run) {
            return;
        }
        effects.drops |= self.drops() || self.alters();
        effects.touches_all_rows |= self.touches_all_rows();
    }

    fn drops(&self) -> bool {
        let pairs = self.words.iter().zip(self.words.iter().skip(1));
        pairs.into_iter().any(|(drop, kind)| drop.eq_ignore_ascii_case("DROP") && is_one_of(KINDS, kind))
            && !(self.has(0, "ALTER") && self.position(&["DROP"]).is_some_and(|at| self.drops_rule_only(at)))
    }

    /// `ALTER TABLE t DROP name`: the word `COLUMN` may be left out.
    fn alters(&self) -> bool {
        let drop = if self.has(0, "ALTER") && self.has(1, "TABLE") { self.position(&["DROP"]) } else { None };
        drop.is_some_and(|at| !self.word(at + 1).is_empty() && !self.drops_rule_only(at))
    }

    fn drops_rule_only(&self, drop: usize) -> bool {
        is_one_of(RULES_OF_COLUMNS, self.word(drop + 1))
    }

    fn touches_all_rows(&self) -> bool {
        let Some(verb) = self.verb() else { return false };
        if self.has(verb, "TRUNCATE") {
            return true;
        }
        let is_whole = if self.has(verb, "UPDATE") {
            self.position(&["SET"]).is_some()
        } else {
            self.has(verb, "DELETE") && self.has(verb + 1, "FROM")
        };
        is_whole && !self.is_limited(verb)
    }

    /// Returns the position of the verb of a statement that changes rows: first, or behind `EXPLAIN ANALYZE` and `WITH
    /// … AS (…)`.
    fn verb(&self) -> Option<usize> {
        let verbs = ["TRUNCATE", "UPDATE", "DELETE", "SELECT", "INSERT", "MERGE", "ALTER", "REPLACE"];
        match self.first() {
            first if is_one_of(&["WITH", "EXPLAIN", "IF", "WHILE", "FOR"], first) => self.position(&verbs),
            _ => Some(0),
        }
    }

    /// Returns true if a condition limits the rows. An unknown condition may.
    fn is_limited(&self, verb: usize) -> bool {
        if self.words.iter().skip(verb + 3).any(|word| word.contains(UNKNOWN)) {
            return true;
        }
        let Some(at) = self.position(&["WHERE"]) else { return false };
        let condition: Vec<&str> = self.words.iter().skip(at + 1).copied().collect();
        let is_always = match condition.as_slice() {
            [one] => *one == "1" || one.eq_ignore_ascii_case("TRUE"),
            [left, "=", right] => left == right,
            _ => false,
        };
        !is_always
    }
}

/// The words and signs of a script, without comments, and strings as one word.
struct Tokens<'a> {
    rest: &'a str,
    /// The word before.
    before: &'a str,
    /// True if a backslash escapes in every string; in `E'…'` it always does.
    escapes: bool,
    /// True if the text between dollar signs is code that runs.
    in_body: bool,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.skip_blanks();
        let first = self.rest.chars().next()?;
        let length = match first {
            '\'' => self.quoted('\'', self.escapes || self.before.eq_ignore_ascii_case("e")),
            '"' => self.quoted('"', self.escapes),
            '`' => self.quoted('`', false),
            '$' => self.dollars(),
            first if is_word(first) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
            first => first.len_utf8(),
        };
        let (token, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.before = token;
        self.rest = rest;
        Some(token)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '#' | UNKNOWN)
}

impl Tokens<'_> {
    /// Skips blanks and comments, except the comments whose text `MySQL` or `MariaDB` runs (`/*! … */`, `/*M! … */`).
    fn skip_blanks(&mut self) {
        loop {
            let text = self.rest.trim_start();
            self.rest = if let Some(behind) = text.strip_prefix("--") {
                behind.split_once('\n').map_or("", |(_, rest)| rest)
            } else if let Some(behind) = text.strip_prefix("/*!").or_else(|| text.strip_prefix("/*M!")) {
                behind.trim_start_matches(|c: char| c.is_ascii_digit())
            } else if let Some(behind) = text.strip_prefix("/*") {
                behind.split_once("*/").map_or("", |(_, rest)| rest)
            } else if let Some(behind) = text.strip_prefix("*/") {
                behind
            } else {
                self.rest = text;
                return;
            };
        }
    }

    /// The length of a string or a name in quotes. A quote is doubled, or escaped where that is known.
    fn quoted(&self, quote: char, escapes: bool) -> usize {
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            if c == '\\' && escapes {
                chars.next();
            } else if c == quote {
                return at + c.len_utf8();
            }
        }
        self.rest.len()
    }

    /// The length of `$$ … $$` or `$tag$ … $tag$`, or of its mark alone if what follows runs.
    fn dollars(&self) -> usize {
        let behind = self.rest.get(1..).unwrap_or_default();
        let name = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
        if behind.get(name..).is_none_or(|rest| !rest.starts_with('$')) {
            return 1;
        }
        let (mark, text) = self.rest.split_at_checked(name + 2).unwrap_or((self.rest, ""));
        match text.find(mark) {
            Some(end) if !self.in_body => mark.len() + end + mark.len(),
            _ => mark.len(),
        }
    }
}
