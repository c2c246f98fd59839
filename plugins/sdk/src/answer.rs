//! Builder of answers: start from a verdict or from a text, then add to it.

use serde::Serialize;

use crate::{Answer, Reason, Rewrite, Verdict, json};

impl Answer {
    /// Creates an answer without an opinion, which is not an allow.
    pub fn none() -> Self {
        Self::of(Verdict::None)
    }

    /// Allows; may skip a prompt. `code` is stable: lower-case words joined by hyphens, at most 64 bytes.
    pub fn allow(code: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(Verdict::Allow(reason(code, text)))
    }

    /// Asks the user. `code` is stable: lower-case words joined by hyphens, at most 64 bytes.
    pub fn ask(code: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(Verdict::Ask(reason(code, text)))
    }

    /// Denies. `code` is stable: lower-case words joined by hyphens, at most 64 bytes.
    pub fn deny(code: impl Into<String>, text: impl Into<String>) -> Self {
        Self::of(Verdict::Deny(reason(code, text)))
    }

    /// Lets the shell command run, confined by this profile of the user's: `project`, or one of their `[confine.NAME]`. Where
    /// the agent or the machine cannot do that, the user is asked.
    pub fn confine(profile: impl AsRef<str>) -> Self {
        Self::none().with_confine(profile)
    }

    /// Creates an answer without an opinion, but with a text for the model.
    pub fn context(text: impl Into<String>) -> Self {
        Self::none().with_context(text)
    }

    /// Adds text for the model, at most 10,000 characters.
    #[must_use]
    pub fn with_context(self, text: impl Into<String>) -> Self {
        Self { context: Some(text.into()), ..self }
    }

    /// Adds text for the user, at most 10,000 characters.
    #[must_use]
    pub fn with_notice(self, text: impl Into<String>) -> Self {
        Self { notice: Some(text.into()), ..self }
    }

    /// Ends the run, with this reason.
    #[must_use]
    pub fn with_stop(self, why: impl Into<String>) -> Self {
        Self { stop: Some(why.into()), ..self }
    }

    /// Replaces the event's rewritable part, such as a tool's arguments, by `part`.
    ///
    /// # Errors
    ///
    /// When `part` cannot be written as JSON.
    pub fn with_rewrite_replace(self, part: &impl Serialize) -> Result<Self, String> {
        let rewrite = Some(Rewrite::Replace(json::write(part, "rewrite")?));
        Ok(Self { rewrite, ..self })
    }

    /// Changes the event's rewritable part by a merge patch (RFC 7396): keys that `patch` does not name stay, null
    /// removes a key.
    ///
    /// # Errors
    ///
    /// When `patch` cannot be written as JSON.
    pub fn with_rewrite_merge(self, patch: &impl Serialize) -> Result<Self, String> {
        let rewrite = Some(Rewrite::Merge(json::write(patch, "rewrite")?));
        Ok(Self { rewrite, ..self })
    }

    /// Adds fields that are specific to this event: a JSON object. Existing fields are replaced, a profile
    /// ([`Self::with_confine`]) among them.
    ///
    /// # Errors
    ///
    /// When `fields` cannot be written as JSON.
    pub fn with_extra(self, fields: &impl Serialize) -> Result<Self, String> {
        let extra = Some(json::write(fields, "extra")?);
        Ok(Self { extra, ..self })
    }

    /// Has the shell command run confined, like [`Self::confine`]: with an allow, without a prompt of hookbox's; with
    /// an ask, if the user agrees.
    #[must_use]
    pub fn with_confine(self, profile: impl AsRef<str>) -> Self {
        let extra = self.extra.as_deref().and_then(|extra| serde_json::from_str(extra).ok());
        let mut fields: serde_json::Map<String, serde_json::Value> = extra.unwrap_or_default();
        fields.insert("confine".to_owned(), profile.as_ref().into());
        Self { extra: Some(serde_json::Value::Object(fields).to_string()), ..self }
    }

    fn of(verdict: Verdict) -> Self {
        Self { verdict, rewrite: None, context: None, notice: None, stop: None, extra: None }
    }
}

impl Default for Answer {
    fn default() -> Self {
        Self::none()
    }
}

fn reason(code: impl Into<String>, text: impl Into<String>) -> Reason {
    Reason { code: code.into(), text: text.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_default_answer_has_no_opinion() {
        let Answer { verdict, rewrite, context, notice, stop, extra } = Answer::default();
        assert_eq!((verdict, rewrite), (Verdict::None, None));
        assert_eq!((context, notice, stop, extra), (None, None, None, None));
    }

    #[test]
    fn parts_are_added_to_a_verdict() {
        let answer = Answer::deny("no-push", "Ask first.").with_context("c").with_notice("n");
        let reason = Reason { code: "no-push".into(), text: "Ask first.".into() };
        assert_eq!(answer.verdict, Verdict::Deny(reason));
        assert_eq!((answer.context.as_deref(), answer.notice.as_deref()), (Some("c"), Some("n")));
    }

    #[test]
    fn a_confinement_profile_is_kept_with_other_extra_fields() {
        assert_eq!(Answer::confine("project").extra.as_deref(), Some(r#"{"confine":"project"}"#));
        let both = Answer::none().with_extra(&json!({"a": 1})).map(|answer| answer.with_confine("p").extra);
        assert_eq!(both, Ok(Some(r#"{"a":1,"confine":"p"}"#.to_owned())));
    }

    #[test]
    fn a_rewrite_is_written_as_json() {
        let part = json!({"command": "ls"});
        let text = r#"{"command":"ls"}"#.to_owned();
        let replaced = Answer::none().with_rewrite_replace(&part).map(|answer| answer.rewrite);
        let merged = Answer::none().with_rewrite_merge(&part).map(|answer| answer.rewrite);
        assert_eq!(replaced, Ok(Some(Rewrite::Replace(text.clone()))));
        assert_eq!(merged, Ok(Some(Rewrite::Merge(text))));
    }
}
