//! What agents say to hooks that live in their own process, as values, for whoever embeds hookbox in an agent's place. Nothing is
//! read, run or written here: what reaches `hookbox run` is read by the dialects, and `hookbox control` speaks for an SDK's program.

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
