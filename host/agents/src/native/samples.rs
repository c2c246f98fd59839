//! Harmless events of each name, as an agent might send them: for trying a hook out.

use hookbox_model::{EventName, Json};
use serde_json::{Map, Value, json};

use super::fields;
use crate::schema::Kind;

/// Harmless tool calls, by their kind for a guard: a command, a file that is read, a file that is written.
const TOOLS: [(&str, &str); 3] = [
    // The commands and files must be harmless: the hook under test may act on them.
    ("Bash", r#"{"command": "true"}"#),
    ("Read", r#"{"file_path": "/sample.txt"}"#),
    ("Write", r#"{"file_path": "/sample.txt", "content": "sample"}"#),
];

/// Returns events of this name, which the native dialect reads.
pub(super) fn make_samples(event: &EventName) -> Vec<Json> {
    let payload: Map<String, Value> = fields::list_payload(event)
        .iter()
        .map(|(name, kind)| ((*name).to_owned(), make_value(name, *kind)))
        .collect();
    let mut sample = json!({ "event": event.as_str(), "session": "sample", "cwd": "/" });
    insert_member(
        &mut sample,
        "payload",
        Some(Value::Object(payload)).filter(|payload| *payload != json!({})),
    );
    if !fields::needs_tool(event) {
        return vec![Json::from_value(&sample)];
    }
    let with_tool = |(name, input): (&str, &str)| {
        let mut tool =
            json!({ "name": name, "input": serde_json::from_str::<Value>(input).unwrap_or_default() });
        insert_member(&mut tool, "output", fields::needs_output(event).then(|| "sample".into()));
        let mut sample = sample.clone();
        insert_member(&mut sample, "tool", Some(tool));
        Json::from_value(&sample)
    };
    TOOLS.into_iter().map(with_tool).collect()
}

fn insert_member(object: &mut Value, key: &str, value: Option<Value>) {
    if let (Some(members), Some(value)) = (object.as_object_mut(), value) {
        members.insert(key.to_owned(), value);
    }
}

fn make_value(name: &str, kind: Kind) -> Value {
    match (name, kind) {
        ("request", _) => json!({ "model": "sample", "messages": [{ "role": "user", "content": "sample" }] }),
        ("response", _) => {
            json!({ "choices": [{ "message": { "role": "assistant", "content": "sample" } }] })
        }
        (_, Kind::Object) => json!({}),
        (_, Kind::List) => json!([]),
        (_, Kind::Flag) => json!(false),
        (_, Kind::Number) => json!(0),
        (_, Kind::Text | Kind::Name | Kind::Any) => json!("sample"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadContext, find_dialect};

    #[test]
    fn every_event_has_a_sample_that_the_native_dialect_reads() {
        let native = find_dialect("native").unwrap();
        let arrival = ReadContext { id: "i".to_owned(), time: 0, cwd: "/".to_owned() };
        for name in EventName::KNOWN {
            let samples = make_samples(name);
            assert!(!samples.is_empty(), "{name}");
            for sample in samples {
                assert_eq!(native.read(sample, &arrival).unwrap().name, *name);
            }
        }
    }
}
