//! Output for a line.

use serde_json::json;
use shell_commands::{Decision, Severity};

/// The longest line that is shown, in characters.
const MAX_SHOWN: usize = 200;

/// A line and the decision about it.
pub(crate) struct Verdict<'a> {
    command: &'a str,
    decision: Option<Decision>,
    is_allowed: bool,
    /// Reason why a line is not allowed.
    doubt: Option<String>,
}

impl<'a> Verdict<'a> {
    pub(crate) fn new(command: &'a str, decision: Option<Decision>) -> Self {
        Self { command, decision, is_allowed: false, doubt: None }
    }

    /// Creates the verdict of a plugin that allows a line unless it has a doubt.
    pub(crate) fn of_doubt(command: &'a str, doubt: Option<String>) -> Self {
        Self { command, decision: None, is_allowed: doubt.is_none(), doubt }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.decision.is_some()
    }

    fn word(&self) -> &'static str {
        match self.decision.as_ref().map(|decision| decision.severity) {
            Some(Severity::Deny) => "deny",
            Some(Severity::Ask) => "ask",
            Some(Severity::Confine) => "confine",
            Some(Severity::Off) | None if self.is_allowed => "allow",
            Some(Severity::Off) | None => "none",
        }
    }

    pub(crate) fn json(&self) -> String {
        let mut line = json!({ "command": self.command, "verdict": self.word() });
        if let (Some(decision), Some(members)) = (&self.decision, line.as_object_mut()) {
            members.insert("code".to_owned(), decision.code.into());
            members.insert("text".to_owned(), decision.format_message().into());
        }
        if let (Some(doubt), Some(members)) = (&self.doubt, line.as_object_mut()) {
            members.insert("doubt".to_owned(), doubt.as_str().into());
        }
        line.to_string()
    }

    /// Formats the verdict and the line, with the finding below.
    pub(crate) fn text(&self) -> String {
        let shown: String = self.command.chars().take(MAX_SHOWN).flat_map(visible).collect();
        let cut = if self.command.chars().count() > MAX_SHOWN { "…" } else { "" };
        match &self.decision {
            None => format!("{:<4}  {shown}{cut}", self.word()),
            Some(decision) => {
                let message: String = decision.format_message().chars().flat_map(visible).collect();
                format!("{:<4}  {shown}{cut}\n      {message} ({})", self.word(), decision.code)
            }
        }
    }
}

/// Returns a printable character unchanged, and others as an escape.
fn visible(c: char) -> Vec<char> {
    let shows = !c.is_control()
        && !matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}');
    if shows { vec![c] } else { c.escape_unicode().collect() }
}
