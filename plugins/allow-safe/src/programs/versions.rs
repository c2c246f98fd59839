//! Programs that print their version.

use shell_commands::facts::SimpleCommand;

/// Programs that read no file of the project to print their version. `cargo`, `go`, `yarn` and others start the version that a file of the
/// project names.
const PROGRAMS: &[&str] = &[
    "bash", "clang", "clang++", "cmake", "curl", "docker", "g++", "gawk", "gcc", "gh", "git", "grep", "java",
    "javac", "jq", "ld", "make", "node", "npm", "perl", "php", "pip", "pip3", "python", "python3", "rg",
    "ruby", "sed", "sqlite3", "tar", "wget",
];
/// Options that print a version and do nothing else, as the only word.
const OPTIONS: &[&str] = &["--version", "-version"];

/// Returns true if a name is that of a program of the list.
pub(super) fn is_listed(name: &str) -> bool {
    PROGRAMS.contains(&name)
}

/// Returns true if a command only prints its version.
pub(super) fn prints_version(command: &SimpleCommand) -> bool {
    let is_one =
        |option: &str| OPTIONS.contains(&option) || (option == "-V" && command.program.starts_with("python"));
    PROGRAMS.contains(&command.program.as_str())
        && matches!(command.words.as_slice(), [_, option] if option.certain && is_one(&option.text))
}
