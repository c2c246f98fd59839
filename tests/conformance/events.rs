//! The canonical events, as they are in the documentation.

use std::fmt::Write;

use hookbox::{
    agents::{self, native},
    model::{EventName, Rewritable},
};

/// What the page must say.
pub(crate) fn format_page() -> String {
    let mut text = String::from(HEAD);
    for event in EventName::KNOWN {
        let about = event.about().trim_end_matches('.');
        writeln!(text, "| {event} | {about} | {} | {} |", must_have(event), can_do(event)).unwrap();
    }
    text.push_str(NAMES);
    for event in EventName::KNOWN {
        writeln!(text, "| {event} | {} |", list_agents(event)).unwrap();
    }
    text
}

fn must_have(event: &EventName) -> String {
    let members = native::list_required(event);
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

fn list_agents(event: &EventName) -> String {
    let others = agents::all_dialects().iter().filter(|dialect| dialect.name() != "native");
    let named = others.filter_map(|dialect| {
        let events = dialect.events().into_iter().filter(|(_, canonical)| canonical == event);
        let names: Vec<_> = events.map(|(name, _)| format!("`{name}`")).collect();
        (!names.is_empty()).then(|| format!("{} {}", dialect.name(), names.join(", ")))
    });
    named.collect::<Vec<_>>().join("; ")
}

const HEAD: &str = "\
# Events

The canonical events: the members that each requires, and the effects that an answer to it can have. An agent may support fewer:
`hookbox dialects`. Other parts of an answer are left out of the outcome, or of the agent's answer, and named in the report. Every
answer may carry a notice for the user, a stop, and extras. Input without a required member is a `VALIDATION_FAILURE` that names
event and field, and no hook runs. An event of another name is `custom:NAME`; it can be denied and given context. Members
are those of [the native event](agents/native.md#the-native-event); other members of an event are defined by its sender. This page is
written by the test that checks it.

| event | time | required members | effects of an answer |
|---|---|---|---|
";

const NAMES: &str = "
## What agents call them

| event | agents |
|---|---|
";
