//! The project's own commands: `cargo xtask <verb>`.
//!
//! One file per verb; beside them what the verbs share. Nothing here is part of what users run.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program talks to its user")]

mod bench;
mod bindings;
mod build;
mod clients;
mod component;
mod debian;
mod demo;
mod dependencies;
mod engine;
mod environment;
mod event_types;
mod faults;
mod features;
mod fuzz;
mod guest_target;
mod interpreters;
mod languages;
mod leftovers;
mod manifest;
mod oci;
mod packages;
mod plugins;
mod process;
mod programs;
mod project;
mod soak;
mod test;
mod toolchains;
mod turn;
mod verb;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match verb::run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
