//! The part of an event that hooks may change.

use std::fmt;

use crate::{Event, Json, Rewrite};

/// Place of the rewritable part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewritable {
    /// The tool's arguments.
    ToolInput,
    /// The tool's result.
    ToolOutput,
    /// This member of the payload.
    Payload(&'static str),
}

/// Reason why a rewrite cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RewriteError {
    /// The event has no rewritable part.
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
    /// Returns the current rewritable part, if the event carries one.
    pub fn rewritable(&self) -> Option<Json> {
        match self.name.traits().rewrite? {
            Rewritable::ToolInput => Some(self.tool.as_ref()?.input.clone()),
            Rewritable::ToolOutput => self.tool.as_ref()?.output.clone(),
            Rewritable::Payload(key) => self.payload.members().and_then(|m| m.get(key).map(Json::from_raw)),
        }
    }

    /// Returns the rewritable part after `rewrite`.
    pub fn rewritten_part(&self, rewrite: &Rewrite) -> Result<Json, RewriteError> {
        let place = self.name.traits().rewrite.ok_or(RewriteError::NotRewritable)?;
        let part = match rewrite {
            // A replacement needs no part that is there: events about a worktree or a question come without
            // one.
            Rewrite::Replace(part) => part.clone(),
            Rewrite::Merge(patch) => self.rewritable().ok_or(RewriteError::Absent)?.apply_patch(patch),
        };
        // The text is valid JSON, so its first character shows its kind.
        let is_object = part.as_str().trim_ascii_start().starts_with('{');
        match place {
            Rewritable::ToolInput if !is_object => Err(RewriteError::NotAnObject),
            _ => Ok(part),
        }
    }

    /// Replaces the rewritable part. The dialect must update the fields that follow from a tool's arguments (command, paths), since it
    /// knows the arguments' names.
    pub fn set_rewritable(&mut self, part: Json) {
        match (self.name.traits().rewrite, &mut self.tool) {
            (Some(Rewritable::ToolInput), Some(tool)) => tool.input = part,
            (Some(Rewritable::ToolOutput), Some(tool)) => tool.output = Some(part),
            (Some(Rewritable::Payload(key)), _) => self.payload = self.payload.with_member(key, &part),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EventName;

    #[test]
    fn a_payload_keeps_every_byte_of_the_members_that_are_not_rewritten() {
        let payload = |request: &str| {
            let text = format!(r#"{{"seed":12345678901234567890123,"request":{request},"price":1.10}}"#);
            Json::parse_object(&text).unwrap()
        };
        let mut event = Event {
            payload: payload(r#"{"temperature":0.70,"top":1e2}"#),
            ..Event::new(EventName::ModelRequest, "native")
        };
        let rewrite = Rewrite::Merge(Json::parse(r#"{"model":"m"}"#).unwrap());
        let part = event.rewritten_part(&rewrite).unwrap();
        event.set_rewritable(part);
        assert_eq!(event.payload, payload(r#"{"temperature":0.70,"top":1e2,"model":"m"}"#));
    }
}
