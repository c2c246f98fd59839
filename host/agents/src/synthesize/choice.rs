//! The choice of the agent's event for a name and a request.

use hookbox_model::EventName;

use super::{EventRequest, native};
use crate::{
    Dialect,
    self_test::find_self_test,
    table::{EventCondition, Tool},
};

/// Returns the agent's name for the event that `event` means, its own name or a canonical one, and the canonical one.
pub fn event_of(dialect: &dyn Dialect, event: &str, wanted: &EventRequest) -> Option<(String, EventName)> {
    let events = dialect.events();
    let is_unconditional = |(name, canonical): &&(&'static str, EventName)| {
        dialect
            .event_form(name, canonical)
            .is_some_and(|form| matches!(form.reading.when, EventCondition::Always))
    };
    let own: Vec<_> = events.iter().filter(|(name, _)| *name == event).collect();
    if let Some((name, canonical)) = own.iter().copied().find(is_unconditional).or(own.first().copied()) {
        return Some(((*name).to_owned(), canonical.clone()));
    }
    if dialect.name() == native::NAME {
        return native::parse_custom(event);
    }
    let canonical = EventName::known(event)?;
    let usual = find_self_test(dialect.name()).map(|self_test| self_test.event);
    let fits = |name: &str| match dialect.event_form(name, &canonical).map(|form| form.reading.tool) {
        Some(Tool::View(tool, _)) if wanted.tool.is_some() => wanted.tool.as_deref() == Some(tool),
        Some(Tool::View(_, keys)) if wanted.command.is_none() => {
            wanted.path.is_some() && keys.contains(&"file_path")
        }
        Some(_) => Some(name) == usual || usual.is_none_or(|usual| !is_canonical(&events, usual, &canonical)),
        None => false,
    };
    let own: Vec<_> = events.iter().filter(|(_, known)| *known == canonical).map(|(name, _)| *name).collect();
    let name = own.iter().find(|name| fits(name)).or(own.first())?;
    Some(((*name).to_owned(), canonical))
}

fn is_canonical(events: &[(&'static str, EventName)], name: &str, canonical: &EventName) -> bool {
    events.iter().any(|(known, event)| *known == name && event == canonical)
}

/// Returns the tools for which this agent has events of this canonical kind, if each tool has an event of its own and the requested one has
/// none.
pub(super) fn tools_instead(
    dialect: &dyn Dialect,
    event: &str,
    wanted: &EventRequest,
) -> Option<Vec<&'static str>> {
    let (wanted, canonical) = (wanted.tool.as_deref()?, EventName::known(event)?);
    let mut tools = Vec::new();
    for (name, _) in dialect.events().iter().filter(|(_, known)| *known == canonical) {
        match dialect.event_form(name, &canonical).map(|form| form.reading.tool) {
            Some(Tool::View(tool, _)) => tools.push(tool),
            // This event accepts any tool.
            Some(Tool::Named(naming) | Tool::Offered(naming)) if naming.server.is_none() => return None,
            _ => {}
        }
    }
    (!tools.is_empty() && !tools.contains(&wanted)).then_some(tools)
}

/// Returns the events of this agent that can be synthesized.
pub fn list_events(dialect: &dyn Dialect) -> Vec<&'static str> {
    let has_form =
        |(name, canonical): &(&'static str, EventName)| dialect.event_form(name, canonical).is_some();
    let mut names: Vec<_> = dialect.events().into_iter().filter(has_form).map(|(name, _)| name).collect();
    names.dedup();
    names
}
