//! The project's own commands: `cargo xtask <verb>`.
#![expect(clippy::print_stderr, reason = "a command line program talks to its user")]

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match xtask::verb::run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
