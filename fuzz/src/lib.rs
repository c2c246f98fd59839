//! What each fuzz target does with its bytes: a module per target. No input may make it panic.
//!
//! The ordinary tests run the same code over the seeds (`tests/fuzz`, `plugins/guard-shell/tests/fuzz.rs`).

pub mod answers;
pub mod bus;
pub mod components;
pub mod configuration;
pub mod control;
pub mod events;
pub mod json;
pub mod layouts;
pub mod modules;
pub mod own_hooks;
pub mod revocations;
pub mod seeds;
pub mod settings;
pub mod shell_words;
pub mod signatures;
pub mod statements;
pub mod trust_files;
pub mod yaml;
