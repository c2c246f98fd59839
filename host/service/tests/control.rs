//! Sessions of the Agent SDK's control protocol, from outside: lines in, lines out.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests and their helpers")]

mod bad_messages;
mod bed;
mod design;
mod initialize;
mod other_messages;
mod outputs;
mod random;
mod service_callbacks;
mod wire;
