//! llxprt-code's message bus. Where a test's name begins with a requirement of llxprt-code's plan for its hook system
//! (`hevt_002_…`), it shows that requirement.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on fails")]

mod bed;
mod bus_errors;
mod lifecycle;
mod logging;
mod messages;
mod payloads;
mod pipe;
mod results;

pub(crate) use bed::{Bed, before_tool, build_counting_gate};
