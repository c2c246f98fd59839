//! What a hook of Gemini CLI says, read (hook-contracts B.1): the counterpart of `write`.

use hookbox_model::{Answer, Json, RawObject, Reason, Rewrite, Verdict, bounded_text};

use super::events::{Control, Row};
use crate::dialect::object::Object;

/// The answer in these members. Fields of another kind than they should be are not read, as Gemini CLI does not.
pub(super) fn read(row: &Row, members: &RawObject<'_>) -> Answer {
    let mut answer = Answer { notice: words(members, "systemMessage"), ..Answer::default() };
    let reason = Reason::new("", &words(members, "reason").unwrap_or_default());
    if matches!(row.control, Control::Decides | Control::Asks) {
        answer.verdict = verdict(row.control, members.string("decision").as_deref(), reason);
        if members.get("continue").is_some_and(|value| value.get() == "false") {
            let why = words(members, "stopReason").or_else(|| words(members, "reason"));
            answer.stop = Some(why.unwrap_or_else(|| "No reason provided".to_owned()));
        }
    }
    let nested = members.get("hookSpecificOutput").and_then(|nested| RawObject::parse(nested.get()).ok());
    if let Some(nested) = nested {
        answer.context = words(&nested, "additionalContext").filter(|_| row.context);
        let part = row.rewrite.and_then(|field| nested.get(field)).filter(|part| part.get() != "null");
        answer.rewrite = part.map(|part| rewrite(row, Json::from_raw(part)));
        answer.extra = extra(row, &nested);
    }
    answer
}

fn verdict(control: Control, decision: Option<&str>, reason: Reason) -> Verdict {
    match decision {
        Some("block" | "deny") => Verdict::Deny(reason),
        Some("ask") if control == Control::Asks => Verdict::Ask(reason),
        Some("approve" | "allow") => Verdict::Allow(reason),
        _ => Verdict::None,
    }
}

/// A request may be given in part; the rest stays. Other parts are whole.
fn rewrite(row: &Row, part: Json) -> Rewrite {
    if row.rewrite == Some("llm_request") { Rewrite::Merge(part) } else { Rewrite::Replace(part) }
}

fn extra(row: &Row, nested: &RawObject<'_>) -> Option<Json> {
    let mut extra = Object::new();
    for (field, kind) in row.extras {
        if let Some(value) = nested.get(field).filter(|value| kind.admits(value.get())) {
            extra.raw(field, value.get());
        }
    }
    if extra.len() == 0 { None } else { Json::parse(&extra.finish()).ok() }
}

fn words(members: &RawObject<'_>, key: &str) -> Option<String> {
    members.string(key).filter(|text| !text.is_empty()).map(|text| bounded_text(&text))
}
