//! hookbox: one hook host for every coding agent.
//!
//! The way of an event, in the order of the modules:
//!
//! 1. a [`dialect`] reads the agent's bytes as one [`model::Event`];
//! 2. [`Host::dispatch`] selects the hooks that are for it;
//! 3. the chain calls each hook's [`handler`]: a component in the sandbox, a process, a webhook or a closure;
//! 4. what an answer may not do is clamped, the answers are folded into one [`model::Outcome`];
//! 5. the dialect writes the outcome in the agent's own words.
//!
//! The library is silent: it prints nothing, reads no environment, no home folder and no global.

mod answer;
pub mod atomic_file;
mod chain;
mod clock;
pub mod config;
pub mod dialect;
mod digest;
mod foreign;
pub mod handler;
mod hook;
mod hook_id;
mod host;
pub mod import;
mod machine;
mod registry;
mod rules;
pub mod sandbox;
mod shipped;
mod tls;

pub use answer::{MAX_EVENT_BYTES, Question, Response, Unread, budget};
pub use chain::{
    ChainEnd, ChainPolicy, Counts, FAILURES_TO_TRIP, Failures, Late, MOST_STOPS_KEPT, OUT_AGAIN_FOR, OUT_FOR,
    Order, Overruns, PROJECT_HOOKS, RewriteMerge, Roles, STOP_LOOP, Stops, StopsKept, TRIPPED_FOR, Texts,
    TurnTaken, UNREVIEWED_BUDGET, UNREVIEWED_CODES, VerdictMerge, keep_panic_backtraces,
};
pub use clock::Clock;
pub use digest::Sha256Digest;
pub use foreign::{Condition, ForeignCall, ForeignSpec, Tools, WrittenAt};
pub use handler::callback::Callback;
pub use hook::{HandlerSpec, HookSpec, Origin, ToolMatcher};
pub use hook_id::{ContentDigest, HookId};
pub use hookbox_model as model;
pub use host::{CallbackHook, Checked, HookState, Host, HostBuilder, Plan};
pub use machine::{Machine, MachineBuilder};
pub use rules::Hooks;
pub use shipped::{Pin, ShippedPlugin, ShippedPlugins};
