//! The built command from outside: exit code, standard output, standard error.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]
#![expect(clippy::disallowed_methods, reason = "the command is a process")]

mod agents;
mod allow;
mod allow_safe;
mod ask_server;
mod bad_config;
mod bad_input;
mod bad_plugins;
mod bad_scripts;
mod bad_shell;
mod bad_webhook;
mod bus;
#[path = "../support/case_archive.rs"]
#[expect(dead_code, unreachable_pub, reason = "other tests use more of it")]
mod case_archive;
mod check;
mod circuit_breaker;
mod code_forge;
mod code_forge_patterns;
mod code_forge_templates;
mod command_page;
mod compiler;
mod confine;
mod confined_commands;
mod control;
mod crowd;
mod dialects;
mod discarded_settings;
mod doctor;
mod documented_commands;
mod explain;
mod facts;
mod full_files;
#[path = "../support/guests.rs"]
mod guests;
mod half_written;
#[path = "../support/held_file.rs"]
mod held_file;
mod help_examples;
mod hooks;
mod http;
mod import;
mod init;
mod install;
mod install_files;
mod install_proxy;
mod isolation;
mod joined_chain;
mod json_findings;
mod kv;
mod limit_calls;
mod list;
mod log;
mod loops;
mod meta;
mod once;
mod opencode;
mod own_files;
mod own_hooks;
mod past_attacks;
mod plugin;
mod plugin_add;
mod plugin_manifest;
mod plugin_remove;
mod plugin_signed;
mod plugin_signer;
mod processes;
mod programs;
#[path = "../support/programs.rs"]
mod programs_as_components;
mod project;
mod project_variables;
mod proxy_events;
mod python;
mod restore;
mod run;
mod scripts;
mod server;
mod settings_at_once;
mod setup;
mod shipped_plugins;
mod signals;
mod status;
mod stop_loops;
#[path = "../support/story.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod story;
mod switches;
mod terminal;
#[path = "../support/testbed.rs"]
mod testbed;
mod traces;
mod trust;
mod try_event;
mod undelivered_answers;
mod unstartable_programs;
mod untrusted;
mod untrusted_story;

pub(crate) use testbed::{LS, Ran, START, TestBed, format_gate, gate_with, shell_gate};
