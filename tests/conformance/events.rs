//! The canonical events, as they are in the documentation.

use std::fmt::Write;

use hookbox::{
    dialect::{self, native},
    model::{EventName, Rewritable},
};

/// What the page must say.
pub(crate) fn page() -> String {
    let mut text = String::from(HEAD);
    for event in EventName::KNOWN {
        let about = event.about().trim_end_matches('.');
        writeln!(text, "| {event} | {about} | {} | {} |", must_have(event), can_do(event)).unwrap();
    }
    text.push_str(NAMES);
    for event in EventName::KNOWN {
        writeln!(text, "| {event} | {} |", agents(event)).unwrap();
    }
    text
}

fn must_have(event: &EventName) -> String {
    let members = native::required(event);
    let members = members.iter().map(|(member, kind)| match *kind {
        "there" => format!("`{member}`"),
        kind => format!("`{member}`: {kind}"),
    });
    members.collect::<Vec<_>>().join("<br>")
}

fn can_do(event: &EventName) -> String {
    let moment = event.traits();
    let rewrite = moment.rewrite.map(|part| match part {
        Rewritable::ToolInput => "rewrite `tool.input`".to_owned(),
        Rewritable::ToolOutput => "rewrite `tool.output`".to_owned(),
        Rewritable::Payload(member) => format!("rewrite `payload.{member}`"),
    });
    let block = moment.block.then(|| "deny, ask, allow".to_owned());
    let context = moment.context.then(|| "context".to_owned());
    [block, rewrite, context].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn agents(event: &EventName) -> String {
    let others = dialect::all().iter().filter(|dialect| dialect.name() != "native");
    let named = others.filter_map(|dialect| {
        let events = dialect.events().into_iter().filter(|(_, canonical)| canonical == event);
        let names: Vec<_> = events.map(|(name, _)| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| format!("{} {}", dialect.name(), names.join(", ")))
    });
    named.collect::<Vec<_>>().join("; ")
}

const HEAD: &str = "\
# Events

The canonical events: what each must have, and what an answer to it can do. An agent may heed less: `hookbox dialects`. What
an answer says beyond that is left out of the outcome, or the agent's answer, and told in the report. Every answer may
carry a notice for the person, a stop, and extras. Input that lacks what it must have is a `VALIDATION_FAILURE` that names
event and field, and no hook runs. An event of another name is `custom:NAME`; it can be denied and given context. Members
are those of [the native event](dialects.md#the-native-event); what else an event has is its sender's own. This page is
written by the test that checks it.

| event | when | must have | an answer can |
|---|---|---|---|
";

const NAMES: &str = "
## What agents call them

| event | agents |
|---|---|
";
