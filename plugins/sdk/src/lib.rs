#![doc = include_str!("../README.md")]

mod answer;
mod event;
pub mod events;
pub mod facts;
pub mod http;
mod json;
pub mod kv;
pub mod log;
#[cfg(all(target_arch = "wasm32", feature = "allocator"))]
#[expect(unsafe_code, reason = "an allocator hands out raw memory")]
mod memory;

/// The world `hookbox:hook/hook` as `cargo xtask bindings` wrote it. For [`export!`] only.
#[doc(hidden)]
#[rustfmt::skip]
#[expect(unsafe_code, unreachable_pub, clippy::pedantic, rustdoc::bare_urls, reason = "generated")]
#[expect(clippy::allow_attributes, clippy::allow_attributes_without_reason, reason = "generated")]
#[expect(clippy::panic, clippy::unwrap_used, reason = "generated; both guard against a broken host")]
pub mod bindings;

#[cfg(not(target_arch = "wasm32"))]
pub mod testing;

/// Host interfaces of a hook, a module for each.
#[cfg(target_arch = "wasm32")]
use bindings::hookbox::hook as imports;
#[cfg(not(target_arch = "wasm32"))]
use testing as imports;

pub use bindings::hookbox::hook::log::Level;
pub use bindings::hookbox::hook::types::{
    Answer, Event, Outcome, Reason, Rewrite, ToolCall, ToolClass, Verdict,
};

use serde::de::DeserializeOwned;

/// A rule that runs at a lifecycle moment of an agent.
pub trait Hook {
    /// Handles one event. Every event has a fresh instance: no state is kept.
    ///
    /// # Errors
    ///
    /// An error is a failed hook. The operator's configuration decides what that means, by default a deny where
    /// something can be denied.
    fn handle(event: Event) -> Result<Answer, String>;
}

impl<T: Hook> bindings::Guest for T {
    fn handle(event: Event) -> Result<Answer, String> {
        <T as Hook>::handle(event)
    }
}

/// Exports a type with [`Hook`] from this component. Once per component.
#[macro_export]
macro_rules! export {
    ($hook:ident) => {
        $crate::bindings::export!($hook with_types_in $crate::bindings);
    };
}

/// Parses this hook's own settings, from the configuration that installed it.
///
/// A type with `#[serde(deny_unknown_fields)]` turns a misspelt key into an error.
///
/// # Errors
///
/// Names the key and what is wrong with it.
pub fn config<T: DeserializeOwned>() -> Result<T, String> {
    json::parse(&imports::config::get(), "settings")
}

/// Parses the caller's original input, for fields that the canonical event does not have.
///
/// # Errors
///
/// Names the key and what is wrong with it.
pub fn source<T: DeserializeOwned>() -> Result<T, String> {
    json::parse(&imports::source::read(), "source")
}

/// Returns milliseconds since the Unix epoch: the event's time or, with the grant `clock`, the current time.
pub fn now() -> u64 {
    imports::clock::now()
}

/// Returns `count` random bytes, at most 4096 per call (more is a trap). They are derived from the event and unfit for keys; with
/// the grant `random` they are unpredictable.
///
/// ```
/// assert_ne!(hookbox_sdk::random(16), hookbox_sdk::random(16));
/// ```
pub fn random(count: u32) -> Vec<u8> {
    imports::random::bytes(count)
}
