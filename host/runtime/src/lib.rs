//! hookbox: one hook host for every coding agent.
//!
//! The event flow, in the order of the modules:
//!
//! 1. a dialect ([`agents`]) reads the agent's bytes as one [`model::Event`];
//! 2. [`Host::plan`] selects the hooks for this event;
//! 3. the chain calls each hook's handler (the [`interfaces`]): a component in the [`sandbox`], a process or a webhook (a
//!    [`handler`]), or a closure of the program ([`Callback`]);
//! 4. effects that a hook may not have are clamped, and the answers are folded into one [`model::Outcome`];
//! 5. the dialect writes the outcome in the agent's format.
//!
//! `docs/guide/embedding.md` is the manual, and `examples/embed.rs` is a complete program; [`Host`] has an example. Events
//! and answers are in [`model`], the agents in [`agents`].
//!
//! Unneeded parts can be left out by cargo features, which are all on by default:
//!
//! | feature | brings | without it |
//! |---|---|---|
//! | `wasm` | hooks that are components: the sandbox | each call of such a hook fails |
//! | `kv` (and `wasm`) | a key-value store for components | a component that imports `kv` is not loaded |
//! | `guest-http` (and `wasm`) | requests of components | a component that imports `wasi:http` is not loaded |
//! | `shell` | hooks that are processes or Python functions | each call of such a hook fails |
//! | `webhook` | hooks that are requests to a server | each call of such a hook fails; its configuration is not checked |
//! | `dialects` | `import`, and the agents' settings files (`agents::settings`) | neither is available |
//!
//! A hook that needs a missing feature can still be read and configured; each call fails, and the hook's policy
//! decides: a guard denies, and reports which feature is missing. Callbacks are always available.
//!
//! The library prints nothing, and reads no environment, no home folder and no global. It emits spans and events of `tracing`
//! (`docs/reference/tracing.md`), which the program may subscribe to.

pub mod atomic_file;
mod chain;
pub mod config;
mod facts;
pub mod handler;
mod hook_index;
mod host;
#[cfg(feature = "dialects")]
pub mod import;
#[cfg(not(all(
    feature = "wasm",
    feature = "shell",
    feature = "webhook",
    feature = "kv",
    feature = "guest-http"
)))]
mod left_out;
pub mod lines;
pub mod redaction;
#[cfg(feature = "wasm")]
pub mod sandbox;
mod trace;

pub use chain::{
    CONFINE, Counts, FAILURES_TO_TRIP, Failures, MAX_CONSECUTIVE_STOPS, OnceCall, Overruns, PROJECT_HOOKS,
    Panicked, REPEATED_SUSPENSION, SESSION_WINDOW, STOP_LOOP, SUSPENSION, SelfProtectionRule, SessionTime,
    StopsKept, TRIPPED_FOR, UNREVIEWED_BUDGET, UNREVIEWED_CODES, UNREVIEWED_SESSION_BUDGET, catch_panic,
    caught_here, keep_panic_backtraces,
};
pub use hookbox_agents as agents;
use hookbox_core::digest;
pub use hookbox_core::{
    Callback, CallbackError, ChainEnd, ChainPolicy, Clock, Condition, ContentDigest, HookId, HookSpec, Kept,
    OnTimeout, Order, Origin, Pin, PlainTexts, RewriteMerge, Roles, Sha256Digest, ShippedPlugin,
    ShippedPlugins, StopLimit, Target, Texts, ToolMatcher, Tools, VerdictMerge, WrittenAt, hook, hookfile,
    interfaces, python,
};
pub use hookbox_model as model;
pub use host::{
    CallbackHook, CheckedHook, HookState, Hooks, Host, HostBuilder, InvalidRequest, MAX_EVENT_BYTES, Machine,
    MachineBuilder, Plan, Request, Response, chain_budget,
};
