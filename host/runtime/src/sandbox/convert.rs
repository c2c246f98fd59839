//! Converts between hookbox's types and the generated ones. No JSON is copied on the way in, and output is never
//! trusted.

use std::borrow::Cow;

use hookbox_model::{
    Answer, Event, EventName, Failure, FailureCode, Json, JsonError, Limit, Limits, Outcome, ProfileName,
    Reason, Rewrite, ToolCall, ToolClass, Verdict, bounded_text,
};

use super::bindings::hookbox::hook::types as wit;
use crate::interfaces::Call;

/// The member of `extra` that names a profile.
const CONFINE: &str = "confine";

/// A call's event in the generated types, borrowing from the call and from these lists.
pub(super) struct Borrowed<'a> {
    call: &'a Call<'a>,
    name: Cow<'a, str>,
    paths: Vec<&'a str>,
    deciders: Vec<&'a str>,
    failed: Vec<&'a str>,
    rewritten: Option<&'a str>,
}

impl<'a> Borrowed<'a> {
    pub(super) fn from_call(call: &'a Call<'a>) -> Self {
        let paths = call.event.tool.iter().flat_map(|tool| &tool.paths);
        let outcome = call.outcome;
        Self {
            call,
            name: match &call.event.name {
                EventName::Custom(name) => Cow::Owned(format!("custom:{name}")),
                known => Cow::Borrowed(known.as_str()),
            },
            paths: paths.map(String::as_str).collect(),
            deciders: outcome.map(Outcome::deciders).unwrap_or_default(),
            failed: outcome.map(Outcome::failed).unwrap_or_default(),
            rewritten: outcome.and_then(|outcome| outcome.rewrite.as_ref()).map(Json::as_str),
        }
    }

    pub(super) fn as_event(&'a self) -> wit::Event<'a> {
        let event: &Event = self.call.event;
        wit::Event {
            id: &event.id,
            name: &self.name,
            agent: &event.agent,
            agent_event: &event.agent_event,
            session: &event.session,
            cwd: &event.cwd,
            time: event.time,
            tool: event.tool.as_ref().map(|tool| self.convert_tool(tool)),
            payload: event.payload.as_str(),
            original: self.call.original.map(Json::as_str),
            outcome: self.call.outcome.map(|outcome| self.convert_outcome(outcome)),
        }
    }

    fn convert_tool(&'a self, tool: &'a ToolCall) -> wit::ToolCall<'a> {
        wit::ToolCall {
            name: &tool.name,
            class: convert_class(tool.class),
            command: tool.command.as_deref(),
            paths: &self.paths,
            input: tool.input.as_str(),
            output: tool.output.as_ref().map(Json::as_str),
        }
    }

    fn convert_outcome(&'a self, outcome: &'a Outcome) -> wit::Outcome<'a> {
        wit::Outcome {
            verdict: convert_verdict(&outcome.verdict),
            deciders: &self.deciders,
            rewritten: self.rewritten,
            failed: &self.failed,
        }
    }
}

fn convert_class(class: ToolClass) -> wit::ToolClass {
    match class {
        ToolClass::Shell => wit::ToolClass::Shell,
        ToolClass::FileRead => wit::ToolClass::FileRead,
        ToolClass::FileWrite => wit::ToolClass::FileWrite,
        ToolClass::Search => wit::ToolClass::Search,
        ToolClass::Web => wit::ToolClass::Web,
        ToolClass::Mcp => wit::ToolClass::Mcp,
        ToolClass::Agent => wit::ToolClass::Agent,
        ToolClass::Other => wit::ToolClass::Other,
    }
}

/// Converts a verdict. The world has no `defer`; an observer sees it as an `ask`.
fn convert_verdict(verdict: &Verdict) -> wit::VerdictParam<'_> {
    fn convert_reason(reason: &Reason) -> wit::ReasonParam<'_> {
        wit::ReasonParam { code: reason.code(), text: reason.text() }
    }
    match verdict {
        Verdict::None => wit::VerdictParam::None,
        Verdict::Allow(why) => wit::VerdictParam::Allow(convert_reason(why)),
        Verdict::Ask(why) | Verdict::Defer(why) => wit::VerdictParam::Ask(convert_reason(why)),
        Verdict::Deny(why) => wit::VerdictParam::Deny(convert_reason(why)),
    }
}

