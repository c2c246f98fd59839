//! What one handler said about one event.

use serde::{Deserialize, Serialize, de};

use crate::{
    Json, ProfileName, record,
    text::{bounded_text, is_bounded},
};

/// Why: a stable code for machines, a text for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    code: String,
    text: String,
}

/// Longest reason code in bytes.
const MAX_CODE_BYTES: usize = 64;

impl Reason {
    /// The code of a reason that was given none.
    pub const NO_CODE: &str = "unspecified";

    /// Bounds and cleans both: the text as [`bounded_text`] does; a code that is not lower-case words joined by
    /// hyphens, at most 64 bytes, becomes [`Self::NO_CODE`].
    pub fn new(code: impl Into<String>, text: &str) -> Self {
        let code = code.into();
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

    /// The same code without the text, for a hook that may not put text before the model.
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

/// May it happen? The rank is deny > defer > ask > allow > none. To confine ([`Answer::confine`]) is between ask and allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No opinion, which is not `Allow`.
    #[default]
    None,
    /// Yes; it may skip a prompt.
    Allow(Reason),
    /// Only if the person says so.
    Ask(Reason),
    /// Park the call (Claude Code's `defer`); no wasm hook can say it.
    Defer(Reason),
    /// No.
    Deny(Reason),
}

impl Verdict {
    /// Its place in the rank; a higher one wins.
    pub fn rank(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Allow(_) => 1,
            Self::Ask(_) => 2,
            Self::Defer(_) => 3,
            Self::Deny(_) => 4,
        }
    }

    /// Why, unless there is no opinion.
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::None => None,
            Self::Allow(r) | Self::Ask(r) | Self::Defer(r) | Self::Deny(r) => Some(r),
        }
    }

    /// The same for another reason; without an opinion there is none.
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

    /// The word for it in reports.
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
    /// The whole part, anew.
    Replace(Json),
    /// A merge patch (RFC 7396) for it.
    Merge(Json),
}

/// What one handler made of an event. Every part is optional; texts are bounded and cleaned by whoever builds it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// May it happen?
    pub verdict: Verdict,
    /// What should be different about it.
    pub rewrite: Option<Rewrite>,
    /// The shell command is to run confined by this profile; where it cannot be, the person is asked.
    pub confine: Option<ProfileName>,
    /// Text for the model.
    #[serde(default, deserialize_with = "record::bounded")]
    pub context: Option<String>,
    /// Text for the person.
    #[serde(default, deserialize_with = "record::bounded")]
    pub notice: Option<String>,
    /// End the run, and why.
    #[serde(default, deserialize_with = "record::bounded")]
    pub stop: Option<String>,
    /// Event-specific fields.
    pub extra: Option<Json>,
    /// No later hook of the chain is called (run-claude's `stop_chain`). Native chains do not read it.
    pub last: bool,
    /// Later hooks of the chain do not see what it changed (Gemini CLI: a hook that ended with another exit code than 0).
    /// Native chains do not read it.
    pub unseen: bool,
}

/// The answer that says this and nothing else.
impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Self { verdict, ..Self::default() }
    }
}

impl Answer {
    /// No, and why: a stable code for machines, a text for people ([`Reason::new`]).
    pub fn deny(code: &str, text: &str) -> Self {
        Verdict::Deny(Reason::new(code, text)).into()
    }

    /// Only if the person says so, and why.
    pub fn ask(code: &str, text: &str) -> Self {
        Verdict::Ask(Reason::new(code, text)).into()
    }

    /// Yes, and why.
    pub fn allow(code: &str, text: &str) -> Self {
        Verdict::Allow(Reason::new(code, text)).into()
    }

    /// It may happen, but confined by this profile.
    pub fn confine(profile: ProfileName) -> Self {
        Self { confine: Some(profile), ..Self::default() }
    }

    /// The same with its texts bounded and cleaned, whoever built it.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        for text in [&mut self.context, &mut self.notice, &mut self.stop].into_iter().flatten() {
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
