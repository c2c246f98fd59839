//! Starting other programs: the command is shown before it runs, and its failure is an error that names it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufReader, ErrorKind, Write};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::progress;

/// Polling interval for a bounded command.
const POLL: Duration = Duration::from_millis(50);

/// A program with its arguments, not started yet.
#[must_use]
pub struct Process {
    command: Command,
    line: String,
}

impl Process {
    /// Creates a command for the program, found on `PATH` unless it is a path.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let name = Path::new(program.as_ref()).file_name().unwrap_or(program.as_ref());
        Self { line: name.to_string_lossy().into_owned(), command: Command::new(program.as_ref()) }
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        for argument in arguments {
            self.line = format!("{} {}", self.line, quote_word(argument.as_ref()));
            self.command.arg(argument);
        }
        self
    }

    /// Sets one environment variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.line = format!("{name}={} {}", quote_word(value.as_ref()), self.line);
        self.command.env(name, value);
        self
    }

    /// Sets one environment variable that the shown command need not name.
    pub fn quiet_env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs the command on this input and returns its standard output, regardless of its exit code and of its standard error.
    pub fn answer_input(mut self, input: &str) -> Result<String> {
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start `{}`", self.line))?;
        // Closed after the input, so that the program sees its end.
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        Ok(String::from_utf8(child.wait_with_output()?.stdout)?)
    }

    /// Sets several environment variables.
    pub fn envs(self, variables: &[(String, OsString)]) -> Self {
        variables.iter().fold(self, |process, (name, value)| process.env(name, value))
    }

    /// Keeps one environment variable from the program.
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Removes all environment variables except for those that are set after this.
    pub fn without_environment(mut self) -> Self {
        self.command.env_clear();
        self
    }

    /// Starts the program in this folder.
    pub fn directory(mut self, directory: &Path) -> Self {
        self.command.current_dir(directory);
        self
    }

    /// Shows the command, runs it, and fails if it fails.
    pub fn run(mut self) -> Result<()> {
        println!("$ {}", self.line);
        let status = self.command.status().with_context(|| format!("cannot start `{}`", self.line))?;
        ensure!(status.success(), "`{}` failed: {status}", self.line);
        Ok(())
    }

    /// Prints the command, a cargo build, and runs it; reports in the meantime how many of `total` packages are compiled. Fails if the
    /// build fails.
    pub(crate) fn run_build(mut self, total: usize) -> Result<()> {
        println!("$ {}", self.line);
        // Warnings and errors still go to standard error as text; only the events of the build are JSON.
        self.command.args(["--message-format", "json-render-diagnostics"]).stdout(Stdio::piped());
        let mut child = self.command.spawn().with_context(|| format!("cannot start `{}`", self.line))?;
        if let Some(stdout) = child.stdout.take() {
            progress::report_progress(BufReader::new(stdout), total);
        }
        let status = child.wait().with_context(|| format!("cannot wait for `{}`", self.line))?;
        ensure!(status.success(), "`{}` failed: {status}", self.line);
        Ok(())
    }

    /// Prints the command, runs it, and returns true if it succeeded. Standard error is discarded.
    pub fn run_for_success(mut self) -> Result<bool> {
        println!("$ {}", self.line);
        let status = self.command.stderr(Stdio::null()).status();
        Ok(status.with_context(|| format!("cannot start `{}`", self.line))?.success())
    }

    /// Runs the command like [`Process::run`], but ends the program at the time limit.
    pub fn run_within(mut self, limit: Duration) -> Result<()> {
        println!("$ {}", self.line);
        let deadline = Instant::now() + limit;
        let mut child = self.command.spawn().with_context(|| format!("cannot start `{}`", self.line))?;
        while Instant::now() < deadline {
            if let Some(status) = child.try_wait()? {
                ensure!(status.success(), "`{}` failed: {status}", self.line);
                return Ok(());
            }
            sleep(POLL);
        }
        child.kill()?;
        child.wait()?;
        bail!("`{}` was not done after {} s", self.line, limit.as_secs())
    }

    /// Prints the command, runs it without a terminal, writes its output to this file, and returns its exit status. At the time limit, it
    /// is killed with all its descendants.
    pub fn run_recorded(mut self, file: &Path, limit: Duration) -> Result<ExitStatus> {
        println!("$ {}", self.line);
        let both = File::create(file).with_context(|| format!("cannot write {}", file.display()))?;
        // A group of its own, so that its descendants can be killed with it.
        self.command.stdin(Stdio::null()).stdout(both.try_clone()?).stderr(both).process_group(0);
        let mut child = self.command.spawn().with_context(|| format!("cannot start `{}`", self.line))?;
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            sleep(POLL);
        }
        kill_process_group(Pid::from_child(&child), Signal::KILL)?;
        child.wait()?;
        bail!(
            "`{}` was not done after {} s; what it said is in {}",
            self.line,
            limit.as_secs(),
            file.display()
        )
    }

    /// Runs the command silently and returns its standard output, which is text.
    pub fn output(self) -> Result<String> {
        let line = self.line.clone();
        String::from_utf8(self.read_bytes()?).with_context(|| format!("`{line}` wrote no UTF-8"))
    }

    /// Runs the command silently and returns its standard output.
    pub fn read_bytes(mut self) -> Result<Vec<u8>> {
        let output = self
            .command
            // By default `output` would capture it, and the program's error messages would be lost.
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot start `{}`", self.line))?;
        ensure!(output.status.success(), "`{}` failed: {}", self.line, output.status);
        Ok(output.stdout)
    }
}