/// Converts a guest's answer, with limits and validation.
pub(super) fn convert_answer(answer: wit::Answer, limits: &Limits) -> Result<Answer, Failure> {
    // Before anything is parsed: an answer that is too long costs no more than its copy.
    check_size(answer_size(&answer), limits)?;
    let extra = answer.extra.map(|text| json_or_failure("extra", Json::parse_object(&text))).transpose()?;
    let (confine, extra) = split_profile(extra)?;
    Ok(Answer {
        verdict: match answer.verdict {
            wit::VerdictResult::None => Verdict::None,
            wit::VerdictResult::Allow(why) => Verdict::Allow(convert_reason_result(why)),
            wit::VerdictResult::Ask(why) => Verdict::Ask(convert_reason_result(why)),
            wit::VerdictResult::Deny(why) => Verdict::Deny(convert_reason_result(why)),
        },
        rewrite: answer.rewrite.map(convert_rewrite).transpose()?,
        confine,
        context: answer.context.map(|text| bounded_text(&text)),
        notice: answer.notice.map(|text| bounded_text(&text)),
        stop: answer.stop.map(|text| bounded_text(&text)),
        extra,
        // Only contracts of agents can express these; hookbox's world has no word for them.
        last: false,
        unseen: false,
    })
}

/// Checks that an answer of this many bytes is within the limit.
pub(super) fn check_size(bytes: usize, limits: &Limits) -> Result<(), Failure> {
    let max = limits.get(Limit::Output);
    if bytes as u64 <= max {
        return Ok(());
    }
    let message =
        format!("the answer is {bytes} bytes long, the most is {max}; raise `output` in the hook's `limits`");
    Err(Failure::new(FailureCode::Output, &message))
}

/// Splits the profile from `extra`, which has it since the world has no `confine`; the rest is for the agent.
fn split_profile(extra: Option<Json>) -> Result<(Option<ProfileName>, Option<Json>), Failure> {
    let Some(extra) = extra else { return Ok((None, None)) };
    let members = extra.members().unwrap_or_default();
    let Some(profile) = members.get(CONFINE) else { return Ok((None, Some(extra.clone()))) };
    let name = || ProfileName::new(members.get_string(CONFINE)?);
    let profile = match profile.get() {
        "null" => None,
        _ => Some(name().ok_or_else(|| {
            let rule = ProfileName::RULE;
            let message = format!("the answer's `extra.{CONFINE}` must be the name of a profile: {rule}");
            Failure::new(FailureCode::BadOutput, &message)
        })?),
    };
    let is_alone = members.iter().all(|(key, _)| key == CONFINE);
    Ok((profile, (!is_alone).then(|| members.without_members(&[CONFINE]))))
}

fn convert_reason_result(reason: wit::ReasonResult) -> Reason {
    Reason::new(reason.code, &reason.text)
}

fn convert_rewrite(rewrite: wit::Rewrite) -> Result<Rewrite, Failure> {
    match rewrite {
        wit::Rewrite::Replace(text) => json_or_failure("rewrite", Json::parse(&text)).map(Rewrite::Replace),
        wit::Rewrite::Merge(text) => {
            json_or_failure("rewrite", Json::parse_object(&text)).map(Rewrite::Merge)
        }
    }
}

fn json_or_failure(part: &str, parsed: Result<Json, JsonError>) -> Result<Json, Failure> {
    parsed.map_err(|error| {
        Failure::new(
            FailureCode::BadOutput,
            &format!("the answer's `{part}` is not acceptable JSON: {error}"),
        )
    })
}

fn answer_size(answer: &wit::Answer) -> usize {
    let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let rewrite = match &answer.rewrite {
        Some(wit::Rewrite::Replace(text) | wit::Rewrite::Merge(text)) => text.len(),
        None => 0,
    };
    let reason = match &answer.verdict {
        wit::VerdictResult::None => 0,
        wit::VerdictResult::Allow(why) | wit::VerdictResult::Ask(why) | wit::VerdictResult::Deny(why) => {
            why.code.len() + why.text.len()
        }
    };
    reason + rewrite + of(&answer.context) + of(&answer.notice) + of(&answer.stop) + of(&answer.extra)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_extra(extra: &str) -> Result<(Option<String>, Option<String>), String> {
        let taken =
            split_profile(Some(Json::parse(extra).unwrap())).map_err(|failure| failure.to_string())?;
        Ok((taken.0.map(|profile| profile.to_string()), taken.1.map(|rest| rest.as_str().to_owned())))
    }

    #[test]
    fn a_profile_is_taken_out_of_the_fields_of_the_agent() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(split_extra(r#"{"confine":"project"}"#), Ok((text("project"), None)));
        assert_eq!(split_extra(r#"{"a":1,"confine":"p"}"#), Ok((text("p"), text(r#"{"a":1}"#))));
        assert_eq!(split_extra(r#"{"a":1}"#), Ok((None, text(r#"{"a":1}"#))));
        assert_eq!(split_extra(r#"{"confine":null}"#), Ok((None, None)));
    }

    #[test]
    fn an_invalid_profile_name_is_a_failure_and_not_an_answer_without_a_profile() {
        for extra in
            [r#"{"confine":true}"#, r#"{"confine":""}"#, r#"{"confine":"-x"}"#, r#"{"confine":"a b"}"#]
        {
            let error = split_extra(extra).unwrap_err();
            assert!(error.contains("`extra.confine` must be the name of a profile"), "{error}");
        }
    }
}
