//! Reads the output of a hook of Gemini CLI or its fork (docs/reference/agents/gemini-cli.md): the counterpart of `write`.

use hookbox_model::{Answer, EventName, Json, RawObject, Reason, Rewrite, Verdict, bounded_text};

use super::{
    contract::merge_members,
    events::{GeminiControl, GeminiEvent},
    variant::{SUPPRESS, Variant},
};
use crate::{object::Object, schema::Kind};

/// Reads the answer in these members. Fields of an unexpected kind are ignored, as in Gemini CLI. `asked` is the part of the event that may
/// be rewritten, as the caller sent it.
pub(super) fn read_answer(
    agent: &Variant,
    row: &'static GeminiEvent,
    members: &RawObject<'_>,
    asked: Option<&Json>,
) -> Answer {
    let mut answer = Answer { notice: read_text(members, "systemMessage"), ..Answer::default() };
    let reason = Reason::new("", &read_text(members, "reason").unwrap_or_default());
    if row.answer.control.decides() {
        answer.verdict =
            read_verdict(agent, row.answer.control, members.get_string("decision").as_deref(), reason);
        // An explicit `true` has no effect: it must not cancel the stop of an earlier hook.
        if members.get("continue").is_some_and(|value| value.get() == "false") {
            answer.stop = Some(read_stop_reason(members));
        }
    }
    let nested = members.get("hookSpecificOutput").and_then(|nested| RawObject::parse(nested.get()).ok());
    if let Some(nested) = &nested {
        answer.context = read_text(nested, "additionalContext").filter(|_| row.answer.context);
        let part =
            // The agent treats `null` as absent.
            row.answer.rewrite.and_then(|(field, _)| nested.get(field)).filter(|part| part.get() != "null");
        answer.rewrite = part.and_then(|part| read_rewrite(row, Json::from_raw(part), asked));
        if agent.permission_decision && row.canonical == EventName::ToolBefore {
            answer.verdict = read_permission(agent, row, nested, answer.verdict);
        }
    }
    answer.extra = read_extra(agent, row, members, &nested.unwrap_or_default());
    answer
}

fn read_verdict(agent: &Variant, control: GeminiControl, decision: Option<&str>, reason: Reason) -> Verdict {
    match decision {
        Some("block" | "deny") => Verdict::Deny(reason),
        Some("ask") if agent.asks && control == GeminiControl::Asks => Verdict::Ask(reason),
        Some("approve" | "allow") => Verdict::Allow(reason),
        _ => Verdict::None,
    }
}

/// Reads Claude Code's members for a permission, in addition to `decision`: either of them denies, and the nested reason has precedence.
fn read_permission(
    agent: &Variant,
    row: &GeminiEvent,
    nested: &RawObject<'_>,
    otherwise: Verdict,
) -> Verdict {
    let own = read_text(nested, "permissionDecisionReason").map(|text| Reason::new("", &text));
    let reason = own.or_else(|| otherwise.reason().cloned()).unwrap_or_else(|| Reason::new("", ""));
    let decision = nested.get_string("permissionDecision");
    let verdict = read_verdict(agent, row.answer.control, decision.as_deref(), reason);
    // A nested allow must not undo a deny at the top.
    if verdict.rank() >= otherwise.rank() { verdict } else { otherwise }
}

/// Returns the reason why the run ends: the hook's stop reason, else the reason of its verdict.
fn read_stop_reason(members: &RawObject<'_>) -> String {
    let reasons = ["stopReason", "reason"].into_iter().filter_map(|key| read_text(members, key));
    let mut reasons = reasons.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    // This sentence is the agent's own.
    reasons.next().unwrap_or_else(|| "No reason provided".to_owned())
}

/// Reads a rewritten part. A request may be partial: each of its members replaces the caller's. Of several hooks the last counts, so other
/// members that earlier hooks changed are lost, as in Gemini CLI. Other parts are complete.
fn read_rewrite(row: &GeminiEvent, part: Json, asked: Option<&Json>) -> Option<Rewrite> {
    if row.canonical != EventName::ModelRequest {
        return Some(Rewrite::Replace(part));
    }
    // The agent ignores a request that is not an object: it has no members to merge.
    let part = Some(part).filter(|part| Kind::Object.admits(part.as_str()))?;
    Some(Rewrite::Replace(asked.map_or_else(|| part.clone(), |asked| merge_members(asked, &part))))
}

fn read_extra(
    agent: &Variant,
    row: &'static GeminiEvent,
    members: &RawObject<'_>,
    nested: &RawObject<'_>,
) -> Option<Json> {
    let mut extra = Object::new();
    if members.get(SUPPRESS.0).is_some_and(|value| value.get() == "true") {
        extra.raw(SUPPRESS.0, "true");
    }
    for (field, kind) in agent.list_extras(row) {
        if let Some(value) = nested.get(field).filter(|value| kind.admits(value.get())) {
            extra.raw(field, value.get());
        }
    }
    if extra.len() == 0 { None } else { Json::parse(&extra.finish()).ok() }
}

fn read_text(members: &RawObject<'_>, key: &str) -> Option<String> {
    members.get_string(key).filter(|text| !text.is_empty()).map(|text| bounded_text(&text))
}
