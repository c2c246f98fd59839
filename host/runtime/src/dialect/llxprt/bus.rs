//! Hook executions over a message bus, as values: what is asked, what is answered (hook-contracts C.1, C.2). Which bus
//! carries them is not said here.

mod request;
mod response;

pub use self::{
    request::HookExecutionRequest,
    response::{AggregatedHookResult, HookExecutionError, HookExecutionResponse},
};
