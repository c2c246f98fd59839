//! The built command from outside: exit code, standard output, standard error.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "the command is a process")]

mod ask_server;
mod bad_config;
mod bad_input;
mod bad_plugins;
mod bad_shell;
mod bad_webhook;
mod check;
mod code_forge;
mod code_forge_templates;
mod compiler;
mod dialects;
mod doctor;
mod explain;
#[path = "../support/guests.rs"]
mod guests;
mod hooks;
mod http;
mod import;
mod install;
mod install_files;
mod kv;
mod limit_calls;
mod list;
mod litellm;
mod loops;
mod meta;
mod once;
mod own_hooks;
mod plugin;
mod processes;
mod programs;
#[path = "../support/programs.rs"]
mod programs_as_components;
mod project;
mod run;
mod server;
mod shipped_plugins;
mod stop_loops;
mod terminal;
#[path = "../support/testbed.rs"]
mod testbed;
mod tripped;

pub(crate) use testbed::{LS, Ran, START, TestBed, gate, gate_with, shell_gate};
