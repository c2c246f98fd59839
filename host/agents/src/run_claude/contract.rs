//! Input of a hook function of run-claude, and the meaning of its changed context (docs/reference/agents/run-claude.md). `context.py` is
//! the adapter: it makes the context, and reports the changes.

use hookbox_core::interfaces::{Call, Contract, ProcessEnd};
use hookbox_model::{Answer, Event, Exit, Failure, FailureCode, Json, RawObject, Rewrite};

use super::{events, proxied};
use crate::object::Object;

/// Creates contexts for functions, and reports the changes.
const ADAPTER: &str = include_str!("context.py");

#[derive(Debug)]
pub(super) struct RunClaudeContract;

impl Contract for RunClaudeContract {
    fn id(&self) -> String {
        "run-claude".to_owned()
    }

    /// Returns the context as earlier hooks left it.
    fn event(&self, call: &Call<'_>) -> String {
        let is_own = call.event.agent == events::AGENT;
        let context = if is_own { build_context(call) } else { proxied::build_context(call.event) };
        let mut input = Object::new();
        input.raw("context", &context);
        input.finish()
    }

    fn python_adapter(&self) -> &'static str {
        ADAPTER
    }

    fn variables(&self, _: &Call<'_>) -> Result<Vec<(String, String)>, Failure> {
        Ok(Vec::new())
    }

    /// Passes the changes of a function in `metadata` on to the next function.
    fn carry(&self, event: &mut Event, answer: &Answer) {
        let members = answer.extra.as_ref().and_then(Json::members).unwrap_or_default();
        if let Some(patch) = members.get("metadata") {
            event.payload = event.payload.apply_patch(&Json::from_members([("metadata", patch.get())]));
        }
        if let Some(whole) = members.get(WHOLE_METADATA) {
            let payload = event.payload.members().unwrap_or_default();
            let others = payload.iter().filter(|(key, _)| !["metadata", WHOLE_METADATA].contains(key));
            let key = if event.agent == events::AGENT { "metadata" } else { WHOLE_METADATA };
            let all = others.map(|(key, value)| (key, value.get())).chain([(key, whole.get())]);
            event.payload = Json::from_members(all);
        }
    }

    fn end(&self, call: &Call<'_>, end: &ProcessEnd<'_>) -> Result<Answer, Failure> {
        if end.exit != Exit::Code(0) {
            return Err(end.failure());
        }
        let text = String::from_utf8_lossy(end.stdout);
        let changes = Json::parse_object(&text).map_err(|error| {
            Failure::new(FailureCode::BadOutput, &format!("the changed context is not acceptable: {error}"))
        })?;
        let changes = changes.members().unwrap_or_default();
        let is_own = call.event.agent == events::AGENT;
        Ok(if is_own {
            read_answer(call.event, &changes)
        } else {
            proxied::convert_answer(call.event, &changes)
        })
    }
}

/// Returns the members as received, with changed ones replaced.
fn build_context(call: &Call<'_>) -> String {
    let members = call.event.source.members().unwrap_or_default();
    let payload = call.event.payload.members().unwrap_or_default();
    let mut changed = changed_parts(call);
    // What earlier functions left for later ones is in the payload, and not a part that hooks rewrite.
    changed.extend(payload.get("metadata").map(|left| ("metadata".to_owned(), left.get().to_owned())));
    let mut context = Object::new();
    for (key, value) in members.iter().filter(|(key, _)| !changed.iter().any(|(new, _)| new == key)) {
        context.raw(key, value.get());
    }
    for (key, value) in &changed {
        context.raw(key, value);
    }
    context.finish()
}

/// Returns the members that earlier hooks rewrote.
fn changed_parts(call: &Call<'_>) -> Vec<(String, String)> {
    let Some(part) = call.original.and_then(|_| call.event.rewritable()) else { return Vec::new() };
    if let Some((field, _)) = events::find_row(&call.event.agent_event).and_then(|row| row.answer) {
        return vec![(field.to_owned(), part.as_str().to_owned())];
    }
    let parts = part.members().unwrap_or_default();
    parts.iter().map(|(key, value)| (key.to_owned(), value.get().to_owned())).collect()
}

/// Member with all of a function's `metadata`, where a merge patch cannot express it: with a null in it.
pub(super) const WHOLE_METADATA: &str = "whole_metadata";

/// Returns the changes of the function in `metadata`: a merge patch, or all of it.
pub(super) fn metadata_of<'a>(changes: &RawObject<'a>) -> Option<(&'static str, &'a str)> {
    if let Some(whole) = changes.get(WHOLE_METADATA) {
        return Some((WHOLE_METADATA, whole.get()));
    }
    // An empty patch is the adapter's form of "unchanged".
    let patch = changes.get("metadata").filter(|patch| patch.get() != "{}")?;
    Some(("metadata", patch.get()))
}

/// Returns true if the function ends the chain.
pub(super) fn is_last(changes: &RawObject<'_>) -> bool {
    changes.get("stop_chain").is_some_and(|flag| flag.get() == "true")
}

fn read_answer(event: &Event, changes: &RawObject<'_>) -> Answer {
    let last = is_last(changes);
    let mut extra = Object::new();
    if let Some((key, metadata)) = metadata_of(changes) {
        extra.raw(key, metadata);
    }
    if last {
        extra.raw("stop_chain", "true");
    }
    let extra = if extra.len() == 0 { None } else { Json::parse(&extra.finish()).ok() };
    Answer { rewrite: read_rewrite(event, changes), extra, last, ..Answer::default() }
}

/// Returns the rewrite. A request is changed in parts; the others are one part each.
fn read_rewrite(event: &Event, changes: &RawObject<'_>) -> Option<Rewrite> {
    let parts = RawObject::parse(changes.get("changed")?.get()).ok()?;
    if let Some((field, _)) = events::find_row(&event.agent_event)?.answer {
        return parts.get(field).map(|part| Rewrite::Replace(Json::from_raw(part)));
    }
    let members = ["model", "messages", "tools"].into_iter();
    let members: Vec<_> = members.filter_map(|key| Some((key, parts.get(key)?.get()))).collect();
    if members.is_empty() { None } else { Some(Rewrite::Merge(Json::from_members(members))) }
}
