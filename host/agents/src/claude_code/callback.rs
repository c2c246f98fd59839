//! Hooks of Claude Code that are closures in a program with its SDK (docs/reference/agents/claude-sdk.md). They have no exit code and no
//! standard error: the output object is their only output.

use hookbox_model::{Json, RawObject};
use thiserror::Error;

use super::{
    answer,
    events::{self, ClaudeControl, ClaudeEvent},
    exceptions,
};
use crate::{
    Written,
    object::Object,
    schema::{
        self, Field,
        Kind::{Flag, Number, Text},
    },
};

/// Top-level members that any output may have, in addition to those that are read with the event.
const TOP: [Field; 9] = [
    ("async", Flag),
    ("asyncTimeout", Number),
    ("continue", Flag),
    ("decision", Text),
    ("reason", Text),
    ("stopReason", Text),
    ("suppressOutput", Flag),
    ("systemMessage", Text),
    ("terminalSequence", Text),
];
const NESTED: &str = "hookSpecificOutput";

/// Reason why Claude Code would reject an output.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InvalidOutput {
    /// The output is not an object.
    #[error("it is not an object")]
    NotObject,
    /// `hookSpecificOutput` is not an object.
    #[error("`{NESTED}` is not one; it must be an object")]
    NestedNotObject,
    /// `hookSpecificOutput` does not name this event.
    #[error("`{NESTED}.hookEventName` must be `{0}`")]
    OtherEvent(String),
    /// A member is missing or invalid: a description that names it.
    #[error("{0}")]
    Member(String),
}

/// Checks that Claude Code would accept this output for this event. An output with one invalid part is rejected as a whole; unknown members
/// are ignored.
///
/// # Errors
///
/// A part of the output is invalid.
pub fn check_output(event: &str, output: &Json) -> Result<(), InvalidOutput> {
    let members = output.members().ok_or(InvalidOutput::NotObject)?;
    check_kinds(&members, &TOP).map_err(InvalidOutput::Member)?;
    let nested = match members.get(NESTED) {
        Some(nested) => Some(RawObject::parse(nested.get()).map_err(|_| InvalidOutput::NestedNotObject)?),
        None => None,
    };
    if let Some(nested) = &nested
        && nested.get_string("hookEventName").as_deref() != Some(event)
    {
        return Err(InvalidOutput::OtherEvent(event.to_owned()));
    }
    // A version of Claude Code that is newer than hookbox may have more events; their own members cannot be
    // judged.
    let Some(row) = events::find_row(event) else { return Ok(()) };
    answer::parse_answer(row, output.as_str(), false).map_err(InvalidOutput::Member)?;
    nested.map_or(Ok(()), |nested| check_nested(row, &nested)).map_err(InvalidOutput::Member)
}

/// Checks the other members that are specific to this event.
fn check_nested(row: &ClaudeEvent, nested: &RawObject<'_>) -> Result<(), String> {
    match row.answer.control {
        ClaudeControl::Behavior => {
            let decision = nested.get("decision").ok_or("`decision` is missing; it must be an object")?;
            let decision = RawObject::parse(decision.get()).map_err(|error| error.to_string())?;
            check_kinds(&decision, &[("message", Text), ("updatedInput", schema::Kind::Object)])?;
            check_kinds(&decision, row.answer.extras)
        }
        ClaudeControl::Switch if nested.get_string("permissionDecision").as_deref() == Some("defer") => {
            Err("`permissionDecision` must be `allow`, `deny` or `ask`".to_owned())
        }
        ClaudeControl::Action => check_kinds(nested, &[("content", schema::Kind::Object)]),
        _ => check_kinds(nested, row.answer.extras),
    }
}

fn check_kinds(members: &RawObject<'_>, fields: &[Field]) -> Result<(), String> {
    let there = fields.iter().filter(|(field, _)| members.get(field).is_some());
    there
        .copied()
        .try_for_each(|field| schema::check_fields("", members, &[field]))
        .map_err(|error| format!("`{}`: {}", error.field.unwrap_or_default(), error.problem))
}

/// Converts an answer of hookbox into such an output: a refusal by exit code becomes JSON. `None` if it cannot be expressed; then the hook
/// fails with the text of standard error.
pub fn convert_output(event: &str, written: &Written) -> Option<Json> {
    let row = events::find_row(event);
    let control = row.map(|row| row.answer.control);
    let stdout = written.stdout.trim();
    if control == Some(ClaudeControl::Path) {
        // A worktree's path is plain text on standard output for a process; a callback has to return it as a
        // member.
        return (written.exit == 0).then(|| make_worktree_output(event, stdout))?;
    }
    let output = if stdout.is_empty() { Json::empty_object() } else { Json::parse_object(stdout).ok()? };
    if written.exit == 0 {
        return Some(output);
    }
    let members = output.members()?;
    // The JSON states the refusal already; the exit code was a second way to state it.
    let refuses = members.get(NESTED).is_some() || members.get("decision").is_some();
    if refuses || matches!(control, Some(ClaudeControl::Nothing | ClaudeControl::IgnoresAnswers)) {
        return Some(output);
    }
    let refusal = make_refusal(event, control, written.stderr.trim())?;
    let refusal = refusal.members()?;
    let others = members.iter().filter(|(key, _)| refusal.get(key).is_none());
    Some(Json::from_members(refusal.iter().chain(others).map(|(key, value)| (key, value.get()))))
}

fn make_refusal(event: &str, control: Option<ClaudeControl>, reason: &str) -> Option<Json> {
    let (mut top, mut nested) = (Object::new(), Object::new());
    nested.text("hookEventName", event);
    match control {
        Some(ClaudeControl::Permission | ClaudeControl::Switch) => {
            nested.text("permissionDecision", "deny").text("permissionDecisionReason", reason);
        }
        Some(ClaudeControl::Behavior) => return Json::parse_object(&exceptions::behavior_deny(reason)).ok(),
        Some(ClaudeControl::Action) => {
            nested.text("action", "decline");
            top.text("systemMessage", reason);
        }
        Some(ClaudeControl::Exit) => {
            // These events are blocked by the exit code alone, which a callback lacks; `continue: false` is
            // what remains.
            top.raw("continue", "false").text("stopReason", reason);
        }
        _ => {
            top.text("decision", "block").text("reason", reason);
        }
    }
    if nested.len() > 1 {
        top.raw(NESTED, &nested.finish());
    }
    Json::parse_object(&top.finish()).ok()
}

fn make_worktree_output(event: &str, path: &str) -> Option<Json> {
    let (mut top, mut nested) = (Object::new(), Object::new());
    nested.text("hookEventName", event).text("worktreePath", path);
    top.raw(NESTED, &nested.finish());
    Json::parse_object(&top.finish()).ok()
}
