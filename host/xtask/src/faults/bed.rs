//! A home folder, the programs, and a bounded run.

use std::{
    fs,
    io::{Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal};

use crate::project::Project;

/// A run that takes longer hangs. The agent that it is for waits five seconds; the rest is for a machine with other things to do.
const LIMIT: Duration = Duration::from_mins(2);
const POLL: Duration = Duration::from_millis(2);

/// A home folder with the built programs.
pub(super) struct Bed {
    pub(super) folder: PathBuf,
    program: PathBuf,
    plugins: PathBuf,
}

/// Result of a run.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// True if the run had to be killed, or if a process that it left behind kept its output open.
    pub(super) hung: bool,
}

impl Ended {
    /// Formats the result in a line.
    pub(super) fn shown(&self) -> String {
        let text = |text: &str| text.trim().replace('\n', " | ").chars().take(160).collect::<String>();
        let end = match (self.hung, self.status.signal()) {
            (true, _) => "it hung".to_owned(),
            (false, Some(signal)) => format!("signal {signal}"),
            (false, None) => format!("exit code {}", self.status.code().unwrap_or(-1)),
        };
        format!("{end}, `{}`, `{}`", text(&self.stdout), text(&self.stderr))
    }
}

impl Bed {
    pub(super) fn new(project: &Project, folder: &Path) -> Result<Self> {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot clear {}", folder.display()));
            }
            _ => {}
        }
        // `.git` marks the root of a project: hookbox reads no hooks of the clone above it.
        fs::create_dir_all(folder.join("project/.git"))?;
        let (program, plugins) = (project.target.join("debug/hookbox"), project.target.join("plugins"));
        Ok(Self { folder: folder.to_owned(), program, plugins })
    }

    pub(super) fn join_path(&self, name: &str) -> PathBuf {
        self.folder.join("home").join(name)
    }

    /// Empties the home folder.
    pub(super) fn clear(&self) -> Result<()> {
        let home = self.folder.join("home");
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        Ok(fs::create_dir_all(home)?)
    }

    /// Writes a file of the home folder, with `[PLUGINS]` and `[PROJECT]` replaced, and sets its time of change to an hour ago.
    pub(super) fn write_file(&self, name: &str, text: &str) -> Result<()> {
        let path = self.join_path(name);
        let folder = path.parent().context("a file is in a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&path, self.fill_placeholders(text))?;
        // hookbox hashes files that have just changed, so the calls of a run would depend on the time.
        let hour = Duration::from_hours(1);
        for path in [path.as_path(), folder] {
            fs::File::open(path)?.set_modified(SystemTime::now() - hour)?;
        }
        Ok(())
    }

    pub(super) fn fill_placeholders(&self, text: &str) -> String {
        let project = self.folder.join("project");
        text.replace("[PLUGINS]", &self.plugins.display().to_string())
            .replace("[PROJECT]", &project.display().to_string())
            .replace("[HOME]", &self.folder.join("home").display().to_string())
    }

    /// Creates the program with these arguments, started through another command.
    pub(super) fn create_command(&self, before: &[String], words: &[&str]) -> Command {
        let program = self.program.display().to_string();
        let mut all = before.to_vec();
        all.push(program);
        all.extend(words.iter().map(|word| self.fill_placeholders(word)));
        let mut command = Command::new(all.first().map_or("", String::as_str));
        command
            .args(all.iter().skip(1))
            .current_dir(self.folder.join("project"))
            // The developer's variables must not change the calls.
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", self.folder.join("home"))
            // A killed tracer leaves its traced processes behind: all of them are killed as one group.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the program on this input, with `[PROJECT]` replaced.
    pub(super) fn run(&self, before: &[String], words: &[&str], input: &str) -> Result<Ended> {
        let mut command = self.create_command(before, words);
        let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        wait_for_end(child, &self.fill_placeholders(input))
    }
}

/// Writes a child's input, reads its output, and waits for its exit and for the end of its output, up to the time limit.
pub(super) fn wait_for_end(child: Child, input: &str) -> Result<Ended> {
    end_within(child, input, LIMIT)
}

fn end_within(mut child: Child, input: &str, limit: Duration) -> Result<Ended> {
    if let Some(mut stdin) = child.stdin.take() {
        // The process may have exited without reading.
        let _ = stdin.write_all(input.as_bytes());
    }
    // In threads: a pipe that is full would block the process.
    let (out, error) =
        (Collected::collect_from(child.stdout.take()), Collected::collect_from(child.stderr.take()));
    let deadline = Instant::now() + limit;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if Instant::now() > deadline => break None,
            None => thread::sleep(POLL),
        }
    };
    let texts = [out.read_until(deadline), error.read_until(deadline)];
    let hung = status.is_none() || texts.iter().any(|text| text.is_open);
    let status = if let Some(status) = status { status } else { kill_group(&mut child)? };
    let [stdout, stderr] = texts.map(|text| text.text);
    Ok(Ended { status, stdout, stderr, hung })
}

/// Kills the child with its whole group, which it leads.
fn kill_group(child: &mut Child) -> Result<ExitStatus> {
    rustix::process::kill_process_group(Pid::from_child(child), Signal::KILL)?;
    Ok(child.wait()?)
}

/// Output of a pipe, read by a thread that may outlive the receiver.
struct Collected(mpsc::Receiver<Vec<u8>>);

/// Output received so far.
struct Text {
    text: String,
    /// More could come.
    is_open: bool,
}

impl Collected {
    fn collect_from(from: Option<impl Read + Send + 'static>) -> Self {
        let (came, receiver) = mpsc::channel();
        thread::spawn(move || {
            let (mut from, mut chunk) = (from?, [0; 4096]);
            // Output until then counts.
            while let Some(bytes) = from.read(&mut chunk).ok().and_then(|read| chunk.get(..read)) {
                if bytes.is_empty() {
                    break;
                }
                came.send(bytes.to_owned()).ok()?;
            }
            Some(())
        });
        Self(receiver)
    }

    /// Returns the output until the deadline.
    fn read_until(&self, deadline: Instant) -> Text {
        let mut all = Vec::new();
        let end = loop {
            match self.0.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => all.extend(bytes),
                Err(end) => break end,
            }
        };
        let is_open = end == RecvTimeoutError::Timeout;
        Text { text: String::from_utf8_lossy(&all).into_owned(), is_open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_script(script: &str, limit: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        end_within(command.spawn().unwrap(), "", limit).unwrap()
    }

    #[test]
    fn what_does_not_end_is_killed_with_all_that_it_started() {
        let ended = run_script("echo begun; sleep 1000 & wait", Duration::from_millis(300));
        assert!(ended.hung);
        assert_eq!(ended.stdout, "begun\n");
        assert_eq!(ended.status.signal(), Some(9));
    }

    #[test]
    fn what_keeps_the_output_open_is_not_waited_for() {
        let ended = run_script("echo done; setsid sleep 5 & exit 3", Duration::from_millis(300));
        assert!(ended.hung);
        assert_eq!((ended.stdout.as_str(), ended.status.code()), ("done\n", Some(3)));
    }
}
