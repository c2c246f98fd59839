//! Reads the output of a Claude Code hook (docs/reference/agents/claude-code.md): the counterpart of `write`.

use hookbox_model::{Answer, EventName, Json, RawObject, Reason, Rewrite, Verdict, bounded_text};

use super::events::{ClaudeControl, ClaudeEvent};
use crate::{
    object::Object,
    schema::{self, Kind},
};

/// Top-level members that every answer may have and that hookbox interprets.
const TOP: [&str; 7] =
    ["continue", "stopReason", "suppressOutput", "systemMessage", "decision", "reason", "hookSpecificOutput"];
/// The older field for the result of an MCP tool.
const MCP_RESULT: &str = "updatedMCPToolOutput";

/// Parses an answer from `text`, which is a JSON object; the error is the violation of the schema. `mcp` is true for an MCP tool. Members
/// that Claude Code ignores are kept as extras, so that they are reported as lost.
pub(super) fn parse_answer(row: &ClaudeEvent, text: &str, mcp: bool) -> Result<Answer, String> {
    let json = Json::parse_relaxed_object(text).map_err(|error| error.to_string())?;
    let members = json.members().unwrap_or_default();
    let (mut answer, mut extras) = (Answer::default(), Extras::default());
    let goes_on = read_flag(&members, "continue")? != Some(false);
    if !goes_on && row.answer.stop {
        answer.stop = Some(read_text(&members, "stopReason")?.unwrap_or_default());
    } else if !goes_on {
        // The event ignores a stop; as an extra it is reported as lost instead of being dropped in silence.
        extras.add("continue", "false");
    }
    answer.notice = read_text(&members, "systemMessage")?;
    answer.verdict = read_decision(row, &members)?;
    if let Some(nested) = members.get("hookSpecificOutput") {
        let nested = RawObject::parse(nested.get())
            .map_err(|_| describe_violation("hookSpecificOutput", "an object"))?;
        read_nested(row, &nested, mcp, (&mut answer, &mut extras))?;
    }
    for (key, value) in members.iter().filter(|(key, _)| !TOP.contains(key)) {
        extras.add(key, value.get());
    }
    answer.extra = extras.finish();
    Ok(answer)
}

/// Reads the top-level `decision`; `approve` is an older word of the permission events.
fn read_decision(row: &ClaudeEvent, members: &RawObject<'_>) -> Result<Verdict, String> {
    let reason = read_text(members, "reason")?.unwrap_or_default();
    match read_text(members, "decision")?.as_deref() {
        Some("block") => Ok(Verdict::Deny(make_reason(&reason))),
        Some("approve") if row.answer.control == ClaudeControl::Permission => {
            Ok(Verdict::Allow(make_reason(&reason)))
        }
        // An absent `decision` has no opinion, which differs from an allow: an allow would skip the user's
        // prompt.
        None | Some("approve") => Ok(Verdict::None),
        Some(_) => Err(describe_violation("decision", "`block`")),
    }
}

fn read_nested(
    row: &ClaudeEvent,
    nested: &RawObject<'_>,
    mcp: bool,
    (answer, extras): (&mut Answer, &mut Extras),
) -> Result<(), String> {
    // Claude Code reads the nested part only with the name of its own event, and rejects the answer
    // otherwise.
    if nested.get_string("hookEventName").as_deref() != Some(row.name) {
        return Err(describe_violation("hookSpecificOutput.hookEventName", &format!("`{}`", row.name)));
    }
    answer.context = read_text(nested, "additionalContext")?;
    match row.answer.control {
        ClaudeControl::Permission | ClaudeControl::Switch => read_permission(nested, answer)?,
        ClaudeControl::Behavior => read_behavior(nested, answer, extras)?,
        ClaudeControl::Action => read_action(nested, answer)?,
        _ => {}
    }
    let field = row.answer.rewrite.filter(|_| row.answer.control != ClaudeControl::Behavior);
    let part = field.and_then(|(field, kind)| Some((field, kind, nested.get(field)?)));
    match part {
        Some((_, kind, part)) if kind.admits(part.get()) => {
            answer.rewrite = Some(Rewrite::Replace(Json::from_raw(part)));
        }
        // Claude Code's schema rejects the whole answer for one value of another kind.
        Some((field, ..)) => return Err(describe_violation(field, "of the right kind")),
        None if mcp && row.canonical == EventName::ToolAfter => {
            answer.rewrite = nested.get(MCP_RESULT).map(|part| Rewrite::Replace(Json::from_raw(part)));
        }
        None => {}
    }
    let is_read = |key: &str| {
        ["hookEventName", "additionalContext"].contains(&key)
            || field.is_some_and(|(field, _)| field == key)
            || list_deciding_fields(row.answer.control).contains(&key)
            || mcp && row.canonical == EventName::ToolAfter && key == MCP_RESULT
    };
    for (key, value) in nested.iter().filter(|(key, _)| !is_read(key)) {
        extras.add(key, value.get());
    }
    Ok(())
}

