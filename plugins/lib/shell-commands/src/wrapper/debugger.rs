//! Commands that a debugger is passed: `gdb -ex 'shell rm x'`, `lldb -o 'script open("x", "w")'`.

use super::coded::path_words;

/// Debuggers.
const DEBUGGERS: &[&str] = &["gdb", "gdb-multiarch", "lldb", "rust-gdb", "rust-lldb"];
/// Their commands that write no file. All others may write what they name.
const LOOKING: &[&str] = &[
    "attach",
    "b",
    "backtrace",
    "bt",
    "break",
    "breakpoint",
    "c",
    "continue",
    "core",
    "core-file",
    "directory",
    "disassemble",
    "exec-file",
    "f",
    "file",
    "finish",
    "frame",
    "info",
    "l",
    "list",
    "n",
    "next",
    "p",
    "print",
    "ptype",
    "q",
    "quit",
    "r",
    "run",
    "s",
    "settings",
    "start",
    "step",
    "symbol-file",
    "target",
    "thread",
    "up",
    "down",
    "where",
    "x",
];

/// Returns true if a program is a debugger.
pub(super) fn is_debugger(name: &str) -> bool {
    DEBUGGERS.contains(&name)
}

/// Returns the files that a command may write.
pub(super) fn paths(command: &str) -> Vec<String> {
    let name = command.trim_start().split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
    let is_one = command.trim().contains(char::is_whitespace);
    if is_one && !LOOKING.contains(&name) { path_words(command) } else { Vec::new() }
}
