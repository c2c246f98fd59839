//! A home folder, the programs, and a bounded run.

use std::{
    fs,
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Context, Result};

use crate::project::Project;

/// How long one run may take; the agent that it is for waits a quarter of that.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(2);

/// Where everything is.
pub(super) struct Bed {
    pub(super) folder: PathBuf,
    program: PathBuf,
    plugins: PathBuf,
}

/// How a run ended.
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
    /// It had to be ended.
    pub(super) hung: bool,
}

impl Ended {
    /// In a line.
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
        fs::create_dir_all(folder.join("project/.git"))?;
        let (program, plugins) = (project.target.join("debug/hookbox"), project.target.join("plugins"));
        Ok(Self { folder: folder.to_owned(), program, plugins })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
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

    /// Writes a file of the home folder, `[PLUGINS]` and `[PROJECT]` replaced, as one that nobody has touched for an hour.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path(name);
        let folder = path.parent().context("a file is in a folder")?;
        fs::create_dir_all(folder)?;
        fs::write(&path, self.real(text))?;
        let hour = Duration::from_hours(1);
        for path in [path.as_path(), folder] {
            fs::File::open(path)?.set_modified(SystemTime::now() - hour)?;
        }
        Ok(())
    }

    pub(super) fn real(&self, text: &str) -> String {
        let project = self.folder.join("project");
        text.replace("[PLUGINS]", &self.plugins.display().to_string())
            .replace("[PROJECT]", &project.display().to_string())
            .replace("[HOME]", &self.folder.join("home").display().to_string())
    }

    /// The program with these words, behind the words of another one.
    pub(super) fn command(&self, before: &[String], words: &[&str]) -> Command {
        let program = self.program.display().to_string();
        let mut all = before.to_vec();
        all.push(program);
        all.extend(words.iter().map(|word| self.real(word)));
        let mut command = Command::new(all.first().map_or("", String::as_str));
        command
            .args(all.iter().skip(1))
            .current_dir(self.folder.join("project"))
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", self.folder.join("home"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it on this input, `[PROJECT]` replaced.
    pub(super) fn run(&self, before: &[String], words: &[&str], input: &str) -> Result<Ended> {
        let mut command = self.command(before, words);
        let child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        end(child, &self.real(input))
    }
}

/// Hands a child its input, reads what it says, and waits for its end.
pub(super) fn end(mut child: Child, input: &str) -> Result<Ended> {
    if let Some(mut stdin) = child.stdin.take() {
        // It may have ended without reading.
        let _ = stdin.write_all(input.as_bytes());
    }
    let (out, error) = (collect(child.stdout.take()), collect(child.stderr.take()));
    let deadline = Instant::now() + PATIENCE;
    let (status, hung) = loop {
        if let Some(status) = child.try_wait()? {
            break (status, false);
        }
        if Instant::now() > deadline {
            child.kill()?;
            break (child.wait()?, true);
        }
        thread::sleep(POLL);
    };
    let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Ended { status, stdout: text(out), stderr: text(error), hung })
}

fn collect(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut from) = from {
            // What it has said until then counts.
            let _ = from.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
