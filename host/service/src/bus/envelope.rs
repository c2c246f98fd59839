//! Type and correlation id of a message that cannot be parsed.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// A message's type and correlation id, even if the message has other errors. The rest is not parsed, however long it is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Envelope {
    pub(super) kind: String,
    pub(super) correlation_id: Option<String>,
}

impl Envelope {
    /// Parses the message; `None` if it is not a JSON object with a `type`.
    pub(super) fn of(message: &[u8]) -> Option<Self> {
        // Without the limits of `Json`: the message has failed those, and its id is needed for the answer.
        let members: BTreeMap<String, &RawValue> = serde_json::from_slice(message).ok()?;
        let kind = serde_json::from_str(members.get("type")?.get()).ok()?;
        let correlation_id = members.get("payload").and_then(|payload| correlation_id(payload.get()));
        Some(Self { kind, correlation_id })
    }
}

fn correlation_id(payload: &str) -> Option<String> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(payload).ok()?;
    let id: String = serde_json::from_str(members.get("correlationId")?.get()).ok()?;
    (!id.is_empty()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::Envelope;

    #[test]
    fn type_and_id_are_found_whatever_else_is_wrong() {
        let found = |message: &str| Envelope::of(message.as_bytes()).map(|it| (it.kind, it.correlation_id));
        let is = |kind: &str, id: Option<&str>| Some((kind.to_owned(), id.map(str::to_owned)));
        let deep = format!(
            r#"{{"type":"A","payload":{{"input":{}{},"correlationId":"1"}}}}"#,
            "[".repeat(5000),
            "]".repeat(5000)
        );
        for (message, expected) in [
            (r#"{"type":"A","payload":{"correlationId":"1"}}"#, is("A", Some("1"))),
            (
                r#"{"type":"A","payload":{"correlationId":"1","correlationId":"2"},"type":"B"}"#,
                is("B", Some("2")),
            ),
            (deep.as_str(), is("A", Some("1"))),
            (r#"{"type":"A","payload":{"correlationId":""}}"#, is("A", None)),
            (r#"{"type":"A","payload":7}"#, is("A", None)),
            (r#"{"type":"A"}"#, is("A", None)),
            (r#"{"type":7}"#, None),
            ("{}", None),
            ("[]", None),
            (r#"{"type":"A""#, None),
        ] {
            assert_eq!(found(message), expected, "{}", message.get(..60).unwrap_or(message));
        }
        assert_eq!(Envelope::of(b"{\"type\":\"\xff\"}"), None);
    }
}
