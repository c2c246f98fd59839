//! Members that each method of a `CustomLogger` receives, and the answers that it supports.

use hookbox_model::{EventName as E, RawObject};

use super::METHOD;
use crate::{
    schema::{
        Field,
        Kind::{Any, Flag, List, Object},
    },
    table::{self, EventCondition::If, EventRow, row},
};

/// Way in which the answer returns the rewritten part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rewritten {
    /// Cannot be rewritten.
    Nowhere,
    /// In this field.
    As(Field),
    /// `kwargs` and `result`, the members of the record.
    Record,
    /// `kwargs`, the one deployment.
    Deployment,
}

/// One event. Of two rows of a method, the special one comes first.
pub(super) type LitellmEvent = EventRow<Rewritten>;

pub(super) fn row_of_event(method: &str, name: &E) -> Option<&'static LitellmEvent> {
    EVENTS.iter().find(|row| row.name == method && row.canonical == *name)
}

/// Returns a row of this method; the rows of one method agree in everything that a failure depends on.
pub(super) fn find_row(method: &str) -> Option<&'static LitellmEvent> {
    table::find_row(&EVENTS, method)
}

fn is_mcp(members: &RawObject<'_>) -> bool {
    members.get_string("call_type").is_some_and(|call| ["mcp_call", "call_mcp_tool"].contains(&call.as_str()))
}

/// Returns true for the end of a stream.
fn is_end(members: &RawObject<'_>) -> bool {
    members.get("end").is_some_and(|end| end.get() == "true")
}

/// Returns the request to the chosen deployment, as a list of deployments.
fn read_deployment(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    vec![("deployments", format!("[{}]", members.get("kwargs").map_or("", |kwargs| kwargs.get())))]
}

/// Returns all arguments of a logging method as the one part that a hook may rewrite.
fn read_record(members: &RawObject<'_>) -> Vec<(&'static str, String)> {
    vec![("record", members.without_members(&[METHOD, "session_id", "cwd"]).as_str().to_owned())]
}

/// Creates a method that reports a call and whose answer is ignored.
const fn log_event(name: &'static str, rewritten: Rewritten) -> LitellmEvent {
    row(name, E::ModelLog, rewritten).required(&[("kwargs", Object)]).make_payload(read_record)
}

use Rewritten::{As, Nowhere};

const REQUEST: &[(&str, &str)] = &[("data", "request")];
const REQUESTED: &[(&str, &str)] = &[("request_data", "request")];

#[rustfmt::skip]
pub(super) static EVENTS: [LitellmEvent; 23] = [
    // The first row that applies counts, so the tool calls come before the requests.
    row("async_pre_call_hook", E::ToolBefore, As(("modified_arguments", Object))).when(If(is_mcp))
        .required(&[("data", Object)]).rename_members(REQUEST),
    row("async_pre_call_hook", E::ModelRequest, As(("data", Object))).required(&[("data", Object)]).rename_members(REQUEST),
    // The method runs concurrently with the model's call, so the request can no longer be changed.
    row("async_moderation_hook", E::ModelModerate, Nowhere).required(&[("data", Object)]).rename_members(REQUEST),
    row("async_post_call_success_hook", E::ModelResponse, As(("response", Object)))
        .required(&[("data", Object), ("response", Object)]).rename_members(REQUEST),
    row("async_post_call_failure_hook", E::ModelError, Nowhere).required(&[("exception", Any)])
        .rename_members(&[("request_data", "request"), ("exception", "error")]),
    row("async_post_call_streaming_hook", E::ModelStreamChunk, As(("chunk", Any))).required(&[("response", Any)])
        .rename_members(&[("response", "chunk")]),
    row("async_post_call_streaming_iterator_hook", E::ModelStreamEnd, Nowhere).when(If(is_end))
        .required(&[("end", Flag)]).rename_members(REQUESTED),
    row("async_post_call_streaming_iterator_hook", E::ModelStreamChunk, As(("chunk", Any)))
        .required(&[("chunk", Any)]).rename_members(REQUESTED),
    row("async_filter_deployments", E::ModelRoute, As(("deployments", List))).required(&[("healthy_deployments", List)])
        .rename_members(&[("healthy_deployments", "deployments"), ("request_kwargs", "request")]),
    row("async_pre_call_deployment_hook", E::ModelRoute, Rewritten::Deployment).required(&[("kwargs", Object)])
        .drop_members(&["kwargs"]).make_members(read_deployment),
    row("async_post_mcp_tool_call_hook", E::ToolAfter, As(("response", Any)))
        .required(&[("kwargs", Object), ("response_obj", Any)]),
    // These two may change the log record; the other logging methods are only informed.
    log_event("async_logging_hook", Rewritten::Record),
    log_event("logging_hook", Rewritten::Record),
    log_event("log_pre_api_call", Nowhere),
    log_event("log_post_api_call", Nowhere),
    log_event("log_success_event", Nowhere),
    log_event("log_failure_event", Nowhere),
    log_event("log_stream_event", Nowhere),
    log_event("async_log_pre_api_call", Nowhere),
    log_event("async_log_success_event", Nowhere),
    log_event("async_log_failure_event", Nowhere),
    log_event("async_log_stream_event", Nowhere),
    log_event("async_log_input_event", Nowhere),
];
