//! The pattern of a Code-Forge hook: which events it is for (hook-contracts F). `tool:pre_execute`, `tool:*`,
//! `tool:pre_execute:bash`, `tool:*:write`, `session:start,session:end`, `*`.

use std::fmt;

use wildmatch::WildMatch;

use super::events::EVENTS;
use crate::Tools;

/// Longest pattern in bytes.
pub const MAX_PATTERN_BYTES: usize = 1024;

/// A pattern that some event of Code-Forge matches.
#[derive(Clone, Debug)]
pub struct Pattern {
    items: Vec<WildMatch>,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// Nothing but blanks and commas.
    Empty,
    /// Longer than [`MAX_PATTERN_BYTES`].
    TooLong(usize),
    /// A character class, which hookbox does not know.
    Class(String),
    /// No event is called so; with the name of one that is near.
    NoEvent(String, Option<&'static str>),
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the event pattern is empty; `*` stands for all events"),
            Self::TooLong(bytes) => {
                write!(f, "the event pattern has {bytes} bytes, but may have {MAX_PATTERN_BYTES}")
            }
            Self::Class(item) => {
                write!(f, "the event pattern {item:?} has a `[`; use `*`, `?` or a list with commas")
            }
            Self::NoEvent(item, Some(near)) => {
                write!(f, "no event of Code-Forge matches {item:?}; did you mean `{near}`?")
            }
            Self::NoEvent(item, None) => write!(
                f,
                "no event of Code-Forge matches {item:?}; an event is a name (tool:pre_execute), a pattern (tool:*), \
                 or either with a tool (tool:pre_execute:bash)"
            ),
        }
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// Reads a list of patterns with commas between them; blanks around them and empty ones do not count. `*` stands for
    /// any text, `?` for one character.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        if text.len() > MAX_PATTERN_BYTES {
            return Err(PatternError::TooLong(text.len()));
        }
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        let items = items.map(item).collect::<Result<Vec<_>, _>>()?;
        if items.is_empty() { Err(PatternError::Empty) } else { Ok(Self { items }) }
    }

    /// Is the hook for this event, by Code-Forge's name for it, and this tool, if it is about one?
    pub fn matches(&self, event: &str, tool: Option<&str>) -> bool {
        let with_tool = tool.map(|tool| format!("{event}:{tool}"));
        let is =
            |item: &WildMatch| item.matches(event) || with_tool.as_ref().is_some_and(|e| item.matches(e));
        self.items.iter().any(is)
    }

    /// The tools that it means, at this event.
    pub(super) fn tools(&self, event: &str) -> Tools {
        if self.items.iter().any(|item| item.matches(event)) {
            return Tools::Any;
        }
        let items: Vec<_> = self.items.iter().map(WildMatch::to_string).collect();
        let start = format!("{event}:");
        let globs: Vec<_> = items.iter().flat_map(|item| rest(item, &start)).collect();
        match globs.as_slice() {
            names if !names.iter().any(|name| name.contains(['*', '?'])) => {
                Tools::Names(names.iter().map(|name| (*name).to_owned()).collect())
            }
            [glob] => Tools::Glob((*glob).to_owned()),
            globs => Tools::Regex(globs.iter().map(|glob| regex_of(glob)).collect::<Vec<_>>().join("|")),
        }
    }

    /// May the hook be for this event, with some tool or without one?
    pub(super) fn may_match(&self, event: &str) -> bool {
        self.items.iter().any(|item| can_match(&item.to_string(), event))
    }
}

/// What is left of a pattern once it has matched `start`, each way that it can.
fn rest<'p>(pattern: &'p str, start: &str) -> Vec<&'p str> {
    let mut left = vec![pattern];
    for c in start.chars() {
        let mut next = Vec::new();
        for pattern in left {
            for pattern in step(pattern, c) {
                if !next.contains(&pattern) {
                    next.push(pattern);
                }
            }
        }
        left = next;
    }
    left
}

fn step(pattern: &str, c: char) -> Vec<&str> {
    let mut rest = pattern.chars();
    match rest.next() {
        Some('*') => std::iter::once(pattern).chain(step(rest.as_str(), c)).collect(),
        Some('?') => vec![rest.as_str()],
        Some(wanted) if wanted == c => vec![rest.as_str()],
        _ => Vec::new(),
    }
}

/// A name by `*` and `?` as a regular expression.
fn regex_of(glob: &str) -> String {
    let part = |c: char| match c {
        '*' => "(?s:.*)".to_owned(),
        '?' => "(?s:.)".to_owned(),
        c => regex::escape(&c.to_string()),
    };
    glob.chars().map(part).collect()
}

