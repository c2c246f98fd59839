//! The event log: recent answers of hooks, for the user. It has a JSON line for each event for which a hook had an answer.
//!
//! The log is not an audit: it is short, bounded, and without secrets where they are recognized. `hookbox run --report` writes
//! everything.

mod arguments;
mod entry;
mod store;

pub use self::{
    arguments::call_digest,
    entry::{Entry, HookName, LoggedAnswer},
    store::{Log, StoredEntry},
};
pub(crate) use self::{
    entry::{LoggedEvent, is_worth_logging},
    store::append_line,
};
