//! Commands that the configuration names.

use crate::{
    arg::Arg,
    call::Call,
    finding::quote,
    packs::{Shape, Words},
    policy::{OwnRule, Policy, Severity},
};

/// Returns the findings of the configured rules about a command: the code, and the command's effect.
pub(super) fn matching(call: &Call, policy: &Policy) -> Vec<(&'static str, String)> {
    let mut words: Option<Words> = None;
    let written = call.words.first().map(Arg::as_str).unwrap_or_default();
    let mut is_meant = |rule: &&OwnRule| {
        let shape = Shape::command(&rule.command).filter(|shape| shape.is_of(call.name(), written));
        shape.is_some_and(|shape| shape.find(words.get_or_insert_with(|| Words::of(call))).is_some())
    };
    policy.own.iter().filter(|rule| is_meant(rule)).map(|rule| (code(rule), describe_rule(rule))).collect()
}

fn code(rule: &OwnRule) -> &'static str {
    if rule.severity == Severity::Deny { "command-denied" } else { "command-asked" }
}

fn describe_rule(rule: &OwnRule) -> String {
    let why = match &rule.why {
        Some(why) => quote(why, 300),
        None => format!("is on the configured list as `{}`", quote(&rule.command, 80)),
    };
    match &rule.instead {
        Some(instead) => format!("{why}. Instead: {}", quote(instead, 300)),
        None => why,
    }
}
