//! Replacement of this process by another program.

use std::{io, process::Command};

/// Replaces this process with the program: signals reach the program, and its end is that of this process. Returns only on error.
#[cfg(on_unix)]
pub fn hand_over(command: &mut Command) -> io::Result<i32> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Runs the program with the streams of this process, and returns its exit code.
#[cfg(not(on_unix))]
pub fn hand_over(command: &mut Command) -> io::Result<i32> {
    command.status().map(|status| status.code().unwrap_or(1))
}
