//! Codex's matchers (docs/reference/agents/codex.md).

use hookbox_core::{Condition, Tools};
use hookbox_model::Event;
use regex::bytes::Regex;

use crate::matcher_regex;

/// Other names of tools.
// Hooks that were written for Claude Code match its names for tools that edit files.
const ALIASES: [(&str, &[&str]); 1] = [("apply_patch", &["Write", "Edit"])];

/// Value that a matcher is compared with. Events that are not listed have no matcher: theirs is ignored.
#[derive(Clone, Copy)]
enum CodexSubject {
    /// The tool's name, or another name of it.
    Tool,
    Payload(&'static str),
}

impl CodexSubject {
    fn of_event(name: &str) -> Option<Self> {
        Some(match name {
            "PreToolUse" | "PermissionRequest" | "PostToolUse" => Self::Tool,
            "SessionStart" => Self::Payload("source"),
            "SubagentStart" | "SubagentStop" => Self::Payload("agent_type"),
            "PreCompact" | "PostCompact" => Self::Payload("trigger"),
            "StopFailure" => Self::Payload("error"),
            "SessionEnd" => Self::Payload("reason"),
            _ => return None,
        })
    }

    fn list_values(self, event: &Event) -> Vec<String> {
        match self {
            Self::Tool => event.tool.iter().flat_map(|tool| list_names(&tool.name)).collect(),
            Self::Payload(key) => {
                event.payload.members().and_then(|m| m.get_string(key)).into_iter().collect()
            }
        }
    }
}

fn list_names(tool: &str) -> Vec<String> {
    let others = ALIASES.iter().filter(|(name, _)| *name == tool).flat_map(|(_, others)| others.iter());
    std::iter::once(tool).chain(others.copied()).map(str::to_owned).collect()
}

/// Parses a matcher; `Ok(None)` matches all events.
pub(super) fn parse_condition(event: &str, matcher: Option<&str>) -> Result<Option<Condition>, regex::Error> {
    let (Some(written), Some(subject)) = (matcher, CodexSubject::of_event(event)) else { return Ok(None) };
    if matcher_regex::means_all(written) {
        return Ok(None);
    }
    let pattern = CodexPattern::parse(written)?;
    let tools = matches!(subject, CodexSubject::Tool).then(|| pattern.tools());
    let condition = Condition::new(written, move |event| {
        subject.list_values(event).iter().any(|value| pattern.matches(value))
    });
    Ok(Some(match tools {
        Some(tools) => condition.with_tools(tools),
        None => condition,
    }))
}

enum CodexPattern {
    Names(Vec<String>),
    /// Unanchored.
    Regex(Regex),
}

impl CodexPattern {
    fn parse(written: &str) -> Result<Self, regex::Error> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_|".contains(c);
        if written.chars().all(plain) {
            return Ok(Self::Names(written.split('|').map(str::to_owned).collect()));
        }
        matcher_regex::compile_unanchored(written).map(Self::Regex)
    }

    /// Returns the matching tools, including those that match under another name.
    fn tools(&self) -> Tools {
        // hookbox's own conditions compare the tool's real name, so a pattern for an alias has to list it.
        let others = ALIASES.iter().filter(|(_, others)| others.iter().any(|other| self.matches(other)));
        let others = others.map(|(name, _)| (*name).to_owned());
        match self {
            Self::Names(names) => Tools::Names(names.iter().cloned().chain(others).collect()),
            Self::Regex(regex) => {
                let all: Vec<_> = std::iter::once(regex.as_str().to_owned())
                    .chain(others.map(|name| format!("^{name}$")))
                    .collect();
                Tools::from_unanchored_regex(&all.join("|"))
            }
        }
    }

    fn matches(&self, value: &str) -> bool {
        match self {
            Self::Names(names) => names.iter().any(|name| name == value),
            Self::Regex(regex) => regex.is_match(value.as_bytes()),
        }
    }
}
