//! The chain alone, with handlers of the test: order and inputs of the hooks, and the outcome of many answers.
//! (`tests/sandbox/chain.rs` has the tests with guests in the sandbox; agents' own policies are in
//! `tests/conformance`.)
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod bed;
mod clamping;
mod confining;
mod failures;
mod folding;
mod order;
mod policies;
mod rewrites;
mod selection;
mod texts;
mod tripping;
