//! Hook executions over a message bus, as values: requests and responses (docs/reference/agents/llxprt.md). They do not depend on the bus
//! that carries them.

mod model;
mod request;
mod response;

pub use self::{
    request::HookExecutionRequest,
    response::{AggregatedHookResult, HookExecutionError, HookExecutionResponse},
};
