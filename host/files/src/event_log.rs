//! Recent answers of hooks, for the user: a JSON line for each event for which a hook had an answer.
//!
//! The log is not an audit: it is short, bounded, and without secrets where they are recognized. `hookbox run --report` writes
//! everything.

mod arguments;
mod entry;
mod store;

pub use self::{
    arguments::call_digest,
    entry::{Entry, HookName, Said},
    store::{Kept, Log},
};
pub(crate) use self::{
    entry::{Seen, is_said},
    store::append_line,
};
