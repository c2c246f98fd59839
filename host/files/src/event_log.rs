//! What hooks said and decided lately, for the person: a line of JSON for each event about which one said anything.
//!
//! It is no audit: it is short, bounded, and without secrets as far as they can be told. `hookbox run --report` keeps all.

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
    store::append,
};
