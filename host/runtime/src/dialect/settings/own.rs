//! hookbox's own entries in a file.

use jsonc_parser::cst::{CstArray, CstNode, CstObject};

use super::{
    AgentSettings, command,
    shape::Shape,
    tree::{self, Container},
};

/// One entry of hookbox's.
#[derive(Debug)]
pub(super) struct OwnEntry {
    /// The agent's name for its event.
    pub(super) event: String,
    handler: CstNode,
    /// What is around it, innermost first.
    around: Vec<Level>,
}

/// A container, and what goes with it once it is empty.
#[derive(Clone, Debug)]
struct Level {
    container: Container,
    holder: CstNode,
}

type IsOwn<'a> = &'a dyn Fn(&CstObject) -> bool;

impl OwnEntry {
    /// Takes the entry out, and every container that it leaves empty.
    pub(super) fn take_out(self) {
        self.handler.remove();
        for level in self.around {
            if !level.container.is_empty() {
                break;
            }
            level.holder.remove();
        }
    }
}

/// All of them, in the order of the file. What is not of the expected kind is not ours.
pub(super) fn entries(root: &CstObject, settings: &AgentSettings) -> Vec<OwnEntry> {
    let Some(property) = root.get("hooks") else { return Vec::new() };
    let own = |handler: &CstObject| is_own(handler, settings.agent);
    match (settings.shape, property.object_value(), property.array_value()) {
        (Shape::List(_), _, Some(list)) => {
            let level = Level { container: Container::Array(list.clone()), holder: property.into() };
            let mut found = handlers(&list, "", &[level], &own);
            for entry in &mut found {
                let event = entry.handler.as_object().and_then(|handler| tree::text(&handler, "event"));
                entry.event = event.unwrap_or_default();
            }
            found
        }
        (Shape::Groups(_) | Shape::Flat(_) | Shape::Bare, Some(hooks), _) => {
            let top = Level { container: Container::Object(hooks.clone()), holder: property.into() };
            by_event(&hooks, settings.shape, &top, &own)
        }
        _ => Vec::new(),
    }
}

fn by_event(hooks: &CstObject, shape: Shape, top: &Level, own: IsOwn<'_>) -> Vec<OwnEntry> {
    let mut found = Vec::new();
    for property in hooks.properties() {
        let (Some(event), Some(list)) = (property.decoded_name(), property.array_value()) else { continue };
        let level = Level { container: Container::Array(list.clone()), holder: property.into() };
        if matches!(shape, Shape::Groups(_)) {
            for group in list.elements() {
                let Some(inner) = group.as_object().and_then(|group| group.array_value("hooks")) else {
                    continue;
                };
                let inner_level = Level { container: Container::Array(inner.clone()), holder: group };
                found.extend(handlers(&inner, &event, &[inner_level, level.clone(), top.clone()], own));
            }
        } else {
            found.extend(handlers(&list, &event, &[level, top.clone()], own));
        }
    }
    found
}

fn handlers(list: &CstArray, event: &str, around: &[Level], own: IsOwn<'_>) -> Vec<OwnEntry> {
    let ours = list.elements().into_iter().filter(|element| element.as_object().is_some_and(|o| own(&o)));
    ours.map(|handler| OwnEntry { event: event.to_owned(), handler, around: around.to_vec() }).collect()
}

fn is_own(handler: &CstObject, agent: &str) -> bool {
    let Some(line) = tree::text(handler, "command") else { return false };
    let words = handler.array_value("args").map(|args| args.elements()).unwrap_or_default();
    let words: Vec<String> =
        words.iter().filter_map(|word| word.as_string_lit()?.decoded_value().ok()).collect();
    command::is_own(&line, agent, words.iter().map(String::as_str))
}
