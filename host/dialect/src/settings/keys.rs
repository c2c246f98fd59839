//! Keys of a file of which an agent reads no hook if there is one that it does not know.

use jsonc_parser::cst::CstObject;

use super::{AgentSettings, SettingsError, edit::HOOKS, shape::Shape, tree};
use crate::{Dialect, named};

/// Returns an error for the first key that is neither an event nor `hooks`, where only these are allowed.
pub(super) fn check(root: &CstObject, settings: &AgentSettings) -> Result<(), SettingsError> {
    let hooks = if let Shape::TopLevel(_) = settings.shape {
        Some(root.clone())
    } else {
        known(root, &[HOOKS])?;
        tree::member(root, HOOKS)?.and_then(|hooks| hooks.as_object())
    };
    let events = named(settings.agent).map(Dialect::events).unwrap_or_default();
    let events: Vec<_> = events.into_iter().map(|(event, _)| event).collect();
    hooks.map_or(Ok(()), |hooks| known(&hooks, &events))
}

fn known(object: &CstObject, keys: &[&str]) -> Result<(), SettingsError> {
    let names = object.properties().into_iter().filter_map(|property| property.decoded_name());
    let unknown = names.into_iter().find(|name| !keys.contains(&name.as_str()));
    unknown.map_or(Ok(()), |key| Err(SettingsError::UnknownKey { key, wanted: keys.join(", ") }))
}
