//! The host as a library: handlers of each kind, the machine that runs them, and what programs that embed the host rely on.

mod callback;
mod cancelled;
mod completion_order;
mod embedded_words;
mod handlers;
mod hook_id;
mod machine;
mod own_hooks;
mod own_rule;
mod python;
mod shell;
mod shell_confinement;
mod webhook;
