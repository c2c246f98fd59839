//! The answer to a request.

use hookbox_model::{Answer, Event, Labelled, Outcome, Status};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use hookbox_agents::{Dialect, InvalidEvent, llxprt::Llxprt};

use crate::{gemini_model::NotTranslatable, llxprt_log::HookResult, llxprt_processed::iter_answers};

/// The payload of a `HOOK_EXECUTION_RESPONSE`: the result, or the reason why no hook ran. In its serialised form it is a success if the
/// chain ran and no hook failed; if one failed, it has the output and the error.
#[derive(Clone, Debug, PartialEq)]
pub struct HookExecutionResponse {
    /// Correlation id of the request.
    pub correlation_id: String,
    /// Result of the hooks, including their own failures.
    pub result: Result<AggregatedHookResult, HookExecutionError>,
}

impl HookExecutionResponse {
    /// Creates the response after a chain ran.
    pub fn answered(correlation_id: &str, event: &Event, outcome: &Outcome) -> Self {
        let result = Ok(AggregatedHookResult::new(event, outcome));
        Self { correlation_id: correlation_id.to_owned(), result }
    }

    /// Creates the response when no hook ran.
    pub fn failed(correlation_id: &str, error: HookExecutionError) -> Self {
        Self { correlation_id: correlation_id.to_owned(), result: Err(error) }
    }

    /// Returns the message.
    pub fn message(&self) -> Value {
        json!({ "type": "HOOK_EXECUTION_RESPONSE", "payload": self })
    }
}

impl Serialize for HookExecutionResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let id = &self.correlation_id;
        match &self.result {
            Ok(output) if output.success => json!({ "correlationId": id, "success": true, "output": output }),
            Ok(output) => {
                let all_answered = output.hook_results.iter().all(|result| result.success);
                // Without a failed hook, `success` is false for the configuration alone.
                let stage = if all_answered { "configuration" } else { "execution" };
                let error = json!({ "message": output.errors.join("; "), "details": { "stage": stage } });
                json!({ "correlationId": id, "success": false, "output": output, "error": error })
            }
            Err(error) => json!({ "correlationId": id, "success": false, "error": error }),
        }
        .serialize(serializer)
    }
}

/// Result of the hooks of an event. The default is the result without hooks: a success with nothing in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AggregatedHookResult {
    /// Result of each hook that was called, in chain order.
    pub hook_results: Vec<HookResult>,
    /// True if the configuration could be read and no hook failed.
    pub success: bool,
    /// Output for llxprt-code; `None` if no hook had any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub final_output: Option<Value>,
    /// Outputs of the hooks one by one, in chain order, without empty ones.
    pub all_outputs: Vec<Value>,
    /// Errors: the one of the configuration, then one for each hook that failed.
    pub errors: Vec<String>,
    /// Sum of the hooks' times, milliseconds.
    pub total_duration: u64,
}

impl Default for AggregatedHookResult {
    fn default() -> Self {
        Self {
            hook_results: Vec::new(),
            success: true,
            final_output: None,
            all_outputs: Vec::new(),
            errors: Vec::new(),
            total_duration: 0,
        }
    }
}

