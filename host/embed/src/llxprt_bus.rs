//! Hook executions over a message bus, as values: what is asked, what is answered (docs/contracts/llxprt.md). Which bus
//! carries them is not said here.

mod model;
mod request;
mod response;

pub use self::{
    request::HookExecutionRequest,
    response::{AggregatedHookResult, HookExecutionError, HookExecutionResponse},
};