fn item(text: &str) -> Result<WildMatch, PatternError> {
    if text.contains('[') {
        return Err(PatternError::Class(text.to_owned()));
    }
    if EVENTS.iter().any(|row| can_match(text, row.name)) {
        return Ok(WildMatch::new(text));
    }
    let distance = |name: &str| strsim::damerau_levenshtein(name, text);
    let near = EVENTS.iter().map(|row| row.name).min_by_key(|name| distance(name));
    Err(PatternError::NoEvent(text.to_owned(), near.filter(|name| distance(name) <= 3)))
}

/// Does the pattern match the event, with some tool or without one? The tool's part is what follows a colon, or what a
/// `*` swallows a colon of.
fn can_match(pattern: &str, event: &str) -> bool {
    let mut events = pattern.char_indices().filter_map(|(at, c)| match c {
        ':' => pattern.get(..at),
        '*' => pattern.get(..=at),
        _ => None,
    });
    WildMatch::new(pattern).matches(event) || events.any(|part| WildMatch::new(part).matches(event))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_of_a_pattern_are_said_by_what_it_leaves_of_the_event() {
        let names = |names: &[&str]| Tools::Names(names.iter().map(|name| (*name).to_owned()).collect());
        for (pattern, expected) in [
            ("tool:*", Tools::Any),
            ("tool:pre_execute:bash, tool:pre_execute", Tools::Any),
            ("tool:pre_execute:bash,tool:pre_execute:write,tool:error:x", names(&["bash", "write"])),
            ("tool:pre_execute:mcp__*", Tools::Glob("mcp__*".to_owned())),
            ("tool:*:a?b", Tools::Regex("(?s:.*):a(?s:.)b|a(?s:.)b".to_owned())),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap().tools("tool:pre_execute"), expected, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_is_for_the_events_that_it_names() {
        for (pattern, event, tool, expected) in [
            ("tool:pre_execute", "tool:pre_execute", None, true),
            ("tool:pre_execute", "tool:pre_execute", Some("bash"), true),
            ("tool:pre_execute", "tool:post_execute", Some("bash"), false),
            ("tool:*", "tool:error", Some("bash"), true),
            ("tool:*", "tool:error", None, true),
            ("tool:*", "session:start", None, false),
            ("*:start", "session:start", None, true),
            ("llm:stream_*", "llm:stream_end", None, true),
            ("llm:stream_*", "llm:pre_request", None, false),
            ("tool:p?e_execute", "tool:pre_execute", None, true),
            ("tool:pre_execute:bash", "tool:pre_execute", Some("bash"), true),
            ("tool:pre_execute:bash", "tool:pre_execute", Some("write"), false),
            ("tool:pre_execute:bash", "tool:pre_execute", None, false),
            ("tool:pre_execute:bash", "tool:post_execute", Some("bash"), false),
            ("tool:*:write", "tool:post_execute", Some("write"), true),
            ("tool:*:write", "tool:post_execute", Some("bash"), false),
            ("tool:*:write", "tool:post_execute", None, false),
            ("*:pre_execute:ba*", "tool:pre_execute", Some("bash"), true),
            ("tool:pre_execute:Bash", "tool:pre_execute", Some("bash"), false),
            ("session:start,session:end", "session:end", None, true),
            (" session:start , session:end ,", "session:start", None, true),
            ("session:start,session:end", "session:message", None, false),
            ("session:start,tool:*:bash", "tool:error", Some("bash"), true),
            ("*", "user:interrupt", None, true),
            ("*", "tool:pre_execute", Some("bash"), true),
            ("*bash", "tool:pre_execute", Some("bash"), true),
        ] {
            let matches = Pattern::parse(pattern).unwrap().matches(event, tool);
            assert_eq!(matches, expected, "{pattern} on {event} {tool:?}");
        }
    }

    #[test]
    fn a_star_is_for_every_event() {
        let all = Pattern::parse("*").unwrap();
        assert!(EVENTS.iter().all(|row| all.matches(row.name, None)));
    }

    #[test]
    fn what_would_never_match_is_an_error_that_says_what_to_do() {
        for (pattern, expected) in [
            ("", "the event pattern is empty; `*` stands for all events"),
            (" , ,", "the event pattern is empty; `*` stands for all events"),
            (
                "tool:pre_exceute",
                "no event of Code-Forge matches \"tool:pre_exceute\"; did you mean `tool:pre_execute`?",
            ),
            (
                "tool:*,PreToolUse",
                "no event of Code-Forge matches \"PreToolUse\"; an event is a name (tool:pre_execute), a pattern \
                 (tool:*), or either with a tool (tool:pre_execute:bash)",
            ),
            (
                "tool:[a-z]*",
                "the event pattern \"tool:[a-z]*\" has a `[`; use `*`, `?` or a list with commas",
            ),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap_err().to_string(), expected);
        }
        let long = Pattern::parse(&"*".repeat(MAX_PATTERN_BYTES + 1)).unwrap_err();
        assert_eq!(long.to_string(), "the event pattern has 1025 bytes, but may have 1024");
    }
}
