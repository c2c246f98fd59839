//! What each method of a `CustomLogger` gets, and what its answer can say.

use hookbox_model::{EventName, RawObject};

use crate::schema::{
    Field,
    Kind::{Any, Flag, List, Object},
};

/// How the arguments become a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LitellmShape {
    /// As they are; those with another name in the payload: theirs, ours.
    Renamed(&'static [(&'static str, &'static str)]),
    /// All of them are the `record`.
    Record,
    /// `kwargs` is the one of the `deployments`.
    Deployment,
}

/// Which calls of the method are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LitellmCall {
    Always,
    /// The call is one of an MCP tool.
    Mcp,
    /// The stream is over.
    End,
}

/// How the answer gives the rewritten part back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rewritten {
    /// Not at all.
    Nowhere,
    /// As this field.
    As(Field),
    /// `kwargs` and `result`, the members of the record.
    Record,
    /// `kwargs`, the one deployment.
    Deployment,
}

/// One event.
#[derive(Debug)]
pub(super) struct LitellmEvent {
    pub(super) name: &'static str,
    when: LitellmCall,
    pub(super) canonical: EventName,
    /// Arguments that must be there.
    pub(super) required: &'static [Field],
    pub(super) shape: LitellmShape,
    pub(super) rewritten: Rewritten,
}

/// The row of this call of a method.
pub(super) fn row_of_input(method: &str, members: &RawObject<'_>) -> Option<&'static LitellmEvent> {
    EVENTS.iter().find(|row| row.name == method && row.when.applies(members))
}

/// The row of an event that was read.
pub(super) fn row_of_event(method: &str, name: &EventName) -> Option<&'static LitellmEvent> {
    EVENTS.iter().find(|row| row.name == method && row.canonical == *name)
}

/// A row of this method; those of one method differ in nothing that a failure depends on.
pub(super) fn row(method: &str) -> Option<&'static LitellmEvent> {
    EVENTS.iter().find(|row| row.name == method)
}

impl LitellmCall {
    fn applies(self, members: &RawObject<'_>) -> bool {
        match self {
            Self::Always => true,
            Self::Mcp => {
                let call = members.string("call_type").unwrap_or_default();
                ["mcp_call", "call_mcp_tool"].contains(&call.as_str())
            }
            Self::End => members.get("end").is_some_and(|end| end.get() == "true"),
        }
    }
}

const fn row_of(
    name: &'static str,
    canonical: EventName,
    required: &'static [Field],
    renamed: &'static [(&'static str, &'static str)],
) -> LitellmEvent {
    let (when, shape, rewritten) = (LitellmCall::Always, LitellmShape::Renamed(renamed), Rewritten::Nowhere);
    LitellmEvent { name, when, canonical, required, shape, rewritten }
}

/// A method that tells of a call and is not listened to.
const fn log(name: &'static str) -> LitellmEvent {
    row_of(name, EventName::ModelLog, &[("kwargs", Object)], &[]).shape(LitellmShape::Record)
}

impl LitellmEvent {
    const fn when(mut self, when: LitellmCall) -> Self {
        self.when = when;
        self
    }

    const fn shape(mut self, shape: LitellmShape) -> Self {
        self.shape = shape;
        self
    }

    const fn rewritten(mut self, rewritten: Rewritten) -> Self {
        self.rewritten = rewritten;
        self
    }
}

use EventName as E;
use Rewritten::As;

const REQUEST: &[(&str, &str)] = &[("data", "request")];
const REQUESTED: &[(&str, &str)] = &[("request_data", "request")];
const CALLED: &[Field] = &[("kwargs", Object), ("response_obj", Any)];

/// Of two rows of a method, the special one comes first.
#[rustfmt::skip]
pub(super) static EVENTS: [LitellmEvent; 23] = [
    row_of("async_pre_call_hook", E::ToolBefore, &[("data", Object)], REQUEST)
        .when(LitellmCall::Mcp).rewritten(As(("modified_arguments", Object))),
    row_of("async_pre_call_hook", E::ModelRequest, &[("data", Object)], REQUEST).rewritten(As(("data", Object))),
    row_of("async_moderation_hook", E::ModelModerate, &[("data", Object)], REQUEST),
    row_of("async_post_call_success_hook", E::ModelResponse, &[("data", Object), ("response", Object)], REQUEST)
        .rewritten(As(("response", Object))),
    row_of("async_post_call_failure_hook", E::ModelError, &[("exception", Any)],
        &[("request_data", "request"), ("exception", "error")]),
    row_of("async_post_call_streaming_hook", E::ModelStreamChunk, &[("response", Any)], &[("response", "chunk")])
        .rewritten(As(("chunk", Any))),
    row_of("async_post_call_streaming_iterator_hook", E::ModelStreamEnd, &[("end", Flag)], REQUESTED).when(LitellmCall::End),
    row_of("async_post_call_streaming_iterator_hook", E::ModelStreamChunk, &[("chunk", Any)], REQUESTED)
        .rewritten(As(("chunk", Any))),
    row_of("async_filter_deployments", E::ModelRoute, &[("healthy_deployments", List)],
        &[("healthy_deployments", "deployments"), ("request_kwargs", "request")]).rewritten(As(("deployments", List))),
    row_of("async_pre_call_deployment_hook", E::ModelRoute, &[("kwargs", Object)], &[])
        .shape(LitellmShape::Deployment).rewritten(Rewritten::Deployment),
    row_of("async_post_mcp_tool_call_hook", E::ToolAfter, CALLED, &[]).rewritten(As(("response", Any))),
    log("async_logging_hook").rewritten(Rewritten::Record),
    log("logging_hook").rewritten(Rewritten::Record),
    log("log_pre_api_call"),
    log("log_post_api_call"),
    log("log_success_event"),
    log("log_failure_event"),
    log("log_stream_event"),
    log("async_log_pre_api_call"),
    log("async_log_success_event"),
    log("async_log_failure_event"),
    log("async_log_stream_event"),
    log("async_log_input_event"),
];
