//! One call of a callback, until it has answered or its answer is not awaited any more.

use std::{fmt::Display, pin::pin, sync::Weak};

use futures_util::future::{Either, select};
use hookbox::{
    agents::claude_code,
    model::{Failure, FailureCode, Json},
};
use hookbox_embed::agent_sdk;
use tokio::{sync::mpsc::UnboundedSender, time::timeout};

use super::{
    callback::{CallbackFailure, SdkCall, SdkCallback},
    callbacks::Registered,
    cancellation::{CancelReason, Cancellation},
    session::Shared,
    session_output::{Entry, SessionOutput},
};

/// A call under way.
pub(super) struct Calling {
    pub(super) shared: Weak<Shared>,
    /// A sender of its own: the output of a session ends after its last call.
    pub(super) outputs: UnboundedSender<SessionOutput>,
    pub(super) registered: Registered,
    pub(super) request_id: String,
    pub(super) number: u64,
}

impl Calling {
    pub(super) async fn run(self, call: SdkCall) {
        let (callback_id, event) = (call.callback_id.clone(), call.event.clone());
        let cancellation = call.cancellation.clone();
        let Registered { callback, timeout: max_wait, .. } = &self.registered;
        let cancelled = pin!(cancellation.clone().cancelled());
        let mut answering = callback.call(call);
        let waited = timeout(*max_wait, select(&mut answering, cancelled)).await;
        let stopped = match waited {
            Ok(Either::Left((answer, _))) => {
                match answer.and_then(|output| convert_output(&event, &output)) {
                    Ok(output) => return self.send_output(&callback_id, &output, &cancellation),
                    Err(stopped) => stopped,
                }
            }
            Ok(Either::Right((why, _))) => given_up(why),
            Err(_) => {
                let message = format!("no answer within {max_wait:?}");
                Failure::new(FailureCode::Timeout, &message).into()
            }
        };
        // After a timeout or a cancellation the callback still runs; it gets its time to clean up.
        let is_over = !matches!(stopped.failure.code, FailureCode::Timeout | FailureCode::Cancelled);
        self.report_stop(&callback_id, stopped, &cancellation);
        if !is_over && !callback.farewell.is_zero() {
            let _ = timeout(callback.farewell, answering).await;
        }
    }

    fn send_output(&self, callback_id: &str, output: &Json, cancellation: &Cancellation) {
        if !self.send_answer(agent_sdk::format_success(&self.request_id, output), None) {
            self.log_stop(callback_id, too_late(cancellation));
        }
    }

    fn report_stop(&self, callback_id: &str, stopped: CallbackFailure, cancellation: &Cancellation) {
        let code = stopped.failure.code;
        if code == FailureCode::Cancelled {
            return self.log_stop(callback_id, stopped);
        }
        let message = match code {
            // The message of the callback's author.
            FailureCode::HookError => stopped.failure.message.clone(),
            _ => stopped.failure.to_string(),
        };
        let Registered { callback, event, .. } = &self.registered;
        let line = format_failure(callback, (&self.request_id, event), &message);
        let why = (code == FailureCode::Timeout).then_some(CancelReason::TimedOut);
        let waited = self.send_answer(line, why);
        self.log_stop(callback_id, if waited { stopped } else { too_late(cancellation) });
    }

    fn send_answer(&self, line: String, why: Option<CancelReason>) -> bool {
        let shared = self.shared.upgrade();
        shared.is_some_and(|shared| shared.send_answer((&self.request_id, self.number), line, why))
    }

    fn log_stop(&self, callback_id: &str, CallbackFailure { failure, trace }: CallbackFailure) {
        let _ = self.outputs.send(SessionOutput::Log(Entry {
            request_id: Some(self.request_id.clone()),
            callback_id: Some(callback_id.to_owned()),
            code: Some(failure.code),
            message: failure.message,
            trace,
        }));
    }
}

fn format_failure(callback: &SdkCallback, (request_id, event): (&str, &str), message: &str) -> String {
    let message =
        if message.trim().is_empty() { "the callback failed, and does not say why" } else { message };
    match callback.build_refusal(event, message) {
        Some(output) => agent_sdk::format_success(request_id, &output),
        None => agent_sdk::format_error(request_id, message),
    }
}

/// Converts an output to Claude Code's names and checks it.
fn convert_output(event: &str, output: &Json) -> Result<Json, CallbackFailure> {
    let renamed = agent_sdk::rename_members(output).map_err(|problem| make_misfit(event, &problem))?;
    claude_code::check_output(event, &renamed).map_err(|problem| make_misfit(event, &problem))?;
    Ok(renamed)
}

/// Returns the failure for an output that Claude Code would reject.
fn make_misfit(event: &str, problem: &dyn Display) -> CallbackFailure {
    let message = format!("Claude Code does not take its output at {event}: {problem}");
    Failure::new(FailureCode::BadOutput, &message).into()
}

/// Returns the failure of a callback that answered at the moment when it was cancelled.
fn too_late(cancellation: &Cancellation) -> CallbackFailure {
    given_up(cancellation.why().unwrap_or(CancelReason::Ended))
}

fn given_up(why: CancelReason) -> CallbackFailure {
    let message = match why {
        CancelReason::Ended => "the stream ended before it answered",
        CancelReason::Cancelled | CancelReason::TimedOut => "Claude Code took its request back",
    };
    Failure::new(why.code(), message).into()
}
