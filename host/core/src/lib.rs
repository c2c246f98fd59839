//! Shared types of the parts of hookbox: a hook as configured ([`hook`]), handlers and the contracts with them ([`interfaces`]), and
//! the result of reading a file with hooks ([`hookfile`]). Nothing here reads, calls or runs anything.

mod clock;
pub mod digest;
pub mod hook;
pub mod hookfile;
pub mod interfaces;
pub mod python;
mod shipped;

pub use clock::Clock;
pub use digest::Sha256Digest;
pub use hook::{Condition, ContentDigest, HookId, HookSpec, Origin, Target, ToolMatcher, Tools, WrittenAt};
pub use interfaces::{
    Callback, CallbackError, ChainEnd, ChainPolicy, Kept, OnTimeout, Order, PlainTexts, RewriteMerge, Roles,
    StopLimit, Texts, VerdictMerge,
};
pub use shipped::{Pin, ShippedPlugin, ShippedPlugins};
