//! hookbox's own entries in a file.

use jsonc_parser::cst::{CstArray, CstNode, CstObject};

use super::{
    AgentSettings, HooksMember,
    command::{self, HookboxCommand},
    entry_layout::{ARGUMENTS, COMMAND, Shape},
    tree::{self, Container},
};

#[derive(Debug)]
pub(super) struct OwnEntry {
    /// The agent's name for its event.
    pub(super) event: String,
    pub(super) handler: CstNode,
    /// Enclosing levels, innermost first.
    around: Vec<Level>,
}

/// A container, and the node to remove once it is empty.
#[derive(Clone, Debug)]
struct Level {
    container: Container,
    holder: CstNode,
}

type IsOwn<'a> = &'a dyn Fn(&CstObject) -> bool;

impl OwnEntry {
    /// Takes the entry out, and every container that it leaves empty, but for `hooks` if that is to stay.
    pub(super) fn take_out(self, hooks: HooksMember) {
        // From the inside: a list can be seen to be empty only once the entry is out.
        self.handler.remove();
        let outermost = self.around.len().saturating_sub(1);
        for (at, level) in self.around.into_iter().enumerate() {
            if !level.container.is_empty() || (at == outermost && hooks == HooksMember::Kept) {
                break;
            }
            level.holder.remove();
        }
    }
}

/// Returns hookbox's entries, in the order of the file. Nodes of an unexpected kind are foreign.
pub(super) fn find_entries(root: &CstObject, settings: &AgentSettings) -> Vec<OwnEntry> {
    handlers_where(root, settings, &|handler| find_command(handler, settings).is_some())
}

/// Returns the events of entries that run hookbox for another agent, with that agent.
pub(super) fn find_misnamed(root: &CstObject, settings: &AgentSettings) -> Vec<(String, String)> {
    let other = |handler: &CstObject| {
        let more = read_arguments(handler, settings);
        command::other_agent(&tree::read_text(handler, COMMAND)?, more.as_deref(), settings.agent)
    };
    let entries = handlers_where(root, settings, &|handler| other(handler).is_some());
    let named = |entry: OwnEntry| Some((entry.event, other(&entry.handler.as_object()?)?));
    entries.into_iter().filter_map(named).collect()
}

fn handlers_where(root: &CstObject, settings: &AgentSettings, own: IsOwn<'_>) -> Vec<OwnEntry> {
    if let Shape::TopLevel(_) = settings.shape {
        return by_event(root, settings.shape, None, own);
    }
    let Some(property) = root.get("hooks") else { return Vec::new() };
    match (settings.shape, property.object_value(), property.array_value()) {
        (Shape::List(_), _, Some(list)) => {
            let level = Level { container: Container::Array(list.clone()), holder: property.into() };
            let mut found = select_handlers(&list, "", &[level], own);
            for entry in &mut found {
                let event = entry.handler.as_object().and_then(|handler| tree::read_text(&handler, "event"));
                entry.event = event.unwrap_or_default();
            }
            found
        }
        (Shape::Groups(_) | Shape::Flat(_) | Shape::Bare, Some(hooks), _) => {
            let top = Level { container: Container::Object(hooks.clone()), holder: property.into() };
            by_event(&hooks, settings.shape, Some(&top), own)
        }
        _ => Vec::new(),
    }
}

fn by_event(hooks: &CstObject, shape: Shape, top: Option<&Level>, own: IsOwn<'_>) -> Vec<OwnEntry> {
    let mut found = Vec::new();
    for property in hooks.properties() {
        let (Some(event), Some(list)) = (property.decoded_name(), property.array_value()) else { continue };
        let level = Level { container: Container::Array(list.clone()), holder: property.into() };
        let outer: Vec<_> = std::iter::once(&level).chain(top).cloned().collect();
        if matches!(shape, Shape::Groups(_) | Shape::TopLevel(_)) {
            for group in list.elements() {
                // Nodes of another kind are the user's, and stay.
                let Some(inner) = group.as_object().and_then(|group| group.array_value("hooks")) else {
                    continue;
                };
                let inner_level = Level { container: Container::Array(inner.clone()), holder: group };
                let around: Vec<_> = std::iter::once(&inner_level).chain(&outer).cloned().collect();
                found.extend(select_handlers(&inner, &event, &around, own));
            }
        } else {
            found.extend(select_handlers(&list, &event, &outer, own));
        }
    }
    found
}

fn select_handlers(list: &CstArray, event: &str, around: &[Level], own: IsOwn<'_>) -> Vec<OwnEntry> {
    let ours = list.elements().into_iter().filter(|element| element.as_object().is_some_and(|o| own(&o)));
    ours.map(|handler| OwnEntry { event: event.to_owned(), handler, around: around.to_vec() }).collect()
}

/// Returns the handler's command, if it runs hookbox.
pub(super) fn find_command(handler: &CstObject, settings: &AgentSettings) -> Option<HookboxCommand> {
    command::find_hookbox_command(
        &tree::read_text(handler, COMMAND)?,
        read_arguments(handler, settings).as_deref(),
        settings.agent,
    )
}

/// Returns the arguments in their own member, if the agent supports it.
pub(super) fn read_arguments(handler: &CstObject, settings: &AgentSettings) -> Option<Vec<String>> {
    let words = handler.array_value(ARGUMENTS).filter(|_| settings.launch.is_exec())?.elements();
    Some(words.iter().filter_map(|word| word.as_string_lit()?.decoded_value().ok()).collect())
}
