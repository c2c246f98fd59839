//! One handler's answer to one event.

use serde::{Deserialize, Serialize, de};

use crate::{
    Json, ProfileName, record,
    text::{bounded_text, is_bounded},
};

/// Reason of a verdict: a stable code for machines, a text for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    code: String,
    text: String,
}

/// Longest reason code in bytes.
const MAX_CODE_BYTES: usize = 64;

impl Reason {
    /// Code of a reason without a valid code.
    pub const NO_CODE: &str = "unspecified";

    /// Bounds and cleans both: the text as [`bounded_text`] does; a code that is not lower-case words joined by
    /// hyphens, at most 64 bytes, becomes [`Self::NO_CODE`].
    pub fn new(code: impl Into<String>, text: &str) -> Self {
        let code = code.into();
        // A deny must not be lost because its code is invalid.
        let code = if is_code(&code) { code } else { Self::NO_CODE.to_owned() };
        Self { code, text: bounded_text(text) }
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The text for people; may be empty.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the reason without its text, for a hook that may not put text before the model.
    #[must_use]
    pub fn code_only(&self) -> Self {
        Self { code: self.code.clone(), text: String::new() }
    }
}

impl<'de> Deserialize<'de> for Reason {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Unchecked {
            code: String,
            #[serde(deserialize_with = "record::bounded")]
            text: String,
        }
        // A record reads back to the value that was written, so an invalid code is an error here and is not
        // replaced.
        let Unchecked { code, text } = Unchecked::deserialize(deserializer)?;
        if is_code(&code) {
            return Ok(Self { code, text });
        }
        let problem = format!(
            "the code {code:?} is not lower-case words joined by hyphens, at most {MAX_CODE_BYTES} bytes"
        );
        Err(de::Error::custom(problem))
    }
}

fn is_code(code: &str) -> bool {
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let edges = code.bytes().next().is_some_and(word) && code.bytes().last().is_some_and(word);
    edges && code.len() <= MAX_CODE_BYTES && code.bytes().all(|b| word(b) || b == b'-')
}

/// Decision on an event. The rank is deny > defer > ask > allow > none. To confine ([`Answer::confine`]) is between ask and allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No opinion, which is not `Allow`.
    #[default]
    None,
    /// Allow; may skip a prompt.
    Allow(Reason),
    /// Ask the user.
    Ask(Reason),
    /// Park the call (Claude Code's `defer`); not available to wasm hooks.
    Defer(Reason),
    /// Deny.
    Deny(Reason),
}

impl Verdict {
    /// Returns the verdict's rank; the highest rank wins.
    pub fn rank(&self) -> u8 {
        match self {
            // Claude Code's order (docs/reference/agents/claude-code.md), so that its own hooks merge as under that
            // agent.
            Self::None => 0,
            Self::Allow(_) => 1,
            Self::Ask(_) => 2,
            Self::Defer(_) => 3,
            Self::Deny(_) => 4,
        }
    }

    /// Returns the reason; `None` without an opinion.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::None => None,
            Self::Allow(r) | Self::Ask(r) | Self::Defer(r) | Self::Deny(r) => Some(r),
        }
    }

    /// Returns the verdict with another reason; [`Self::None`] stays as it is.
    #[must_use]
    pub fn with_reason(self, reason: Reason) -> Self {
        match self {
            Self::None => Self::None,
            Self::Allow(_) => Self::Allow(reason),
            Self::Ask(_) => Self::Ask(reason),
            Self::Defer(_) => Self::Defer(reason),
            Self::Deny(_) => Self::Deny(reason),
        }
    }

    /// Returns the verdict's word in reports.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Allow(_) => "allow",
            Self::Ask(_) => "ask",
            Self::Defer(_) => "defer",
            Self::Deny(_) => "deny",
        }
    }
}

/// A change to the part of the event that its schema marks as rewritable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rewrite {
    /// Replaces the whole part.
    Replace(Json),
    /// Applies a merge patch (RFC 7396) to the part.
    Merge(Json),
}

/// One handler's answer to an event. Every part is optional; the code that builds an answer bounds and cleans its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The decision.
    pub verdict: Verdict,
    /// The change to the event.
    pub rewrite: Option<Rewrite>,
    /// The profile in which the shell command is to run confined; if that is not possible, the user is asked.
    pub confine: Option<ProfileName>,
    /// Text for the model.
    #[serde(default, deserialize_with = "record::bounded")]
    pub context: Option<String>,
    /// Text for the user.
    #[serde(default, deserialize_with = "record::bounded")]
    pub notice: Option<String>,
    /// Ends the run, with this reason.
    #[serde(default, deserialize_with = "record::bounded")]
    pub stop: Option<String>,
    /// Event-specific fields.
    pub extra: Option<Json>,
    /// True if no later hook of the chain is called (run-claude's `stop_chain`). Native chains do not read it.
    pub last: bool,
    /// True if later hooks of the chain do not see the change (Gemini CLI: a hook that ended with another exit code than 0). Native
    /// chains do not read it.
    pub unseen: bool,
}

/// An answer with this verdict and nothing else.
impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, ..Self::default() }
    }
}

impl Answer {
    /// Denies, with a stable code for machines and a text for people ([`Reason::new`]).
    pub fn deny(code: &str, text: &str) -> Self {
        Verdict::Deny(Reason::new(code, text)).into()
    }

    /// Asks the user, with a reason.
    pub fn ask(code: &str, text: &str) -> Self {
        Verdict::Ask(Reason::new(code, text)).into()
    }

    /// Allows, with a reason.
    pub fn allow(code: &str, text: &str) -> Self {
        Verdict::Allow(Reason::new(code, text)).into()
    }

    /// Allows the command if it runs confined in this profile.
    pub fn confine(profile: ProfileName) -> Self {
        Self { confine: Some(profile), ..Self::default() }
    }

    /// Returns the answer with its texts bounded and cleaned.
    #[must_use]
    pub fn into_bounded(mut self) -> Self {
        for text in [&mut self.context, &mut self.notice, &mut self.stop].into_iter().flatten() {
            // A text that was cut before is longer than the limit by its note. Cutting it once more would cut
            // the note.
            if !is_bounded(text) {
                *text = bounded_text(text);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_lower_case_words_joined_by_hyphens() {
        for (code, kept) in [
            ("rm-root", true),
            ("v2", true),
            ("", false),
            ("Rm", false),
            ("a b", false),
            ("-a", false),
            ("a-", false),
            ("a\u{1b}[31m", false),
        ] {
            assert_eq!(Reason::new(code, "").code() == code, kept, "{code:?}");
        }
        assert_eq!(Reason::new("x".repeat(65), "").code(), "unspecified");
    }
}
