//! The chain by itself, with handlers made in the test: who runs when and sees what, and what many answers come to.
//! (`tests/sandbox/chain.rs` has the same with guests in the sandbox; agents' own ways are in `tests/conformance`.)
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
