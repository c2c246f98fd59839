//! The answer as JSON: the output of a shell hook on stdout and the response of a webhook.

use std::{error::Error, fmt};

use hookbox_core::hookfile::quote_word;
use hookbox_model::{Answer, Json, ProfileName, RawObject, Reason, Rewrite, Verdict, bounded_text};

use super::unknown_key;

const MEMBERS: [&str; 9] =
    ["verdict", "code", "reason", "rewrite", "confine", "context", "notice", "stop", "extra"];

/// Parses an answer in hookbox's own JSON: an object with `verdict` (`deny`, `ask`, `allow`, `none`) and its `code` and `reason`, `rewrite`
/// (`{"replace": …}` or `{"merge": …}`), `confine` (the name of a profile), `context`, `notice`, `stop` and `extra`, each optional.
/// Texts are bounded and cleaned. An unknown member is an error, because it may be a deny that is misspelt; the error states what was found
/// and what is expected.
pub fn parse_answer(text: &str) -> Result<Answer, AnswerError> {
    parse_object(text).map_err(AnswerError)
}

/// Reason why a text is not an answer: what was found and what is expected, with the sender's words in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerError(String);

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for AnswerError {}

fn parse_object(text: &str) -> Result<Answer, String> {
    let json =
        Json::parse_object(text).map_err(|error| format!("the answer is not a JSON object: {error}"))?;
    let members = json.members().unwrap_or_default();
    for (key, _) in members.iter() {
        if let Some(advice) = unknown_key(key, &MEMBERS) {
            return Err(format!("the answer has an unknown member {}; {advice}", quote_word(key)));
        }
    }
    let text = |key| Ok::<_, String>(read_string(&members, key)?.map(|text| bounded_text(&text)));
    Ok(Answer {
        verdict: read_verdict(&members)?,
        rewrite: members.get_present("rewrite").map(parse_rewrite).transpose()?,
        confine: read_string(&members, "confine")?.map(parse_profile).transpose()?,
        context: text("context")?,
        notice: text("notice")?,
        stop: text("stop")?,
        extra: members.get_present("extra").map(parse_extra).transpose()?,
        last: false,
        unseen: false,
    })
}

fn read_verdict(members: &RawObject<'_>) -> Result<Verdict, String> {
    let (verdict, code) = (read_string(members, "verdict")?, read_string(members, "code")?);
    let text = read_string(members, "reason")?;
    let Some(verdict) = verdict else {
        let reasoned = code.is_some() || text.is_some();
        let problem = "the answer has a reason but no `verdict`; add `deny`, `ask`, `allow` or `none`";
        // A reason without a verdict is probably a deny whose verdict was forgotten.
        return if reasoned { Err(problem.to_owned()) } else { Ok(Verdict::None) };
    };
    let reason = Reason::new(code.unwrap_or_default(), &text.unwrap_or_default());
    match verdict.as_str() {
        "none" => Ok(Verdict::None),
        "allow" => Ok(Verdict::Allow(reason)),
        "ask" => Ok(Verdict::Ask(reason)),
        "deny" => Ok(Verdict::Deny(reason)),
        other => {
            Err(format!("the answer's `verdict` is {other:?}, but must be `deny`, `ask`, `allow` or `none`"))
        }
    }
}

fn parse_profile(name: String) -> Result<ProfileName, String> {
    ProfileName::new(name)
        .ok_or_else(|| format!("the answer's `confine` must be the name of a profile: {}", ProfileName::RULE))
}

fn parse_rewrite(raw: &str) -> Result<Rewrite, String> {
    let problem = "the answer's `rewrite` must be an object with one member, `replace` or `merge`";
    let members = RawObject::parse(raw).map_err(|_| problem.to_owned())?;
    let mut all = members.iter();
    match (all.next(), all.next()) {
        (Some(("replace", part)), None) => Ok(Rewrite::Replace(Json::from_raw(part))),
        (Some(("merge", patch)), None) => Ok(Rewrite::Merge(Json::from_raw(patch))),
        _ => Err(problem.to_owned()),
    }
}

fn parse_extra(raw: &str) -> Result<Json, String> {
    Json::parse_object(raw).map_err(|error| format!("the answer's `extra` is wrong: {error}"))
}

fn read_string(members: &RawObject<'_>, key: &str) -> Result<Option<String>, String> {
    members
        .get_present(key)
        .map(|raw| serde_json::from_str(raw).map_err(|_| format!("the answer's `{key}` must be a string")))
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_with_every_part_is_read() {
        let answer = parse_answer(
            r#" {"verdict":"ask","code":"big-change","reason":"sure?\u001b","rewrite":{"merge":{"a":null}},
                "context":"c","notice":"n","stop":"s","extra":{"sessionTitle":"t"},"confine":"project"}"#,
        );
        let expected = Answer {
            verdict: Verdict::Ask(Reason::new("big-change", "sure?")),
            rewrite: Some(Rewrite::Merge(Json::parse(r#"{"a":null}"#).unwrap())),
            confine: ProfileName::new("project"),
            context: Some("c".into()),
            notice: Some("n".into()),
            stop: Some("s".into()),
            extra: Some(Json::parse(r#"{"sessionTitle":"t"}"#).unwrap()),
            last: false,
            unseen: false,
        };
        assert_eq!(answer, Ok(expected));
    }

    #[test]
    fn null_is_as_good_as_left_out() {
        assert_eq!(parse_answer("{}"), Ok(Answer::default()));
        assert_eq!(parse_answer(r#"{"verdict":null,"rewrite":null}"#), Ok(Answer::default()));
        assert_eq!(parse_answer(r#"{"verdict":"none","reason":"fine"}"#), Ok(Answer::default()));
    }

    #[test]
    fn an_invalid_answer_is_an_error_with_the_next_step() {
        for (text, expected) in [
            ("", "the answer is not a JSON object: it is empty"),
            ("[]", "the answer is not a JSON object: it is not a JSON object"),
            (
                r#"{"verdict":"deny""#,
                "the answer is not a JSON object: it ends too early, at line 1 column 17",
            ),
            (r#"{"verdit":"deny"}"#, "the answer has an unknown member `verdit`; did you mean `verdict`?"),
            (
                r#"{"decision":"block"}"#,
                "the answer has an unknown member `decision`; known are: verdict, code, reason, rewrite, confine, context, notice, stop, extra",
            ),
            (
                r#"{"verdict":"block"}"#,
                r#"the answer's `verdict` is "block", but must be `deny`, `ask`, `allow` or `none`"#,
            ),
            (r#"{"verdict":1}"#, "the answer's `verdict` must be a string"),
            (
                r#"{"reason":"no"}"#,
                "the answer has a reason but no `verdict`; add `deny`, `ask`, `allow` or `none`",
            ),
            (
                r#"{"rewrite":{"replace":1,"merge":{}}}"#,
                "the answer's `rewrite` must be an object with one member, `replace` or `merge`",
            ),
            (r#"{"extra":[]}"#, "the answer's `extra` is wrong: it is not a JSON object"),
            (
                r#"{"confine":"-x"}"#,
                "the answer's `confine` must be the name of a profile: 1 to 64 letters, digits, `.`, `_` and `-`, not beginning with `-`",
            ),
            (r#"{"confine":true}"#, "the answer's `confine` must be a string"),
            (r#"{"stop":true}"#, "the answer's `stop` must be a string"),
        ] {
            assert_eq!(parse_answer(text), Err(AnswerError(expected.to_owned())), "{text}");
        }
    }
}