/// Prints the commands and runs them concurrently; fails once all have ended if one of them did.
pub fn run_together(processes: impl IntoIterator<Item = Process>) -> Result<()> {
    let running: Vec<_> = processes
        .into_iter()
        .map(|mut process| {
            println!("$ {}", process.line);
            (process.command.spawn(), process.line)
        })
        .collect();
    // All of them are waited for, so that no build goes on after an error.
    let ended: Vec<_> = running
        .into_iter()
        .map(|(child, line)| {
            let status = child.and_then(|mut child| child.wait());
            let status = status.with_context(|| format!("cannot start `{line}`"))?;
            ensure!(status.success(), "`{line}` failed: {status}");
            Ok(())
        })
        .collect();
    ended.into_iter().collect()
}

/// Returns true if this program can be started and answers `--version`.
pub fn is_installed(program: &str) -> Result<bool> {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot start `{program}`")),
    }
}

/// Quotes a word for display.
fn quote_word(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_one_would_type_it() {
        let process = Process::new("/usr/bin/cargo").args(["doc", "it's"]).env("FLAGS", "-D warnings");
        assert_eq!(process.line, r"FLAGS='-D warnings' cargo doc 'it'\''s'");
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended() {
        let error = Process::new("sleep").args(["60"]).run_within(Duration::from_millis(10));
        assert_eq!(error.unwrap_err().to_string(), "`sleep 60` was not done after 0 s");
    }

    #[test]
    fn a_recorded_command_leaves_its_output_and_exit_status() {
        let file = std::env::temp_dir().join(format!("hookbox-recorded-{}", std::process::id()));
        let process = || Process::new("/bin/sh").without_environment().env("WORD", "none");
        let script = "echo \"$WORD $HOME\"; echo two >&2; exit 3";
        let status = process().args(["-c", script]).run_recorded(&file, Duration::from_mins(1)).unwrap();
        assert_eq!(status.code(), Some(3));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "none \ntwo\n");
        let late =
            process().args(["-c", "/bin/sleep 60; true"]).run_recorded(&file, Duration::ZERO).unwrap_err();
        std::fs::remove_file(&file).unwrap();
        assert!(late.to_string().contains("was not done after 0 s; what it said is in "), "{late}");
    }

    #[test]
    fn a_failing_command_is_named_in_the_error() {
        let error = Process::new("false").run().unwrap_err().to_string();
        assert!(error.starts_with("`false` failed: "), "{error}");
    }

    #[test]
    fn a_program_that_does_not_exist_is_not_installed() {
        assert!(!is_installed("hookbox-no-such-program").unwrap());
    }
}
