//! Another program in the place of this one.

use std::{io, process::Command};

/// This process becomes the program: signals for it reach the program, and its end is that of the program. Returns only why that
/// cannot be.
#[cfg(on_unix)]
pub fn hand_over(command: &mut Command) -> io::Result<i32> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Runs the program with the streams of this process, and returns the code that it ended with.
#[cfg(not(on_unix))]
pub fn hand_over(command: &mut Command) -> io::Result<i32> {
    command.status().map(|status| status.code().unwrap_or(1))
}