impl AggregatedHookResult {
    /// Creates the result of this outcome.
    pub fn new(event: &Event, outcome: &Outcome) -> Self {
        let failures = outcome.reports.iter().filter_map(|report| match &report.status {
            Status::Failed(failure) => Some(format!("{}: {failure}", report.hook)),
            _ => None,
        });
        let errors: Vec<_> = failures.collect();
        let answers = iter_answers(outcome).filter(|answer| **answer != Answer::default());
        let wall = outcome.reports.iter().map(|report| report.usage.wall).sum::<std::time::Duration>();
        Self {
            hook_results: HookResult::of_outcome(event, outcome),
            success: errors.is_empty(),
            final_output: Some(write_output(event, outcome)).filter(|output| *output != json!({})),
            all_outputs: answers
                .map(|answer| write_output(event, &build_single_outcome(event, answer)))
                .collect(),
            errors,
            total_duration: u64::try_from(wall.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Adds the reason why the user's configuration could not be read, so that hooks may be missing.
    #[must_use]
    pub fn with_broken_configuration(mut self, problem: &str) -> Self {
        self.success = false;
        self.errors.insert(0, hookbox_model::bounded_text(problem));
        self
    }

    /// Creates the result of an error, for callers that take results only: no hook ran.
    pub fn failure(error: &HookExecutionError) -> Self {
        Self { success: false, errors: vec![error.message.clone()], ..Self::default() }
    }
}

fn write_output(event: &Event, outcome: &Outcome) -> Value {
    serde_json::from_str(&Llxprt.write(event, outcome).stdout).unwrap_or_default()
}

/// Returns the outcome that this answer alone would have.
fn build_single_outcome(event: &Event, answer: &Answer) -> Outcome {
    fn label_value<T: Clone>(value: &T) -> Labelled<T> {
        // Without a label: llxprt-code's callers expect the text of the hook itself.
        Labelled { hook: String::new(), value: value.clone() }
    }
    Outcome {
        verdict: answer.verdict.clone(),
        reasons: answer.verdict.reason().map(label_value).into_iter().collect(),
        rewrite: answer.rewrite.as_ref().and_then(|rewrite| event.rewritten_part(rewrite).ok()),
        contexts: answer.context.as_ref().map(label_value).into_iter().collect(),
        notices: answer.notice.as_ref().map(label_value).into_iter().collect(),
        stop: answer.stop.as_ref().map(label_value),
        extras: answer.extra.as_ref().map(label_value).into_iter().collect(),
        ..Outcome::default()
    }
}

/// Reason why no hook ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HookExecutionError {
    /// Code for machines: `invalid_request`, `unsupported_event`, `VALIDATION_FAILURE` or `internal_error`.
    pub code: &'static str,
    /// Message for users.
    pub message: String,
    /// Stage and event of the error, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
}

impl HookExecutionError {
    /// The request is invalid.
    pub fn invalid_request(message: &str) -> Self {
        Self { code: "invalid_request", message: hookbox_model::bounded_text(message), details: None }
    }

    /// There is no event of this name.
    pub(super) fn unsupported_event(event: &str) -> Self {
        let message = hookbox_model::bounded_text(&format!("Unknown event: {event}"));
        Self { code: "unsupported_event", message, details: None }
    }

    /// The input of this event is not valid.
    pub(super) fn validation(event: &str, problem: &str) -> Self {
        let message = hookbox_model::bounded_text(&format!("{event} input{problem}"));
        let details = json!({ "stage": "validation", "eventName": event });
        Self { code: InvalidEvent::CODE, message, details: Some(details) }
    }

    /// The input of this event has no such field.
    pub(super) fn missing(event: &str, field: &str) -> Self {
        Self::validation(event, &format!(" missing required field: {field}"))
    }

    /// A model's request or response could not be translated.
    pub fn translation(event: &str, error: &NotTranslatable) -> Self {
        Self {
            details: Some(json!({ "stage": "translation", "eventName": event })),
            ..Self::internal(&error.to_string())
        }
    }

    /// hookbox itself failed.
    pub fn internal(message: &str) -> Self {
        Self { code: "internal_error", message: hookbox_model::bounded_text(message), details: None }
    }
}

impl From<&InvalidEvent> for HookExecutionError {
    fn from(error: &InvalidEvent) -> Self {
        let event = error.event.as_deref().unwrap_or("unknown event");
        match &error.field {
            Some(field) if error.is_missing() => Self::missing(event, field),
            Some(field) => Self::validation(event, &format!(", field `{field}`: {}", error.problem)),
            None => Self::validation(event, &format!(", {}", error.problem)),
        }
    }
}
