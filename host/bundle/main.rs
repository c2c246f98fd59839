//! `hookbox-bundle`: plugins that are handed out. `hookbox plugin sign`, `verify`, `push` and `pull`, and
//! `hookbox export`, hand their words to it.
//!
//! A program of its own: it has the signatures, and `hookbox`, which agents start for every event, needs none of them.

mod agent;
mod args;
mod bundle;
mod commands;
mod environment;
#[path = "../author/exit.rs"]
mod exit;
mod export;
mod known;
#[path = "../author/printer.rs"]
#[expect(dead_code, reason = "the author's tools start tools of others")]
mod printer;
mod source;

use hookbox_platform::signals;

use crate::printer::Printer;

fn main() {
    let printer = Printer::new();
    // A file that may not grow is an error like any other, and what was begun is taken away.
    signals::survive_full_files();
    let exit = commands::dispatch(args::parse(), &printer);
    exit.leave(&printer)
}
