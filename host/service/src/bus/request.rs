//! Received messages, and their responses.

use std::time::{SystemTime, UNIX_EPOCH};

use hookbox::{
    agents::ReadContext,
    model::{Json, JsonError},
};
use hookbox_embed::llxprt_bus::{HookExecutionError, HookExecutionRequest, HookExecutionResponse};
use uuid::Uuid;

use super::{HookBus, MAX_MESSAGE_BYTES, envelope::Envelope, handle::RequestPath, pending_requests::Ticket};

/// Type of hookbox's messages.
const REQUEST: &str = "HOOK_EXECUTION_REQUEST";

pub(super) enum ReceivedMessage {
    /// A request, which is answered even if it is invalid.
    Request(Box<Pending>),
    Other(Json),
    /// A text that is not a message, with the reason.
    Unreadable(String),
    /// The bus no longer answers.
    Disposed,
}

/// A request without a response yet.
pub(super) struct Pending {
    bus: HookBus,
    arrival: ReadContext,
    correlation_id: String,
    request: Result<(HookExecutionRequest, Ticket), HookExecutionError>,
}

impl HookBus {
    /// Classifies a message. A request takes its place among those under way now, not when it is answered.
    pub(super) fn admit_message(&self, message: &[u8]) -> ReceivedMessage {
        if self.is_disposed() {
            return ReceivedMessage::Disposed;
        }
        match parse_json(message) {
            Ok(message) => match HookExecutionRequest::read(&message) {
                Some(request) => {
                    let arrival = self.arrival();
                    let id = HookExecutionRequest::correlation_id_of(&message, &arrival);
                    ReceivedMessage::Request(self.admit_request(id, arrival, request))
                }
                None => ReceivedMessage::Other(message),
            },
            // A peer that waits for its id would otherwise wait forever.
            Err(problem) => match Envelope::of(message).filter(|envelope| envelope.kind == REQUEST) {
                Some(envelope) => {
                    let arrival = self.arrival();
                    let id = envelope.correlation_id.unwrap_or_else(|| arrival.id.clone());
                    let error = HookExecutionError::invalid_request(&problem);
                    ReceivedMessage::Request(self.admit_request(id, arrival, Err(error)))
                }
                None => ReceivedMessage::Unreadable(problem),
            },
        }
    }

    fn admit_request(
        &self,
        correlation_id: String,
        arrival: ReadContext,
        request: Result<HookExecutionRequest, HookExecutionError>,
    ) -> Box<Pending> {
        let request = request.and_then(|request| {
            // Here and not when the task starts: of two messages with one id the later one must be the
            // refused one.
            let ticket = self.0.under_way.admit(&correlation_id)?;
            Ok((request, ticket))
        });
        Box::new(Pending { bus: self.clone(), arrival, correlation_id, request })
    }

    /// Returns the context of an event that happens now. A request without a correlation id takes its id.
    pub(super) fn arrival(&self) -> ReadContext {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        ReadContext {
            id: Uuid::new_v4().to_string(),
            time: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            cwd: self.0.folder.display().to_string(),
        }
    }
}

impl Pending {
    /// Returns the response message. There always is one; once `given_up` is ready, hooks under way are ended.
    pub(super) async fn into_response(self, given_up: impl Future<Output = ()> + Send + 'static) -> String {
        let Self { bus, arrival, correlation_id, request } = self;
        let result = match &request {
            Ok((request, _)) => bus.handle(request, &arrival, RequestPath::Mediated, given_up).await,
            Err(error) => Err(error.clone()),
        };
        let result = result.and_then(|processed| match processed.error {
            Some(error) => Err(error),
            None => Ok(processed.aggregated),
        });
        // From here on the id may be used again: the response is as good as sent.
        drop(request);
        HookExecutionResponse { correlation_id, result }.message().to_string()
    }
}

fn parse_json(message: &[u8]) -> Result<Json, String> {
    if message.len() > MAX_MESSAGE_BYTES {
        return Err(too_long());
    }
    let text = std::str::from_utf8(message)
        .map_err(|error| format!("The message is not UTF-8 (byte {})", error.valid_up_to()))?;
    // The sender is a JavaScript program, which may cut a text within a surrogate pair.
    Json::parse_cut_object(text)
        .map_err(|error: JsonError| format!("The message is not acceptable JSON: {error}"))
}

/// Returns the error for a message over the limit.
pub(super) fn too_long() -> String {
    format!("The message is longer than {MAX_MESSAGE_BYTES} bytes")
}
