//! What a hook of Claude Code says, read (hook-contracts A.3, A.4): the counterpart of `write`.

use hookbox_model::{Answer, Json, RawObject, Reason, Rewrite, Verdict, bounded_text};

use super::events::{Control, Row};
use crate::dialect::{
    object::Object,
    schema::{self, Kind},
};

/// The answer in `text`, which is a JSON object; or why it does not fit the schema.
pub(super) fn read(row: &Row, text: &str) -> Result<Answer, String> {
    let json = Json::parse_object(text).map_err(|error| error.to_string())?;
    let members = json.members().unwrap_or_default();
    let mut answer = Answer::default();
    if flag(&members, "continue")? == Some(false) && row.stop {
        answer.stop = Some(words(&members, "stopReason")?.unwrap_or_default());
    }
    answer.notice = words(&members, "systemMessage")?;
    answer.verdict = decision(row, &members)?;
    if let Some(nested) = members.get("hookSpecificOutput") {
        let nested = RawObject::parse(nested.get()).map_err(|_| wrong("hookSpecificOutput", "an object"))?;
        read_nested(row, &nested, &mut answer)?;
    }
    Ok(answer)
}

/// The top-level `decision`; `approve` is an older word of the permission events.
fn decision(row: &Row, members: &RawObject<'_>) -> Result<Verdict, String> {
    let reason = words(members, "reason")?.unwrap_or_default();
    match words(members, "decision")?.as_deref() {
        Some("block") => Ok(Verdict::Deny(plain(&reason))),
        Some("approve") if row.control == Control::Permission => Ok(Verdict::Allow(plain(&reason))),
        None | Some("approve") => Ok(Verdict::None),
        Some(_) => Err(wrong("decision", "`block`")),
    }
}

fn read_nested(row: &Row, nested: &RawObject<'_>, answer: &mut Answer) -> Result<(), String> {
    if nested.string("hookEventName").as_deref() != Some(row.name) {
        return Err(wrong("hookSpecificOutput.hookEventName", &format!("`{}`", row.name)));
    }
    answer.context = words(nested, "additionalContext")?.filter(|_| row.context);
    let mut extras = nested_extras(row, nested);
    match row.control {
        Control::Permission | Control::Switch => permission(nested, answer)?,
        Control::Behavior => behavior(nested, answer, &mut extras)?,
        Control::Action => action(nested, answer)?,
        _ => {}
    }
    let field = row.rewrite.filter(|_| row.control != Control::Behavior);
    let part = field.and_then(|(field, kind)| Some((field, kind, nested.get(field)?)));
    match part {
        Some((_, kind, part)) if kind.admits(part.get()) => {
            answer.rewrite = Some(Rewrite::Replace(Json::from_raw(part)));
        }
        Some((field, ..)) => return Err(wrong(field, "of the right kind")),
        None => {}
    }
    answer.extra = finished(extras);
    Ok(())
}

fn permission(nested: &RawObject<'_>, answer: &mut Answer) -> Result<(), String> {
    let reason = plain(&words(nested, "permissionDecisionReason")?.unwrap_or_default());
    answer.verdict = match words(nested, "permissionDecision")?.as_deref() {
        None => return Ok(()),
        Some("allow") => Verdict::Allow(reason),
        Some("deny") => Verdict::Deny(reason),
        Some("ask") => Verdict::Ask(reason),
        Some("defer") => Verdict::Defer(reason),
        Some(_) => return Err(wrong("permissionDecision", "`allow`, `deny`, `ask` or `defer`")),
    };
    Ok(())
}

fn behavior(nested: &RawObject<'_>, answer: &mut Answer, extras: &mut Object) -> Result<(), String> {
    let Some(decision) = nested.get("decision") else { return Ok(()) };
    let decision = RawObject::parse(decision.get()).map_err(|_| wrong("decision", "an object"))?;
    let message = plain(&words(&decision, "message")?.unwrap_or_default());
    match decision.string("behavior").as_deref() {
        Some("allow") => {
            answer.verdict = Verdict::Allow(message);
            let input = decision.get("updatedInput").filter(|part| Kind::Object.admits(part.get()));
            answer.rewrite = input.map(|part| Rewrite::Replace(Json::from_raw(part)));
        }
        Some("deny") => answer.verdict = Verdict::Deny(message),
        _ => return Err(wrong("decision.behavior", "`allow` or `deny`")),
    }
    for key in ["updatedPermissions", "interrupt"] {
        if let Some(value) = decision.get(key) {
            extras.raw(key, value.get());
        }
    }
    Ok(())
}

/// An answer in the person's place.
fn action(nested: &RawObject<'_>, answer: &mut Answer) -> Result<(), String> {
    let Some(action) = words(nested, "action")? else { return Ok(()) };
    if !["accept", "decline", "cancel"].contains(&action.as_str()) {
        return Err(wrong("action", "`accept`, `decline` or `cancel`"));
    }
    let mut part = Object::new();
    part.text("action", &action);
    if let Some(content) = nested.get("content") {
        part.raw("content", content.get());
    }
    answer.rewrite = Json::parse(&part.finish()).ok().map(Rewrite::Replace);
    Ok(())
}

fn nested_extras(row: &Row, nested: &RawObject<'_>) -> Object {
    let mut extras = Object::new();
    for (field, kind) in row.extras {
        if let Some(value) = nested.get(field).filter(|value| kind.admits(value.get())) {
            extras.raw(field, value.get());
        }
    }
    extras
}

fn finished(extras: Object) -> Option<Json> {
    if extras.len() == 0 { None } else { Json::parse(&extras.finish()).ok() }
}

fn flag(members: &RawObject<'_>, key: &'static str) -> Result<Option<bool>, String> {
    schema_kind(members, key, Kind::Flag)?;
    Ok(members.get(key).map(|value| value.get() == "true"))
}

fn words(members: &RawObject<'_>, key: &'static str) -> Result<Option<String>, String> {
    schema_kind(members, key, Kind::Text)?;
    Ok(members.string(key).map(|text| bounded_text(&text)))
}

fn schema_kind(members: &RawObject<'_>, key: &'static str, kind: Kind) -> Result<(), String> {
    match members.get(key) {
        Some(_) => schema::check("", members, &[(key, kind)]).map_err(|error| error.to_string()),
        None => Ok(()),
    }
}

fn wrong(field: &str, must_be: &str) -> String {
    format!("`{field}` must be {must_be}")
}

fn plain(text: &str) -> Reason {
    Reason::new("", text)
}
