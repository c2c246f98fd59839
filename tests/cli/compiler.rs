//! The compiler as a process.

use std::{
    fs,
    io::Write,
    os::unix::fs::symlink,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::processes::{KilledAtEnd, expect_none, list_processes, wait_until};

#[test]
fn it_does_not_outlive_who_started_it() {
    let folder = TempDir::new().unwrap();
    let compiler = folder.path().join("hookbox-compile").to_str().unwrap().to_owned();
    symlink(env!("CARGO_BIN_EXE_hookbox-compile"), &compiler).unwrap();
    let word = format!("{compiler} --inspect");
    let _killed = KilledAtEnd(word.replace(' ', "\0"));
    // It waits for its component, on a pipe that stays open.
    let line = "exec 3<&0; \"$0\" --inspect <&3 & exec sleep 86400";
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", line, &compiler]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut parent = shell.spawn().unwrap();
    let _open = parent.stdin.take();
    let started =
        || list_processes(&word.replace(' ', "\0")).into_iter().any(|pid| is_limited(pid.as_raw_pid()));
    wait_until("the compiler was not started", started);
    parent.kill().unwrap();
    parent.wait().unwrap();
    expect_none(&word.replace(' ', "\0"));
}

#[test]
fn an_answer_that_the_compiler_cannot_write_is_a_failure() {
    let plugin = crate::guests::build_component("denies");
    for words in [&["--inspect"][..], &[]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookbox-compile"));
        command.args(words).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(&plugin).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("the answer cannot be written: No space left")
        );
    }
}

/// The compiler limits itself after it has tied itself to its parent, and has offered itself to the kernel when memory is short.
fn is_limited(pid: i32) -> bool {
    let limits = fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    let first = fs::read_to_string(format!("/proc/{pid}/oom_score_adj")).unwrap_or_default();
    first == "1000\n"
        && limits.lines().any(|line| line.starts_with("Max core file size        0"))
        && limits.lines().any(|line| line.starts_with("Max address space         6442450944"))
}
