//! `hookbox-author`: the tools of plugin authors. `hookbox plugin new`, `build`, `test`, `profile` and `wit` pass their arguments
//! to it.
//!
//! A separate program: `hookbox` is started by agents for every event, and stays small.

mod args;
mod build_lock;
mod call;
mod commands;
mod environment;
mod exit;
mod fixture;
mod languages;
mod plugin_assembly;
mod printer;
mod project;
mod project_command;
mod sources;
mod templates;
mod tool;
mod trial;
mod verdict;
mod worlds;

use hookbox_platform::signals;

use crate::printer::Printer;

fn main() {
    let printer = Printer::new();
    // A file that may not grow is an error like any other, and unfinished files are removed.
    signals::survive_full_files();
    let exit = commands::run_command(args::parse(), &printer);
    exit.exit_process(&printer)
}
