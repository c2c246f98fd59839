//! Execution of a request, for both ways: check, translate, run, merge, log.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::future::{Either, select};
use hookbox::agents::{ReadContext, llxprt::Llxprt};
use hookbox::model::{Event, Outcome};
use hookbox_embed::{
    ProcessedHookResult,
    llxprt_bus::{HookExecutionError, HookExecutionRequest},
    llxprt_log::log_records,
};

use super::HookBus;
use crate::{AgentRequest, Answered};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RequestPath {
    /// In a message.
    Mediated,
    /// In a call of the program.
    Direct,
}

impl HookBus {
    /// Runs the hooks of this request; an error if no hook ran, or the chain could not run.
    pub(super) async fn handle(
        &self,
        request: &HookExecutionRequest,
        arrival: &ReadContext,
        way: RequestPath,
        given_up: impl Future<Output = ()> + Send + 'static,
    ) -> Result<ProcessedHookResult, HookExecutionError> {
        let session = &self.0.session;
        let event = match way {
            RequestPath::Mediated => request.to_event(session, arrival)?,
            RequestPath::Direct => request.direct_event(session, arrival)?,
        };
        let ended = self.ended();
        let until = async move {
            let (ended, given_up) = (std::pin::pin!(ended), std::pin::pin!(given_up));
            match select(ended, given_up).await {
                Either::Left(_) | Either::Right(_) => {}
            }
        };
        let bytes = event.source.as_str().as_bytes().to_vec();
        // Named: without a transcript the event could not be distinguished from one of Gemini CLI.
        let ask = AgentRequest::new(Some(&Llxprt), bytes, arrival.clone()).until(until);
        let broken = self.0.service.broken_configuration(&self.0.folder).await;
        let (event, outcome) = extract_outcome(self.0.service.answer(ask).await)?;
        self.log_outcome(&event, &outcome);
        let mut processed = process_outcome(request, &event, &outcome);
        if let Some(problem) = broken {
            processed.aggregated = processed.aggregated.with_broken_configuration(&problem);
        }
        Ok(processed)
    }

    fn log_outcome(&self, event: &Event, outcome: &Outcome) {
        let Some(sink) = &self.0.log else { return };
        for record in log_records(event, outcome) {
            // A sink that fails must not prevent the answer.
            let _failed = catch_unwind(AssertUnwindSafe(|| sink(&record)));
        }
    }
}

/// Returns the event and the outcome, if there is one.
fn extract_outcome(answered: Answered) -> Result<(Event, Outcome), HookExecutionError> {
    match answered {
        Answered { request: Some(request), outcome: Some(outcome), .. } => Ok((request.event, outcome)),
        Answered { response, .. } => {
            Err(HookExecutionError::internal(response.reason.as_deref().unwrap_or("no hook could be run")))
        }
    }
}

fn process_outcome(request: &HookExecutionRequest, event: &Event, outcome: &Outcome) -> ProcessedHookResult {
    let processed = ProcessedHookResult::new(event, outcome);
    match request.rewrite_payload(processed.aggregated.final_output.as_ref()) {
        Ok(rewritten) => ProcessedHookResult { rewritten, ..processed },
        Err(error) => ProcessedHookResult::failed(error),
    }
}
