//! The `hookbox` command: parse, run, report, exit.

mod args;
mod commands;
mod confinement;
mod counts;
mod diagnostic;
mod exit;
mod layers;
mod once;
mod places;
mod printer;
mod report;
mod settings_file;
mod setup;
#[cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64", target_feature = "crt-static"))]
mod start;

use crate::printer::Printer;

fn main() {
    let printer = Printer::new();
    // A panic is answered, not symbolised: a backtrace costs more than the whole run.
    std::panic::set_hook(Box::new(|_| {}));
    let exit = commands::dispatch(args::parse(), &printer);
    exit.leave()
}
