//! `hookbox-bundle`: distribution of plugins. `hookbox plugin sign`, `verify`, `push` and `pull`, and `hookbox export`, pass
//! their arguments to it.
//!
//! A separate program: it contains the signatures, which `hookbox`, started by agents for every event, does not need.

mod agent;
mod args;
mod bundle;
mod commands;
mod environment;
#[path = "../author/exit.rs"]
mod exit;
mod export;
#[path = "../author/printer.rs"]
#[expect(dead_code, reason = "the author's tools start tools of others")]
mod printer;
mod source;
mod trust_sources;

use hookbox_platform::signals;

use crate::printer::Printer;

fn main() {
    let printer = Printer::new();
    // A file that may not grow is an error like any other, and unfinished files are removed.
    signals::survive_full_files();
    let exit = commands::run_command(args::parse(), &printer);
    exit.exit_process(&printer)
}
