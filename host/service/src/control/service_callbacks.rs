//! The service as callbacks: one for each event, answered by the user's files.

use std::{sync::Arc, time::Duration};

use hookbox::{
    InvalidRequest,
    agents::{
        Dialect, ReadContext, Written,
        claude_code::{self, ClaudeCode},
    },
    model::{EventName, Json},
};
use hookbox_embed::agent_sdk::{EVENTS, FAILURE_IS_PASSED_OVER, OnFailure};

use super::{
    callback::{SdkCall, SdkCallback},
    callbacks::{Callbacks, Group, Unregistered},
    cancellation::Cancellation,
};
use crate::{AgentRequest, Service};

/// Time for cancelled hooks to end and for their output to be saved.
const FAREWELL_TIME: Duration = Duration::from_secs(2);

impl Callbacks {
    /// Registers the service for every event that callbacks of the SDK are for. `arrival` supplies the context that the bytes of an event
    /// lack. Events that can be blocked are blocked if anything fails.
    pub fn add_service(
        &self,
        service: &Service,
        arrival: impl Fn() -> ReadContext + Send + Sync + 'static,
    ) -> Result<(), Unregistered> {
        let callback = build_callback(service.clone(), Arc::new(arrival));
        for (event, canonical) in ClaudeCode.events().iter().filter(|(name, _)| EVENTS.contains(name)) {
            self.add(event, Group::of_service(event, canonical), [callback.clone()])?;
        }
        Ok(())
    }
}

impl Group {
    /// Returns the settings of a callback that calls hookbox for this event: Claude Code waits for it as long as for a hook that is a
    /// process, and blocks when it fails.
    pub fn of_service(event: &str, canonical: &EventName) -> Self {
        let guards = canonical.traits().block && !FAILURE_IS_PASSED_OVER.contains(&event);
        Self {
            matcher: None,
            timeout: Some(ClaudeCode.agent_timeout(canonical)),
            // Claude Code ignores it at a stop, and at other events there is nothing to block.
            on_failure: guards.then_some(OnFailure::Block),
        }
    }
}

fn build_callback(service: Service, arrival: Arc<dyn Fn() -> ReadContext + Send + Sync>) -> SdkCallback {
    SdkCallback::asynchronous(move |call: SdkCall| {
        let (service, arrival) = (service.clone(), arrival());
        async move {
            let SdkCall { event, input, cancellation, .. } = call;
            let bytes = input.as_str().as_bytes().to_vec();
            let ask = AgentRequest::new(Some(&ClaudeCode), bytes, arrival).until(given_up(cancellation));
            let written = service.answer(ask).await.response.written;
            // An answer that has no form as an output must not become an empty one, which would allow.
            claude_code::convert_output(&event, &written).ok_or_else(|| trim_stderr(&written).into())
        }
    })
    .with_farewell(FAREWELL_TIME)
    .refusing(build_refusal)
}

async fn given_up(cancellation: Cancellation) {
    cancellation.cancelled().await;
}

fn build_refusal(event: &str, message: &str) -> Option<Json> {
    let invalid = InvalidRequest {
        dialect: Some(&ClaudeCode),
        event: Some(event.to_owned()),
        message: message.to_owned(),
    };
    claude_code::convert_output(event, &invalid.response().written)
}

fn trim_stderr(written: &Written) -> String {
    written.stderr.trim().to_owned()
}
