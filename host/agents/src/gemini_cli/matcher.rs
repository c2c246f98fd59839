//! Matchers of Gemini CLI and its fork.

use hookbox_core::{Condition, Tools};
use hookbox_model::Event;

use crate::javascript_regex::{JavaScriptRegex, RegexError};

/// Parses the matcher of an event of this name; `None` if it matches all. Surrounding blanks do not count. Tool events use an unanchored
/// regular expression, or the exact name if the text is not one; other events compare their trigger.
pub(super) fn parse_condition(event: &str, matcher: Option<&str>) -> Option<Condition> {
    let written = matcher.map(str::trim).filter(|matcher| !matches!(*matcher, "" | "*"))?;
    match event {
        "BeforeTool" | "AfterTool" => Some(match_tool(written)),
        "SessionStart" => Some(match_trigger("source", written)),
        "SessionEnd" => Some(match_trigger("reason", written)),
        "PreCompress" => Some(match_trigger("trigger", written)),
        "Notification" => Some(match_trigger("notification_type", written)),
        _ => None,
    }
}

/// Matches tools whose name contains a match of the expression; text that is invalid in JavaScript too is a name. An expression that this
/// engine does not support matches every tool: a guard must not be skipped.
fn match_tool(written: &str) -> Condition {
    let named = |is: Box<dyn Fn(&str) -> bool + Send + Sync>| {
        Condition::new(written, move |event| event.tool.as_ref().is_some_and(|tool| is(&tool.name)))
    };
    match JavaScriptRegex::new(written) {
        Ok(regex) => {
            let tools = regex.portable().map(Tools::from_unanchored_regex);
            let condition = named(Box::new(move |name| regex.is_match(name)));
            match tools {
                Some(tools) => condition.with_tools(tools),
                None => condition,
            }
        }
        Err(RegexError::Invalid(_)) => {
            let wanted = written.to_owned();
            let tools = Tools::Names(vec![wanted.clone()]);
            named(Box::new(move |name| name == wanted)).with_tools(tools)
        }
        Err(RegexError::Unsupported(_)) => named(Box::new(|_| true)),
    }
}

/// Matches the trigger of an event. Every matcher matches an event without a trigger.
fn match_trigger(member: &'static str, written: &str) -> Condition {
    let wanted = written.to_owned();
    Condition::new(written, move |event: &Event| {
        let trigger = event.payload.members().and_then(|members| members.get_string(member));
        trigger.is_none_or(|trigger| trigger.is_empty() || trigger == wanted)
    })
}
