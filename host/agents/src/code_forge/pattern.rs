//! The pattern of a Code-Forge hook: which events it is for. `tool:pre_execute`, `tool:*`, `tool:pre_execute:bash`,
//! `tool:*:[!w]*`, `session:start,session:end`, `*`: names, each by the rules of Python's `fnmatch`.

use std::fmt;

use hookbox_core::{
    Tools,
    hookfile::{find_nearest, quote_word},
};

use super::{events::EVENTS, fnmatch::Glob};

/// Longest pattern in bytes.
pub const MAX_PATTERN_BYTES: usize = 1024;

/// A pattern of Code-Forge's hooks.
#[derive(Clone, Debug)]
pub struct Pattern {
    items: Vec<Item>,
}

/// One alternative of a pattern. It also matches the event with exactly this name, whatever it has in brackets.
#[derive(Clone, Debug)]
struct Item {
    text: String,
    glob: Glob,
}

/// Reason why a text is not a pattern that matches an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// Only blanks and commas.
    Empty,
    /// Longer than [`MAX_PATTERN_BYTES`].
    TooLong(usize),
    /// Text that is not the name of any event; with the name of a similar one.
    NoEvent(String, Option<&'static str>),
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the event pattern is empty; `*` stands for all events"),
            Self::TooLong(bytes) => {
                write!(f, "the event pattern has {bytes} bytes, but may have {MAX_PATTERN_BYTES}")
            }
            Self::NoEvent(item, Some(near)) => {
                write!(f, "no event of Code-Forge matches {}; did you mean `{near}`?", quote_word(item))
            }
            Self::NoEvent(item, None) => write!(
                f,
                "no event of Code-Forge matches {}; an event is a name (tool:pre_execute), a pattern (tool:*), \
                 or either with a tool (tool:pre_execute:bash)",
                quote_word(item)
            ),
        }
    }
}

impl std::error::Error for PatternError {}

impl Pattern {
    /// Reads a list of patterns with commas between them, each of which some event must match; blanks around them and
    /// empty ones do not count.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let pattern = Self::of_a_file(text);
        if text.len() > MAX_PATTERN_BYTES {
            return Err(PatternError::TooLong(text.len()));
        }
        if pattern.items.is_empty() {
            return Err(PatternError::Empty);
        }
        pattern.items.iter().try_for_each(Item::check)?;
        Ok(pattern)
    }

    /// Parses a pattern that Code-Forge has accepted: a pattern that matches no event is not an error there. A pattern that is too long
    /// matches nothing.
    pub(super) fn of_a_file(text: &str) -> Self {
        // A project's file may hold any text, and the time of a match grows with the length of the pattern.
        let text = if text.len() > MAX_PATTERN_BYTES { "" } else { text };
        let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
        Self { items: items.map(Item::new).collect() }
    }

    /// Returns true if the hook matches this event, by Code-Forge's name for it, and this tool, if the event is about one.
    pub fn matches(&self, event: &str, tool: Option<&str>) -> bool {
        let with_tool = tool.map(|tool| format!("{event}:{tool}"));
        let is = |item: &Item| item.matches(event) || with_tool.as_ref().is_some_and(|e| item.matches(e));
        self.items.iter().any(is)
    }

    /// Returns the tools that the pattern matches, at this event.
    pub(super) fn find_tools(&self, event: &str) -> Tools {
        // A pattern that matches the bare event matches it with every tool.
        if self.items.iter().any(|item| item.matches(event)) {
            return Tools::Any;
        }
        let start = format!("{event}:");
        let globs: Vec<_> = self.items.iter().flat_map(|item| item.glob.list_remainders(&start)).collect();
        // A pattern with brackets also means the tool of exactly that name, which its glob does not match.
        let exact = self.items.iter().filter(|item| item.text.contains('[') && item.glob.text().is_none());
        let exact: Vec<_> = exact.filter_map(|item| item.text.strip_prefix(&start)).collect();
        let names: Option<Vec<_>> = globs.iter().map(Glob::text).collect();
        match (names, globs.as_slice(), exact.as_slice()) {
            (Some(mut names), _, exact) => {
                names.extend(exact.iter().map(|name| (*name).to_owned()));
                Tools::Names(names)
            }
            (None, [glob], []) if glob.plain().is_some() => Tools::Glob(glob.plain().unwrap_or_default()),
            _ => {
                let exact = exact.iter().map(|name| regex::escape(name));
                Tools::Regex(globs.iter().map(Glob::regex).chain(exact).collect::<Vec<_>>().join("|"))
            }
        }
    }

    /// Returns true if the hook can match this event, with some tool or without one.
    pub(super) fn may_match(&self, event: &str) -> bool {
        self.items.iter().any(|item| item.may_match(event))
    }
}

