//! A message that asks for the hooks of an event to be run.

use hookbox_dialect::{Arrival, Dialect, InvalidEvent, llxprt::Llxprt};
use hookbox_model::{Event, EventName, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::HookExecutionError;

/// The `type` of the message.
const TYPE: &str = "HOOK_EXECUTION_REQUEST";

/// The payload of a `HOOK_EXECUTION_REQUEST`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookExecutionRequest {
    /// llxprt-code's name for the event: `BeforeTool`.
    pub event_name: String,
    /// The event's own members, without those that every event has.
    pub input: Map<String, Value>,
    /// What the answer is recognised by. Without one the answer bears the id that the event got on its arrival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

impl HookExecutionRequest {
    /// The request in this message. `None`: the message is another one's, and not to be answered.
    ///
    /// # Errors
    ///
    /// `invalid_request`: there is no payload, or no event or input in it. The answer to it is
    /// [`HookExecutionResponse::failed`](super::HookExecutionResponse::failed) with [`Self::correlation_id_of`].
    pub fn read(message: &Json) -> Option<Result<Self, HookExecutionError>> {
        let message = message.to_value();
        (message.get("type")? == TYPE).then(|| match message.get("payload") {
            Some(Value::Object(payload)) => Self::of(payload),
            _ => Err(HookExecutionError::invalid_request("Missing payload")),
        })
    }

    fn of(payload: &Map<String, Value>) -> Result<Self, HookExecutionError> {
        let text = |key| payload.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let input = payload.get("input").and_then(Value::as_object);
        let (Some(event_name), Some(input)) = (text("eventName"), input) else {
            return Err(HookExecutionError::invalid_request("Missing eventName or input"));
        };
        let correlation_id = text("correlationId").map(str::to_owned);
        Ok(Self { event_name: event_name.to_owned(), input: input.clone(), correlation_id })
    }

    /// The correlation id of a message, whatever else is wrong with it; the arrival's id if it has none.
    pub fn correlation_id_of(message: &Json, arrival: &Arrival) -> String {
        let message = message.to_value();
        let id = message.pointer("/payload/correlationId").and_then(Value::as_str);
        id.filter(|id| !id.is_empty()).unwrap_or(&arrival.id).to_owned()
    }

    /// The message, for whoever asks.
    pub fn message(&self) -> Value {
        serde_json::json!({ "type": TYPE, "payload": self })
    }

    /// The event that is asked about; `session` is that of the run, as the input has none of its own.
    ///
    /// # Errors
    ///
    /// `unsupported_event`: there is no event of this name. `VALIDATION_FAILURE`: the input is not what the event must
    /// have, or it is one of the three events that cannot be asked about this way.
    pub fn event(&self, session: &str, arrival: &Arrival) -> Result<Event, HookExecutionError> {
        if !Llxprt.events().iter().any(|(name, _)| *name == self.event_name) {
            return Err(HookExecutionError::unsupported_event(&self.event_name));
        }
        let event = Llxprt.read(self.source(session)?, arrival).map_err(|error| self.invalid(error))?;
        match event.name {
            EventName::SessionStart | EventName::SessionEnd | EventName::CompactBefore => {
                Err(HookExecutionError::validation(
                    &self.event_name,
                    "hooks of this event are not run by request",
                ))
            }
            _ => Ok(event),
        }
    }

    /// The input as a hook would get it.
    fn source(&self, session: &str) -> Result<Json, HookExecutionError> {
        let own = [("session_id", session), ("hook_event_name", &self.event_name)];
        let own = own.map(|(key, value)| (key.to_owned(), Value::from(value)));
        let others = self.input.iter().filter(|(key, _)| !COMMON.contains(&key.as_str()));
        let others = others.map(|(key, value)| (key.clone(), value.clone()));
        let source = Value::Object(own.into_iter().chain(others).collect());
        Json::parse(&source.to_string()).map_err(|error| self.invalid(error.into()))
    }

    fn invalid(&self, error: InvalidEvent) -> HookExecutionError {
        HookExecutionError::from(&InvalidEvent { event: Some(self.event_name.clone()), ..error })
    }
}

/// What every event has is not the sender's to say.
const COMMON: [&str; 2] = ["session_id", "hook_event_name"];
