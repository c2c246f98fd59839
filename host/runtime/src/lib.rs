//! hookbox: one hook host for every coding agent.
//!
//! The way of an event, in the order of the modules:
//!
//! 1. a [`dialect`] reads the agent's bytes as one [`model::Event`];
//! 2. [`Host::plan`] selects the hooks that are for it;
//! 3. the chain calls each hook's handler (the [`port`]): a component in the [`sandbox`], or a process or a
//!    webhook (a [`handler`]), or a closure of the program ([`Callback`]);
//! 4. what an answer may not do is clamped, the answers are folded into one [`model::Outcome`];
//! 5. the dialect writes the outcome in the agent's own words.
//!
//! The library is silent: it prints nothing, reads no environment, no home folder and no global.

pub mod atomic_file;
mod chain;
mod clock;
pub mod config;
pub mod dialect;
mod digest;
pub mod handler;
pub mod hook;
pub mod hookfile;
mod host;
pub mod import;
pub mod port;
mod redaction;
mod registry;
pub mod sandbox;
mod shipped;
mod tls;

pub use chain::{
    Counts, FAILURES_TO_TRIP, Failures, MOST_STOPS_KEPT, OUT_AGAIN_FOR, OUT_FOR, Overruns, PROJECT_HOOKS,
    SESSION_WINDOW, STOP_LOOP, SessionTime, StopsKept, TRIPPED_FOR, TurnTaken, UNREVIEWED_BUDGET,
    UNREVIEWED_CODES, UNREVIEWED_SESSION_BUDGET, keep_panic_backtraces,
};
pub use clock::Clock;
pub use digest::Sha256Digest;
pub use hook::{
    Condition, ContentDigest, ForeignCall, ForeignSpec, HandlerSpec, HookId, HookSpec, Origin, ToolMatcher,
    Tools, WrittenAt,
};
pub use hookbox_model as model;
pub use host::{
    CallbackHook, Checked, HookState, Hooks, Host, HostBuilder, MAX_EVENT_BYTES, Machine, MachineBuilder,
    Plan, Question, Response, Unread, budget,
};
pub use port::{
    Callback, ChainEnd, ChainPolicy, Kept, Late, Order, PlainTexts, RewriteMerge, Roles, Stops, Texts,
    VerdictMerge,
};
pub use shipped::{Pin, ShippedPlugin, ShippedPlugins};
