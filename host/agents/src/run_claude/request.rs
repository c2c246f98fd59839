//! The part of a context that goes to the model: `model`, `messages` and `tools`, as one object.

use hookbox_model::{Json, RawObject};
use serde_json::Value;

const PARTS: [&str; 3] = ["model", "messages", "tools"];

/// The members that hooks may change.
pub(super) const CHANGEABLE: [&str; 2] = ["messages", "tools"];

/// Returns the request in a context; `null` members are left out.
pub(super) fn build_request(context: &RawObject<'_>) -> Json {
    let there = PARTS.into_iter().filter_map(|key| Some((key, context.get_present(key)?)));
    Json::from_members(there)
}

/// Changes in the context that a rewritten request causes.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Members of the context and their new values.
    pub(super) members: Vec<(&'static str, String)>,
    /// True if something else changed too, or a value changed to one that run-claude cannot take.
    pub(super) lost: bool,
}

/// Returns the messages and tools of `rewritten` that differ from those of `original`. run-claude takes `null` for "unchanged", so a
/// request without tools has an empty list of them.
pub(super) fn find_changes(original: &Json, rewritten: &Json) -> Changes {
    let mut changes = Changes::default();
    let (Value::Object(mut before), Value::Object(mut after)) = (original.to_value(), rewritten.to_value())
    else {
        return Changes { lost: true, ..changes };
    };
    let raw = rewritten.members().unwrap_or_default();
    for key in CHANGEABLE {
        let (old, new) = (before.shift_remove(key), after.shift_remove(key).filter(|new| !new.is_null()));
        match (old, new) {
            (old, new) if old == new => {}
            (_, Some(Value::Array(_))) => {
                changes.members.extend(raw.get(key).map(|value| (key, value.get().to_owned())));
            }
            // `null` would mean that the tools stay.
            (Some(_), None) if key == "tools" => changes.members.push((key, "[]".to_owned())),
            _ => changes.lost = true,
        }
    }
    changes.lost |= before != after;
    changes
}
