//! Reads the output of a Codex hook (docs/reference/agents/codex.md): the counterpart of `write`. An error stands for output that makes
//! Codex treat the hook as failed.

use hookbox_model::{Answer, EventName, Json, Reason, Rewrite, Verdict, bounded_text};

use super::{
    events::{CodexControl, CodexEvent},
    output::{self, CodexFields},
};

/// Reason of a denied permission whose hook gives none.
const DENIED: &str = "PermissionRequest hook denied approval";

/// Reason why Codex rejects an answer, and the notice that it shows to the user nevertheless.
pub(super) struct RejectedAnswer {
    pub(super) problem: String,
    pub(super) notice: Option<String>,
}

impl From<String> for RejectedAnswer {
    fn from(problem: String) -> Self {
        Self { problem, notice: None }
    }
}

/// Parses the answer in `text`; the error is the reason why Codex rejects it.
pub(super) fn parse_answer(row: &CodexEvent, text: &str) -> Result<Answer, RejectedAnswer> {
    let text = Json::parse_object(text).map_err(|error| error.to_string())?;
    // Unknown fields are checked first: with one of them Codex reads nothing else of the answer.
    let top = output::parse_top(row, text.as_str())?;
    let nested = output::parse_nested(row, &top)?;
    // A notice of the right form is read in any case: the user sees it even if the answer is refused.
    let notice = top.text("systemMessage")?.map(|text| bounded_text(&text));
    read_answer(row, &top, nested.as_ref())
        .map(|answer| Answer { notice: notice.clone(), ..answer })
        .map_err(|problem| RejectedAnswer { problem, notice })
}

fn read_answer(
    row: &CodexEvent,
    top: &CodexFields<'_>,
    nested: Option<&CodexFields<'_>>,
) -> Result<Answer, String> {
    let mut answer = read_universal(row, top)?;
    if let Some(nested) = nested {
        let context = if row.answer.context { nested.text("additionalContext")? } else { None };
        answer.context = context.map(|text| bounded_text(&text));
    }
    match (row.answer.control, nested) {
        (CodexControl::Permission, Some(nested)) if has_decision(nested) => {
            read_permission(nested, &mut answer)?;
        }
        (CodexControl::Behavior, Some(nested)) => answer.verdict = read_behavior(nested)?,
        (CodexControl::Permission | CodexControl::Block, _) if answer.stop.is_none() => {
            answer.verdict = read_block(row, top)?;
        }
        // The run ends, and the model gets this reason about its tool.
        (CodexControl::Block, _) if row.canonical == EventName::ToolAfter => {
            answer.verdict = top.trimmed_text("reason")?.map_or(Verdict::None, |reason| make_deny(&reason));
        }
        _ => {}
    }
    if nested.is_some_and(|nested| nested.raw("updatedMCPToolOutput").is_some()) {
        return Err("`updatedMCPToolOutput` is not supported".to_owned());
    }
    Ok(answer)
}

/// Reads the members that every answer may have; some events do not accept all of them.
fn read_universal(row: &CodexEvent, top: &CodexFields<'_>) -> Result<Answer, String> {
    let goes_on = top.flag("continue")?.unwrap_or(true);
    let (reason, quiet) = (top.text("stopReason")?, top.flag("suppressOutput")? == Some(true));
    let decides = matches!(row.answer.control, CodexControl::Permission | CodexControl::Behavior);
    let unsupported = [
        (decides && !goes_on, "continue"),
        (decides && reason.is_some(), "stopReason"),
        // Codex accepts the field for all events in its schema, and then rejects it where it has no meaning.
        ((decides || row.canonical == EventName::ToolAfter) && quiet, "suppressOutput"),
    ];
    if let Some((_, field)) = unsupported.iter().find(|(wrong, _)| *wrong) {
        return Err(format!("`{field}` is not supported for {}", row.name));
    }
    let stops = row.answer.stop && !goes_on;
    // PreCompact is blocked by the same member; its table row reads it as a stop.
    Ok(Answer { stop: stops.then(|| bounded_text(&reason.unwrap_or_default())), ..Answer::default() })
}

/// Returns true if the nested part decides. Otherwise the older `decision` does.
fn has_decision(nested: &CodexFields<'_>) -> bool {
    ["permissionDecision", "permissionDecisionReason", "updatedInput"]
        .iter()
        .any(|key| nested.raw(key).is_some())
}

/// Reads a permission. An allow only means that the arguments are new: the user is asked as before.
fn read_permission(nested: &CodexFields<'_>, answer: &mut Answer) -> Result<(), String> {
    let reason = nested.trimmed_text("permissionDecisionReason")?;
    let input = nested.raw("updatedInput");
    match (nested.text("permissionDecision")?.as_deref(), input, reason) {
        (Some("allow"), Some(input), _) => {
            let input = Json::parse(input).map_err(|error| error.to_string())?;
            answer.rewrite = Some(Rewrite::Replace(input));
            Ok(())
        }
        (Some("allow"), None, _) => Err("`allow` is supported only with `updatedInput`".to_owned()),
        (_, Some(_), _) => Err("`updatedInput` needs `permissionDecision`: `allow`".to_owned()),
        (Some("deny"), None, Some(reason)) => {
            answer.verdict = make_deny(&reason);
            Ok(())
        }
        (Some("deny"), None, None) => Err("`deny` needs a `permissionDecisionReason`".to_owned()),
        (Some("ask"), ..) => Err("`ask` is not supported".to_owned()),
        (Some(_), ..) => Err("`permissionDecision` must be `allow` or `deny`".to_owned()),
        (None, ..) => Err("`permissionDecisionReason` needs a `permissionDecision`".to_owned()),
    }
}

fn read_behavior(nested: &CodexFields<'_>) -> Result<Verdict, String> {
    let Some(decision) = output::parse_behavior(nested)? else { return Ok(Verdict::None) };
    for field in ["updatedInput", "updatedPermissions"] {
        if decision.raw(field).is_some() {
            return Err(format!("`decision.{field}` is not supported"));
        }
    }
    if decision.flag("interrupt")? == Some(true) {
        return Err("`decision.interrupt` is not supported".to_owned());
    }
    let message = decision.trimmed_text("message")?;
    match decision.text("behavior")?.as_deref() {
        Some("allow") => Ok(Verdict::Allow(Reason::new("", ""))),
        Some("deny") => Ok(make_deny(message.as_deref().unwrap_or(DENIED))),
        _ => Err("`decision.behavior` must be `allow` or `deny`".to_owned()),
    }
}

/// Reads the top-level `decision`, which must have a reason, as a reason must have a decision about a tool.
fn read_block(row: &CodexEvent, top: &CodexFields<'_>) -> Result<Verdict, String> {
    let of_tool = matches!(row.canonical, EventName::ToolBefore | EventName::ToolAfter);
    match (top.text("decision")?.as_deref(), top.trimmed_text("reason")?) {
        (Some("block"), Some(reason)) => Ok(make_deny(&reason)),
        // Codex treats a block without a reason as a broken hook, which lets the action pass.
        (Some("block"), None) => Err("`block` needs a `reason`".to_owned()),
        (Some(_), _) => Err("`decision` must be `block`".to_owned()),
        (None, _) if of_tool && top.raw("reason").is_some() => Err("`reason` needs a `decision`".to_owned()),
        (None, _) => Ok(Verdict::None),
    }
}

fn make_deny(reason: &str) -> Verdict {
    Verdict::Deny(Reason::new("", &bounded_text(reason)))
}
