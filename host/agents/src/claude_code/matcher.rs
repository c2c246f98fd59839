//! Claude Code's matchers (docs/reference/agents/claude-code.md).

use hookbox_core::{Condition, Tools};
use hookbox_model::Event;

use crate::{
    javascript_regex::{JavaScriptRegex, RegexError},
    matcher_regex,
};

/// Returns the value that a matcher is compared with. Events that are not listed have no matcher: theirs is ignored.
fn find_subject(event: &str) -> Option<ClaudeSubject> {
    use ClaudeSubject::{Payload, Tool};
    Some(match event {
        "PreToolUse" | "PermissionRequest" | "PermissionDenied" | "PostToolUse" | "PostToolUseFailure" => {
            Tool
        }
        "SessionStart" | "ConfigChange" | "DirectoryAdded" => Payload("source"),
        "Setup" | "PreCompact" | "PostCompact" => Payload("trigger"),
        "InstructionsLoaded" => Payload("load_reason"),
        "UserPromptExpansion" => Payload("command_name"),
        "Notification" => Payload("notification_type"),
        "SubagentStart" | "SubagentStop" => Payload("agent_type"),
        "StopFailure" => Payload("error"),
        "FileChanged" => Payload("file_path"),
        "SessionEnd" => Payload("reason"),
        "Elicitation" | "ElicitationResult" => Payload("mcp_server_name"),
        "PreModelSwitch" | "PostModelSwitch" => Payload("to_model"),
        _ => return None,
    })
}

#[derive(Clone, Copy)]
enum ClaudeSubject {
    Tool,
    Payload(&'static str),
}

impl ClaudeSubject {
    fn read_value(self, event: &Event) -> Option<String> {
        match self {
            Self::Tool => event.tool.as_ref().map(|tool| tool.name.clone()),
            Self::Payload("file_path") => {
                let path = event.payload.members()?.get_string("file_path")?;
                // The matcher of this event is a list of file names without folders.
                path.rsplit('/').next().map(str::to_owned)
            }
            Self::Payload(key) => event.payload.members()?.get_string(key),
        }
    }
}

/// Parses a matcher; `Ok(None)` matches all events.
pub(super) fn parse_condition(event: &str, matcher: Option<&str>) -> Result<Option<Condition>, RegexError> {
    let (Some(written), Some(subject)) = (matcher, find_subject(event)) else { return Ok(None) };
    if matcher_regex::means_all(written) {
        return Ok(None);
    }
    // Claude Code has a narrower set of plain characters for these two events: with a `-`, a blank or a comma
    // the matcher is an expression.
    let narrow = matches!(event, "FileChanged" | "StopFailure");
    let plain = |c: char| c.is_ascii_alphanumeric() || "_|".contains(c) || !narrow && "- ,".contains(c);
    let pattern = if written.chars().all(plain) {
        ClaudePattern::Names(written.split(['|', ',']).map(|name| name.trim().to_owned()).collect())
    } else {
        ClaudePattern::Regex(JavaScriptRegex::new(written)?)
    };
    let tools = if matches!(subject, ClaudeSubject::Tool) { pattern.tools() } else { None };
    let condition = Condition::new(written, move |event| {
        subject.read_value(event).is_some_and(|subject| pattern.matches(&subject))
    });
    Ok(Some(match tools {
        Some(tools) => condition.with_tools(tools),
        None => condition,
    }))
}

enum ClaudePattern {
    Names(Vec<String>),
    /// Unanchored.
    Regex(JavaScriptRegex),
}

impl ClaudePattern {
    fn tools(&self) -> Option<Tools> {
        match self {
            Self::Names(names) => Some(Tools::Names(names.clone())),
            Self::Regex(regex) => regex.portable().map(Tools::from_unanchored_regex),
        }
    }

    fn matches(&self, subject: &str) -> bool {
        match self {
            Self::Names(names) => names.iter().any(|name| name == subject),
            Self::Regex(regex) => regex.is_match(subject),
        }
    }
}
