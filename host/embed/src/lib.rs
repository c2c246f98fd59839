//! What agents say to hooks that live in their own process, as values, for programs that embed hookbox in an agent's place.
//! The program `hookbox` has no use for them: what reaches it over standard input is read by the dialects.

pub mod cocode_inline;
pub mod gemini_model;
pub mod llxprt_bus;
pub mod llxprt_log;
mod llxprt_processed;

pub use llxprt_processed::ProcessedHookResult;
