//! The part of an event that hooks may change.

use std::fmt;

use serde_json::{Map, Value};

use crate::{Event, Json, Rewrite};

/// Where the part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewritable {
    /// The tool's arguments.
    ToolInput,
    /// The tool's result.
    ToolOutput,
    /// This member of the payload.
    Payload(&'static str),
}

/// Why a rewrite cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteError {
    /// Nothing of this event may be rewritten.
    NotRewritable,
    /// The event does not carry the part.
    Absent,
    /// Tool arguments must stay an object.
    NotAnObject,
}

impl fmt::Display for RewriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotRewritable => "nothing of this event can be rewritten",
            Self::Absent => "the event does not carry the part that can be rewritten",
            Self::NotAnObject => "tool arguments must stay a JSON object",
        })
    }
}

impl Event {
    /// The rewritable part as it stands, if the event carries one.
    pub fn rewritable(&self) -> Option<Json> {
        match self.name.moment().rewrite? {
            Rewritable::ToolInput => Some(self.tool.as_ref()?.input.clone()),
            Rewritable::ToolOutput => self.tool.as_ref()?.output.clone(),
            Rewritable::Payload(key) => self.payload.members().and_then(|m| m.get(key).map(Json::from_raw)),
        }
    }

    /// The rewritable part after `rewrite`.
    pub fn rewritten(&self, rewrite: &Rewrite) -> Result<Json, RewriteError> {
        let place = self.name.moment().rewrite.ok_or(RewriteError::NotRewritable)?;
        let part = match rewrite {
            Rewrite::Replace(part) => part.clone(),
            Rewrite::Merge(patch) => {
                let mut part = self.rewritable().ok_or(RewriteError::Absent)?.to_value();
                merge_patch(&mut part, patch.to_value());
                Json::from_value(&part)
            }
        };
        let is_object = part.as_str().trim_ascii_start().starts_with('{');
        match place {
            Rewritable::ToolInput if !is_object => Err(RewriteError::NotAnObject),
            _ => Ok(part),
        }
    }

    /// Puts `part` in the rewritable part's place. What follows from a tool's arguments (command, paths) is left to
    /// the dialect, which knows their names.
    pub fn set_rewritable(&mut self, part: Json) {
        match (self.name.moment().rewrite, &mut self.tool) {
            (Some(Rewritable::ToolInput), Some(tool)) => tool.input = part,
            (Some(Rewritable::ToolOutput), Some(tool)) => tool.output = Some(part),
            (Some(Rewritable::Payload(key)), _) => {
                let mut payload = self.payload.to_value();
                if let Value::Object(members) = &mut payload {
                    members.insert(key.to_owned(), part.to_value());
                }
                self.payload = Json::from_value(&payload);
            }
            _ => {}
        }
    }
}

/// Applies a merge patch (RFC 7396) to `target`.
pub fn merge_patch(target: &mut Value, patch: Value) {
    let Value::Object(changes) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(members) = target.as_object_mut() else { return };
    for (key, change) in changes {
        if change.is_null() {
            members.shift_remove(&key);
        } else {
            merge_patch(members.entry(key).or_insert(Value::Null), change);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_merge_patch_does_what_rfc_7396_shows() {
        for (mut target, patch, expected) in [
            (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
            (json!({"a":"b"}), json!({"a":null}), json!({})),
            (json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}})),
            (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
            (json!(["a"]), json!({"a":1}), json!({"a":1})),
            (json!({}), json!({"a":{"bb":{"ccc":null}}}), json!({"a":{"bb":{}}})),
        ] {
            merge_patch(&mut target, patch);
            assert_eq!(target, expected);
        }
    }
}
