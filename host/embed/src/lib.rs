//! Agents' interfaces to hooks in their own process, as values, for programs that embed hookbox in place of an agent's own hooks. Nothing
//! is read, run or written here: the dialects read the input of `hookbox run`, and `hookbox control` serves an SDK's program.

pub mod agent_sdk;
pub mod cocode_inline;
pub mod cocode_loop;
pub mod cocode_registry;
pub mod code_forge_results;
pub mod gemini_model;
pub mod llxprt_bus;
pub mod llxprt_log;
mod llxprt_processed;
pub mod session_hooks;

pub use llxprt_processed::ProcessedHookResult;