fn list_deciding_fields(control: ClaudeControl) -> &'static [&'static str] {
    match control {
        ClaudeControl::Permission | ClaudeControl::Switch => {
            &["permissionDecision", "permissionDecisionReason"]
        }
        ClaudeControl::Behavior => &["decision"],
        ClaudeControl::Action => &["action", "content"],
        _ => &[],
    }
}

fn read_permission(nested: &RawObject<'_>, answer: &mut Answer) -> Result<(), String> {
    let reason = make_reason(&read_text(nested, "permissionDecisionReason")?.unwrap_or_default());
    answer.verdict = match read_text(nested, "permissionDecision")?.as_deref() {
        None => return Ok(()),
        Some("allow") => Verdict::Allow(reason),
        Some("deny") => Verdict::Deny(reason),
        Some("ask") => Verdict::Ask(reason),
        Some("defer") => Verdict::Defer(reason),
        Some(_) => return Err(describe_violation("permissionDecision", "`allow`, `deny`, `ask` or `defer`")),
    };
    Ok(())
}

fn read_behavior(nested: &RawObject<'_>, answer: &mut Answer, extras: &mut Extras) -> Result<(), String> {
    let Some(decision) = nested.get("decision") else { return Ok(()) };
    let decision =
        RawObject::parse(decision.get()).map_err(|_| describe_violation("decision", "an object"))?;
    let message = make_reason(&read_text(&decision, "message")?.unwrap_or_default());
    match decision.get_string("behavior").as_deref() {
        Some("allow") => {
            answer.verdict = Verdict::Allow(message);
            let input = decision.get("updatedInput").filter(|part| Kind::Object.admits(part.get()));
            answer.rewrite = input.map(|part| Rewrite::Replace(Json::from_raw(part)));
        }
        Some("deny") => answer.verdict = Verdict::Deny(message),
        _ => return Err(describe_violation("decision.behavior", "`allow` or `deny`")),
    }
    for key in ["updatedPermissions", "interrupt"] {
        if let Some(value) = decision.get(key) {
            extras.add(key, value.get());
        }
    }
    Ok(())
}

/// Reads an answer in the user's place.
fn read_action(nested: &RawObject<'_>, answer: &mut Answer) -> Result<(), String> {
    let Some(action) = read_text(nested, "action")? else { return Ok(()) };
    if !["accept", "decline", "cancel"].contains(&action.as_str()) {
        return Err(describe_violation("action", "`accept`, `decline` or `cancel`"));
    }
    let mut part = Object::new();
    part.text("action", &action);
    if let Some(content) = nested.get("content") {
        part.raw("content", content.get());
    }
    answer.rewrite = Json::parse(&part.finish()).ok().map(Rewrite::Replace);
    Ok(())
}

/// Remaining members of an answer; of two members with one name, the first.
#[derive(Default)]
struct Extras(Vec<(String, String)>);

impl Extras {
    fn add(&mut self, key: &str, json: &str) {
        if self.0.iter().all(|(known, _)| known != key) {
            self.0.push((key.to_owned(), json.to_owned()));
        }
    }

    fn finish(self) -> Option<Json> {
        let mut object = Object::new();
        for (key, json) in &self.0 {
            object.raw(key, json);
        }
        if self.0.is_empty() { None } else { Json::parse(&object.finish()).ok() }
    }
}

fn read_flag(members: &RawObject<'_>, key: &'static str) -> Result<Option<bool>, String> {
    schema_kind(members, key, Kind::Flag)?;
    Ok(members.get(key).map(|value| value.get() == "true"))
}

fn read_text(members: &RawObject<'_>, key: &'static str) -> Result<Option<String>, String> {
    schema_kind(members, key, Kind::Text)?;
    Ok(members.get_string(key).map(|text| bounded_text(&text)))
}

fn schema_kind(members: &RawObject<'_>, key: &'static str, kind: Kind) -> Result<(), String> {
    match members.get(key) {
        Some(_) => schema::check_fields("", members, &[(key, kind)]).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

fn describe_violation(field: &str, must_be: &str) -> String {
    format!("`{field}` must be {must_be}")
}

fn make_reason(text: &str) -> Reason {
    Reason::new("", text)
}
