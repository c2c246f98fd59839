//! A home folder in which counts repeat, and callgrind.
//!
//! The folder has a path of the same length for each clone and each run, since the program reads, copies and hashes paths. The program
//! gets the same environment each time. Files that it recognises by their times are older than it asks for. valgrind itself gives the
//! program the same address layout and the same processor features.

use std::fs::{self, Permissions};
use std::hash::{BuildHasher as _, RandomState};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::cases::{ALL, Case, Event, Hooks, Way};
use crate::demo::home::{settle_times, write_file};
use crate::process::Process;
use crate::project::Project;

/// hookbox reads a file again that is younger than two seconds.
const SETTLED: Duration = Duration::from_secs(4);

/// Later calls of which the cost of one is derived.
const CALLS: u64 = 20;

/// A throw-away home folder with the programs and the plugins.
pub(super) struct Bed {
    folder: PathBuf,
    events: PathBuf,
}

impl Bed {
    /// Makes the folder, compiles the plugins and waits until hookbox takes the native code as settled.
    pub(super) fn make(project: &Project, program: &Path) -> Result<Self> {
        // Not in the target folder, whose path has a different length in each clone.
        let name = format!("/tmp/hookbox-costs-{:08x}", RandomState::new().hash_one(0) & 0xffff_ffff);
        let bed = Self { folder: name.into(), events: project.root.join("tests/data/events") };
        let mut builder = fs::DirBuilder::new();
        // hookbox trusts no file in a folder to which others may write.
        let made = builder.mode(0o700).create(&bed.folder);
        made.with_context(|| format!("cannot make {}", bed.folder.display()))?;
        // `.git` marks the root of a project, so hookbox looks no further.
        for folder in ["bin", "plugins", "project/.git"] {
            fs::create_dir_all(bed.folder.join(folder))?;
        }
        let copy = |from: &Path, to: &str| {
            fs::copy(from, bed.folder.join(to)).with_context(|| format!("cannot copy {}", from.display()))
        };
        copy(program, "bin/hookbox")?;
        for plugin in ["find-text", "guard-shell", "guard-paths"] {
            copy(&project.target.join(format!("plugins/{plugin}.wasm")), &format!("plugins/{plugin}.wasm"))?;
        }
        let compiler = bed.folder.join("bin/hookbox-compile");
        let compile = project.target.join("debug/hookbox-compile");
        // valgrind does not support all instructions of each processor, so the native code is restricted to the common ones.
        write_file(&compiler, &format!("#!/bin/sh\nexec '{}' --baseline \"$@\"\n", compile.display()))?;
        fs::set_permissions(&compiler, Permissions::from_mode(0o700))?;
        bed.write_configuration(Hooks::Text(ALL))?;
        bed.create_process(&bed.program()).args(["check"]).run()?;
        sleep(SETTLED);
        Ok(bed)
    }

    /// Counts the instructions of a path.
    pub(super) fn count_instructions(&self, case: &Case) -> Result<u64> {
        // State of an earlier path, such as counts of failures, would change the instructions of this one.
        let _ = fs::remove_dir_all(self.folder.join(".local"));
        self.write_configuration(case.hooks)?;
        match case.way {
            Way::Cold => {
                let home = self.folder.display().to_string();
                self.run(case, &["run", "--agent", case.agent, "--home", &home])
            }
            Way::Warm(_) => {
                let run = |calls: u64| {
                    let calls = (calls + 1).to_string();
                    self.run(case, &["explain", "--agent", case.agent, "--json", "--calls", &calls])
                };
                // The difference leaves out the start of the program and the first call.
                let (fewer, more) = (run(CALLS)?, run(2 * CALLS)?);
                ensure!(more > fewer, "{more} instructions for twice the calls, and {fewer} before");
                Ok((more - fewer) / CALLS)
            }
        }
    }

    /// Counts the instructions of the program with these arguments. It runs twice before it is counted: the first run writes files that
    /// later runs find.
    fn run(&self, case: &Case, arguments: &[&str]) -> Result<u64> {
        let event = self.read_event(case)?;
        for _ in 0..2 {
            let answer = self.create_process(&self.program()).args(arguments).answer_input(&event)?;
            check_answer(case, &answer)?;
        }
        let log = self.folder.join("callgrind.log");
        let valgrind = self
            .create_process(Path::new("/usr/bin/env"))
            .args(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .args([format!("--log-file={}", log.display())])
            .args([self.program()]);
        check_answer(case, &valgrind.args(arguments).answer_input(&event)?)?;
        let log = fs::read_to_string(&log).context("valgrind wrote no log")?;
        read_count(&log).with_context(|| format!("valgrind counted nothing:\n{log}"))
    }

    fn write_configuration(&self, hooks: Hooks) -> Result<()> {
        let file = self.folder.join(".config/hookbox/hooks.toml");
        write_file(&file, &hooks.format_text(&self.folder.join("plugins").to_string_lossy()))?;
        settle_times(&file)
    }

    /// Returns the text of the event, with the case's number of bytes.
    fn read_event(&self, case: &Case) -> Result<String> {
        let text = match case.event {
            Event::Text(text) => text.to_owned(),
            Event::Recorded(file, command) => {
                let file = self.events.join(file);
                let text =
                    fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
                ensure!(text.contains(command), "{} has no command `{command}`", file.display());
                text.replace(command, "[COMMAND]")
            }
        };
        let text =
            text.replace("/home/dev", &self.folder.to_string_lossy()).replace("[COMMAND]", case.command);
        let Way::Warm(bytes) = case.way else { return Ok(text) };
        let padding = "x".repeat(bytes.saturating_sub(text.len()));
        Ok(text.replacen("\"description\": \"", &format!("\"description\": \"{padding}"), 1))
    }

    fn program(&self) -> PathBuf {
        self.folder.join("bin/hookbox")
    }

    /// Creates a process with the environment and the folder of each run.
    fn create_process(&self, program: &Path) -> Process {
        Process::new(program)
            .without_environment()
            .quiet_env("HOME", &self.folder)
            .quiet_env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .directory(&self.folder.join("project"))
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        // If this fails, the rest is in the folder of temporary files, which the system clears.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Checks the answer: another answer means another path.
fn check_answer(case: &Case, answer: &str) -> Result<()> {
    let as_expected = match case.answer {
        "" => answer.trim() == "{}",
        part => answer.contains(part),
    };
    ensure!(as_expected, "hookbox answered `{}` and not `{}`", answer.trim(), case.answer);
    Ok(())
}

/// Returns the count in valgrind's log. Processes that the program starts are not counted; one that fails to start would write a count
/// before that of the program.
fn read_count(log: &str) -> Option<u64> {
    let mut counts = log.lines().filter_map(|line| line.split_once("Collected :"));
    counts.next_back()?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_count_is_that_of_the_program() {
        let log = "==7== Events    : Ir\n==7== Collected : 12\n==6== Collected : 9554474\n==6== \n";
        assert_eq!(read_count(log), Some(9_554_474));
        assert_eq!(read_count("==6== Command: hookbox\n"), None);
    }
}