impl Item {
    fn new(text: &str) -> Self {
        Self { text: text.to_owned(), glob: Glob::new(text) }
    }

    fn matches(&self, event: &str) -> bool {
        self.text == event || self.glob.matches(event)
    }

    /// Compares without the part after a colon, which is the tool's.
    fn may_match(&self, event: &str) -> bool {
        let start = format!("{event}:");
        self.matches(event) || self.text.starts_with(&start) || !self.glob.list_remainders(&start).is_empty()
    }

    fn check(&self) -> Result<(), PatternError> {
        if EVENTS.iter().any(|row| self.may_match(row.name)) {
            return Ok(());
        }
        let names: Vec<_> = EVENTS.iter().map(|row| row.name).collect();
        Err(PatternError::NoEvent(self.text.clone(), find_nearest(&self.text, &names)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tools_of_a_pattern_follow_the_event_name() {
        let names = |names: &[&str]| Tools::Names(names.iter().map(|name| (*name).to_owned()).collect());
        for (pattern, expected) in [
            ("tool:*", Tools::Any),
            ("tool:pre_execute:bash, tool:pre_execute", Tools::Any),
            ("tool:pre_execute:bash,tool:pre_execute:write,tool:error:x", names(&["bash", "write"])),
            ("tool:pre_execute:mcp__*", Tools::Glob("mcp__*".to_owned())),
            ("tool:*:a?b", Tools::Regex("(?s:.*):a(?s:.)b|a(?s:.)b".to_owned())),
            ("tool:pre_execute:[!b]*", Tools::Regex(r"[^\x{62}-\x{62}](?s:.*)|\[!b\]\*".to_owned())),
            ("tool:pre_execute:a[1]", Tools::Regex(r"a[\x{31}-\x{31}]|a\[1\]".to_owned())),
        ] {
            assert_eq!(
                Pattern::parse(pattern).unwrap().find_tools("tool:pre_execute"),
                expected,
                "{pattern}"
            );
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
            ("tool:[a-z]*", "tool:pre_execute", None, true),
            ("tool:pre_execute:[!bw]*", "tool:pre_execute", Some("read"), true),
            ("tool:pre_execute:[!bw]*", "tool:pre_execute", Some("bash"), false),
            ("tool:pre_execute:a[1]", "tool:pre_execute", Some("a[1]"), true),
            ("tool:pre_execute:a[1]", "tool:pre_execute", Some("a1"), true),
            ("tool:pre_execute:a[1]", "tool:pre_execute", Some("a2"), false),
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
    fn a_pattern_that_never_matches_is_an_error_with_advice() {
        for (pattern, expected) in [
            ("", "the event pattern is empty; `*` stands for all events"),
            (" , ,", "the event pattern is empty; `*` stands for all events"),
            (
                "tool:pre_exceute",
                "no event of Code-Forge matches `tool:pre_exceute`; did you mean `tool:pre_execute`?",
            ),
            (
                "tool:*,PreToolUse",
                "no event of Code-Forge matches `PreToolUse`; an event is a name (tool:pre_execute), a pattern \
                 (tool:*), or either with a tool (tool:pre_execute:bash)",
            ),
            (
                "tool:[!a-z]*",
                "no event of Code-Forge matches `tool:[!a-z]*`; an event is a name (tool:pre_execute), a pattern \
                 (tool:*), or either with a tool (tool:pre_execute:bash)",
            ),
        ] {
            assert_eq!(Pattern::parse(pattern).unwrap_err().to_string(), expected);
        }
        let long = Pattern::parse(&"*".repeat(MAX_PATTERN_BYTES + 1)).unwrap_err();
        assert_eq!(long.to_string(), "the event pattern has 1025 bytes, but may have 1024");
    }
}
