//! Requests to run the hooks of an event.

use std::time::{Duration, UNIX_EPOCH};

use hookbox_agents::{Dialect, InvalidEvent, ReadContext, llxprt::Llxprt};
use hookbox_model::{Event, EventName, Json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{HookExecutionError, model};
use crate::gemini_model::NotTranslatable;

/// Value of `type` in the message.
const TYPE: &str = "HOOK_EXECUTION_REQUEST";

/// The payload of a `HOOK_EXECUTION_REQUEST`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HookExecutionRequest {
    /// llxprt-code's name for the event: `BeforeTool`.
    pub event_name: String,
    /// The event's own members, without the common ones.
    pub input: Map<String, Value>,
    /// Identifier of the answer. Without one the answer has the id that the event got on its arrival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
}

impl HookExecutionRequest {
    /// Parses the request in this message. `None`: the message is for another receiver, and must not be answered.
    ///
    /// # Errors
    ///
    /// `invalid_request`: there is no payload, or no event or input in it. The answer to it is
    /// [`HookExecutionResponse::failed`](super::HookExecutionResponse::failed) with [`Self::correlation_id_of`].
    pub fn read(message: &Json) -> Option<Result<Self, HookExecutionError>> {
        let message = message.to_value();
        (message.get("type")? == TYPE).then(|| match message.get("payload") {
            Some(Value::Object(payload)) => Self::from_payload(payload),
            _ => Err(HookExecutionError::invalid_request("Missing payload")),
        })
    }

    fn from_payload(payload: &Map<String, Value>) -> Result<Self, HookExecutionError> {
        let text = |key| payload.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let input = payload.get("input").and_then(Value::as_object);
        let (Some(event_name), Some(input)) = (text("eventName"), input) else {
            return Err(HookExecutionError::invalid_request("Missing eventName or input"));
        };
        let correlation_id = text("correlationId").map(str::to_owned);
        Ok(Self { event_name: event_name.to_owned(), input: input.clone(), correlation_id })
    }

    /// Returns the correlation id of a message, even if the message has other errors; the arrival's id if it has none.
    pub fn correlation_id_of(message: &Json, arrival: &ReadContext) -> String {
        let message = message.to_value();
        let id = message.pointer("/payload/correlationId").and_then(Value::as_str);
        id.filter(|id| !id.is_empty()).unwrap_or(&arrival.id).to_owned()
    }

    /// Returns the message, for a sender of requests.
    pub fn message(&self) -> Value {
        serde_json::json!({ "type": TYPE, "payload": self })
    }

    /// Returns the event of a request over the bus; `session` is the session of the run, since the input has none of its own. The model's
    /// request and response are in the stable format then.
    ///
    /// # Errors
    ///
    /// `unsupported_event`: there is no event of this name. `VALIDATION_FAILURE`: the input does not have the required members, or the
    /// event is one of the three that are not available over the bus. `internal_error`: a model's request or response cannot be
    /// translated.
    pub fn to_event(&self, session: &str, arrival: &ReadContext) -> Result<Event, HookExecutionError> {
        let event = self.validate_event(session, arrival)?;
        match event.name {
            // llxprt-code has no validator for these three, so they are always invalid over its bus.
            EventName::SessionStart | EventName::SessionEnd | EventName::CompactBefore => {
                Err(HookExecutionError::validation(
                    &self.event_name,
                    ", hooks of this event are not run by request",
                ))
            }
            _ => self.translate_event(event, session, arrival),
        }
    }

    /// Returns the event of a direct call of the program: all eleven events are available, and the checks of each are those in the
    /// signatures of llxprt-code's own methods.
    ///
    /// # Errors
    ///
    /// As [`Self::to_event`]; a session's source or reason, or the trigger of a compression, that is not one of the agent's values is a
    /// `VALIDATION_FAILURE`.
    pub fn direct_event(&self, session: &str, arrival: &ReadContext) -> Result<Event, HookExecutionError> {
        let event = self.validate_event(session, arrival)?;
        let word = match event.name {
            EventName::SessionStart => "source",
            EventName::SessionEnd => "reason",
            EventName::CompactBefore => "trigger",
            _ => return self.translate_event(event, session, arrival),
        };
        // A value that is present has been checked.
        if self.input.contains_key(word) {
            return Ok(event);
        }
        Err(HookExecutionError::missing(&self.event_name, word))
    }

