//! Which events a matcher of Gemini CLI or its fork means.

use hookbox_model::Event;

use crate::{Condition, Tools, dialect::matcher_regex};

/// The matcher of an event of this name; `None` if it means all of them. Blanks around it do not count. Tool events
/// compare an unanchored regular expression, or the exact name if it is none; others compare what set them off.
pub(super) fn condition(event: &str, matcher: Option<&str>) -> Option<Condition> {
    let written = matcher.map(str::trim).filter(|matcher| !matches!(*matcher, "" | "*"))?;
    match event {
        "BeforeTool" | "AfterTool" => Some(tool(written)),
        "SessionStart" => Some(trigger("source", written)),
        "SessionEnd" => Some(trigger("reason", written)),
        "PreCompress" => Some(trigger("trigger", written)),
        "Notification" => Some(trigger("notification_type", written)),
        _ => None,
    }
}

fn tool(written: &str) -> Condition {
    let wanted = written.to_owned();
    let regex = matcher_regex::compile(written).ok();
    let tools = match &regex {
        Some(regex) => Tools::found(regex.as_str()),
        None => Tools::Names(vec![wanted.clone()]),
    };
    let condition = Condition::new(written, move |event| {
        event.tool.as_ref().is_some_and(|tool| match &regex {
            Some(regex) => regex.is_match(tool.name.as_bytes()),
            None => tool.name == wanted,
        })
    });
    condition.says(tools)
}

/// An event that does not say what set it off is meant by every matcher.
fn trigger(member: &'static str, written: &str) -> Condition {
    let wanted = written.to_owned();
    Condition::new(written, move |event: &Event| {
        let said = event.payload.members().and_then(|members| members.string(member));
        said.is_none_or(|said| said.is_empty() || said == wanted)
    })
}
