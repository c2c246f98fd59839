//! Digest of the exact call that an event is about, and the call's arguments as they may be logged.

use hookbox::{Sha256Digest, model::Event};
use serde_json::{Value, value::RawValue};

/// Deepest arguments that get a digest; the model reads no deeper ones.
const MAX_DEPTH: usize = 128;

/// Returns a digest of the call that an event is about: its agent, the event, the tool and its arguments, the project's folder,
/// and the folder that the agent works in, to which paths are relative. `None` if it is not about a call. The order of the
/// arguments does not matter, everything else does, including how numbers are written.
pub fn call_digest(event: &Event, project: &str) -> Option<String> {
    let tool = event.tool.as_ref()?;
    let raw: &RawValue = serde_json::from_str(tool.input.as_str()).ok()?;
    let mut arguments = String::new();
    write_canonical(raw, MAX_DEPTH, &mut arguments)?;
    let parts = [event.agent.as_ref(), event.name.as_str(), &tool.name, project, &event.cwd, &arguments];
    // As JSON, so that no other list of parts has the same bytes: joined texts could be split elsewhere.
    let text = serde_json::to_vec(&parts).ok()?;
    Some(Sha256Digest::of_content(&text).as_str().to_owned())
}

/// Writes a canonical text of the value: no white space, members ordered by their names.
fn write_canonical(raw: &RawValue, depth: usize, text: &mut String) -> Option<()> {
    let depth = depth.checked_sub(1)?;
    match raw.get().as_bytes().first()? {
        b'{' => {
            let members: std::collections::BTreeMap<String, &RawValue> =
                serde_json::from_str(raw.get()).ok()?;
            text.push('{');
            for (name, value) in members {
                text.push_str(&serde_json::to_string(&name).ok()?);
                text.push(':');
                write_canonical(value, depth, text)?;
                text.push(',');
            }
            text.push('}');
        }
        b'[' => {
            let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
            text.push('[');
            for item in items {
                write_canonical(item, depth, text)?;
                text.push(',');
            }
            text.push(']');
        }
        b'"' => {
            // Agents escape differently: `"\u0061"` and `"a"` are one text.
            let string: String = serde_json::from_str(raw.get()).ok()?;
            text.push_str(&serde_json::to_string(&string).ok()?);
        }
        _ => text.push_str(raw.get()),
    }
    Some(())
}

/// Returns the arguments with every text in them as `clean` returns it; `clean` receives the member's name and the text.
pub(super) fn clean_texts(value: Value, name: &str, clean: &impl Fn(&str, &str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(clean(name, &text)),
        Value::Array(items) => items.into_iter().map(|item| clean_texts(item, name, clean)).collect(),
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .map(|(name, value)| (clean("", &name), clean_texts(value, &name, clean)))
                .collect(),
        ),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use hookbox::model::{EventName, Json, ToolCall, ToolClass};

    use super::*;

    fn digest_call(tool: &str, input: &str, project: &str) -> String {
        digest_of(Event::new(EventName::ToolBefore, "claude-code"), tool, input, project)
    }

    fn digest_of(mut event: Event, tool: &str, input: &str, project: &str) -> String {
        event.tool = Some(ToolCall {
            name: tool.to_owned(),
            class: ToolClass::Shell,
            command: None,
            paths: Vec::new(),
            input: Json::parse_object(input).unwrap(),
            output: None,
        });
        call_digest(&event, project).unwrap()
    }

    #[test]
    fn the_same_call_has_the_same_digest_however_it_is_written() {
        let one = digest_call("Bash", r#"{"command":"ls","n":1}"#, "/p");
        for same in [r#"{"n":1,"command":"ls"}"#, r#"{ "command" : "\u006cs", "n" : 1 }"#] {
            assert_eq!(digest_call("Bash", same, "/p"), one, "{same}");
        }
        for other in [
            r#"{"command":"ls ","n":1}"#,
            r#"{"command":"ls","n":1.0}"#,
            r#"{"command":"ls"}"#,
            r#"{"command":"ls","n":"1"}"#,
            r#"{"command":["ls"],"n":1}"#,
        ] {
            assert_ne!(digest_call("Bash", other, "/p"), one, "{other}");
        }
        assert_ne!(digest_call("Shell", r#"{"command":"ls","n":1}"#, "/p"), one);
        assert_ne!(digest_call("Bash", r#"{"command":"ls","n":1}"#, "/q"), one);
        let input = r#"{"command":"ls","n":1}"#;
        let below = Event { cwd: "/p/below".to_owned(), ..Event::new(EventName::ToolBefore, "claude-code") };
        assert_ne!(digest_of(below, "Bash", input, "/p"), one);
        assert_ne!(digest_of(Event::new(EventName::ToolBefore, "codex"), "Bash", input, "/p"), one);
        assert_ne!(
            digest_of(Event::new(EventName::PermissionRequest, "claude-code"), "Bash", input, "/p"),
            one
        );
    }
}