    /// Returns the value with which the program continues: its request, response or tool configuration in its original form, with the
    /// hooks' changes. `None` if they changed nothing.
    ///
    /// # Errors
    ///
    /// `internal_error`: a hook's change cannot be translated back.
    pub fn rewrite_payload(&self, output: Option<&Value>) -> Result<Option<Value>, HookExecutionError> {
        let rewritten =
            output.map(|output| model::rewrite_payload(&self.event_name, &self.input, output)).transpose();
        rewritten.map(Option::flatten).map_err(|error| self.translation_error(&error))
    }

    fn validate_event(&self, session: &str, arrival: &ReadContext) -> Result<Event, HookExecutionError> {
        if !Llxprt.events().iter().any(|(name, _)| *name == self.event_name) {
            return Err(HookExecutionError::unsupported_event(&self.event_name));
        }
        self.event_with(&self.input, session, arrival)
    }

    /// Returns the event with its model payloads as hooks get them.
    fn translate_event(
        &self,
        event: Event,
        session: &str,
        arrival: &ReadContext,
    ) -> Result<Event, HookExecutionError> {
        match model::to_stable_input(&self.input) {
            Ok(None) => Ok(event),
            Ok(Some(input)) => self.event_with(&input, session, arrival),
            Err(error) => Err(self.translation_error(&error)),
        }
    }

    fn event_with(
        &self,
        input: &Map<String, Value>,
        session: &str,
        arrival: &ReadContext,
    ) -> Result<Event, HookExecutionError> {
        let source = self.build_source(input, session, arrival)?;
        Llxprt.read(source, arrival).map_err(|error| self.invalid_event_error(error))
    }

    /// Returns the input as a hook would get it.
    fn build_source(
        &self,
        input: &Map<String, Value>,
        session: &str,
        arrival: &ReadContext,
    ) -> Result<Json, HookExecutionError> {
        let timestamp = format_timestamp(arrival.time);
        // The path of the transcript is empty: the bus knows none, and the sender's is not trusted.
        let common = [session, "", &arrival.cwd, &self.event_name, &timestamp];
        let common = COMMON.into_iter().zip(common).map(|(key, value)| (key.to_owned(), Value::from(value)));
        // A sender must not choose the folder or the session for which hooks decide.
        let others = input.iter().filter(|(key, _)| !COMMON.contains(&key.as_str()));
        let others = others.map(|(key, value)| (key.clone(), value.clone()));
        let source = Value::Object(common.chain(others).collect());
        Json::parse(&source.to_string()).map_err(|error| self.invalid_event_error(error.into()))
    }

    fn invalid_event_error(&self, error: InvalidEvent) -> HookExecutionError {
        HookExecutionError::from(&InvalidEvent { event: Some(self.event_name.clone()), ..error })
    }

    fn translation_error(&self, error: &NotTranslatable) -> HookExecutionError {
        HookExecutionError::translation(&self.event_name, error)
    }
}

/// Members of every event, which the sender cannot set.
const COMMON: [&str; 5] = ["session_id", "transcript_path", "cwd", "hook_event_name", "timestamp"];
/// The last millisecond of a date with a year of four digits.
const LAST: u64 = 253_402_300_799_999;

fn format_timestamp(milliseconds: u64) -> String {
    // For a later year humantime returns an error, at which `to_string` panics.
    let time = UNIX_EPOCH + Duration::from_millis(milliseconds.min(LAST));
    humantime::format_rfc3339_millis(time).to_string()
}
