//! Typed access to an event, and default events for tests.

use serde::de::DeserializeOwned;

use crate::{Event, ToolCall, ToolClass, json};

impl Event {
    /// Parses the payload as a type. The event's canonical name determines the keys.
    ///
    /// # Errors
    ///
    /// Names the key and what is wrong with it.
    pub fn payload_as<T: DeserializeOwned>(&self) -> Result<T, String> {
        json::parse(&self.payload, "payload")
    }
}

/// Returns an event without name or content, to fill in for a test:
///
/// ```
/// use hookbox_sdk::Event;
///
/// let event = Event { name: "session.start".into(), ..Event::default() };
/// assert_eq!(event.payload, "{}");
/// ```
impl Default for Event {
    fn default() -> Self {
        Self {
            id: String::new(),
            name: String::new(),
            agent: String::new(),
            agent_event: String::new(),
            session: String::new(),
            cwd: String::new(),
            time: 0,
            tool: None,
            payload: "{}".to_owned(),
            original: None,
            outcome: None,
        }
    }
}

impl ToolCall {
    /// Parses the agent's arguments as a type. Each agent has its own argument names.
    ///
    /// # Errors
    ///
    /// Names the key and what is wrong with it.
    pub fn input_as<T: DeserializeOwned>(&self) -> Result<T, String> {
        json::parse(&self.input, "tool input")
    }
}

/// Returns a call of an unnamed tool without arguments, to fill in for a test.
impl Default for ToolCall {
    fn default() -> Self {
        Self {
            name: String::new(),
            class: ToolClass::Other,
            command: None,
            paths: Vec::new(),
            input: "{}".to_owned(),
            output: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Flags = BTreeMap<String, bool>;

    #[test]
    fn a_payload_is_read_as_a_type() {
        let event = Event { payload: r#"{"resumed":true}"#.into(), ..Event::default() };
        assert_eq!(event.payload_as(), Ok(Flags::from([("resumed".to_owned(), true)])));
    }

    #[test]
    fn the_payload_of_a_canonical_event_has_a_type() {
        use crate::events::{PROMPT_SUBMIT, PromptSubmit, WorktreeCreate};

        let payload = r#"{"prompt":"go on","more":1}"#.to_owned();
        let event = Event { name: PROMPT_SUBMIT.into(), payload, ..Event::default() };
        assert_eq!(event.payload_as(), Ok(PromptSubmit { prompt: "go on".into() }));
        assert_eq!(Event::default().payload_as(), Ok(WorktreeCreate { path: None }));
        let error = "payload: missing field `prompt`";
        assert_eq!(Event::default().payload_as::<PromptSubmit>(), Err(error.into()));
    }

    #[test]
    fn a_tool_input_of_another_type_is_named() {
        let call = ToolCall { input: r#"{"force":1}"#.into(), ..ToolCall::default() };
        let error = "tool input: `force`: invalid type: integer `1`, expected a boolean";
        assert_eq!(call.input_as::<Flags>(), Err(error.into()));
    }
}
