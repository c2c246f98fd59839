//! The project's own commands, one file per verb, and their shared code. Users never run any of this.
//!
//! Small, since each command waits for its build: the generators, the packer of releases and the runner of real agents are programs of their own, which use
//! [`process`] and [`project`] of this crate.
#![expect(clippy::print_stdout, reason = "a command line program talks to its user")]

mod acceptance;
mod bench;
mod book;
mod build;
mod cargo_tool;
mod clients;
mod costs;
mod debian;
mod demo;
mod dependencies;
mod dist;
mod environment;
mod faults;
mod features;
mod fuzz;
mod generator;
mod guest_target;
mod interpreters;
mod languages;
mod leftovers;
mod oci;
mod packages;
mod platforms;
mod plugins;
pub mod process;
mod programs;
mod progress;
pub mod project;
mod run_lock;
mod soak;
mod sources;
mod steps;
mod test;
mod toolchains;
mod unify;
pub mod verb;
