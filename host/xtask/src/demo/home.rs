//! A throw-away home folder with each kind of hook, and a project that has hooks of its own.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};

use crate::process::Process;
use crate::project::Project;

pub(super) struct Home {
    pub(super) folder: PathBuf,
}

impl Home {
    /// Creates a new folder below the target folder.
    pub(super) fn make(project: &Project, webhook: &str) -> Result<Self> {
        let home = Self { folder: project.target.join("demo/home") };
        // The native code that an earlier step compiled stays.
        for name in [".config", ".local", "project", "audit.log", "pwned"] {
            remove_path(&home.folder.join(name))?;
        }
        let plugins = project.target.join("plugins");
        write_file(&home.hooks(), &format_hooks(&plugins, webhook))?;
        write_file(&home.folder.join("project/.hookbox/hooks.toml"), PROJECT)?;
        let plugin = home.folder.join("project/.hookbox/find-text.wasm");
        fs::copy(plugins.join("find-text.wasm"), plugin)?;
        Ok(home)
    }

    /// Returns the file of the configuration.
    pub(super) fn hooks(&self) -> PathBuf {
        self.folder.join(".config/hookbox/hooks.toml")
    }

    /// Sets the times of files that hookbox reads to those of an hour ago: it hashes files that have just changed at each start, which
    /// users do not experience.
    pub(super) fn settle(&self) -> Result<()> {
        settle_times(&self.folder)
    }

    /// Returns the text of a recorded event, with the recording's home replaced by this one, so that the project's hooks are found.
    pub(super) fn read_event(&self, event: &Path) -> Result<String> {
        let recorded =
            fs::read_to_string(event).with_context(|| format!("cannot read {}", event.display()))?;
        Ok(recorded.replace("/home/dev", &self.folder.to_string_lossy()))
    }

    /// Prints the state of the project's own hooks.
    pub(super) fn print_project_hooks(&self) -> Result<()> {
        ensure!(!self.folder.join("pwned").exists(), "the shell hook of an untrusted project ran");
        println!("\nhooks of the project, which are untrusted until you review them:");
        println!(
            "  project-rule  wasm   ran confined: no files, no network, no environment; it can only make an outcome stricter"
        );
        println!(
            "  pwned         shell  `touch ~/pwned` did not run, and ~/pwned does not exist; `hookbox trust` would allow it"
        );
        Ok(())
    }

    /// Runs the built program with only this home.
    pub(super) fn create_hookbox_process(&self, project: &Project, arguments: &[&str]) -> Process {
        let home = self.folder.display().to_string();
        // An agent's entry names the home folder: `run` does not read it from the environment.
        let (verb, rest) = arguments.split_first().unwrap_or((&"", &[]));
        let place: &[&str] = if *verb == "run" { &["--home", &home] } else { &[] };
        Process::new(project.target.join("debug/hookbox"))
            .args([&[*verb], place, rest].concat())
            .quiet_env("HOME", &self.folder)
            // These would lead to the developer's own folders.
            .without_env("XDG_CONFIG_HOME")
            .without_env("XDG_CACHE_HOME")
            .without_env("XDG_STATE_HOME")
            .directory(&self.folder)
    }
}

/// Removes a file or a folder, if there is one.
fn remove_path(path: &Path) -> Result<()> {
    let removed = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Sets the times of a file, or of all in a folder, to those of an hour ago.
pub(crate) fn settle_times(path: &Path) -> Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            settle_times(&entry?.path())?;
        }
    }
    let an_hour_ago = SystemTime::now() - Duration::from_hours(1);
    File::open(path)?
        .set_modified(an_hour_ago)
        .with_context(|| format!("cannot set the time of {}", path.display()))
}

/// Writes a file and the folders above it.
pub(crate) fn write_file(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn format_hooks(plugins: &Path, webhook: &str) -> String {
    let plugins = plugins.display();
    format!(
        r#"# wasm: sandboxed, without any capability
[[hook]]
name = "guard-shell"
on = "tool.before"
tool = {{ class = ["shell", "mcp"] }}
wasm = {{ path = "{plugins}/guard-shell.wasm" }}

[[hook]]
name = "guard-paths"
on = "tool.before"
tool = {{ class = ["file-read", "file-write", "search", "shell", "mcp"] }}
wasm = {{ path = "{plugins}/guard-paths.wasm" }}

[[hook]]
name = "find-text"
on = "tool.before"
wasm = {{ path = "{plugins}/find-text.wasm" }}
config = {{ deny = ["BEGIN PRIVATE KEY"] }}

[[hook]]
name = "house-rules"
on = ["session.start", "prompt.submit"]
wasm = {{ path = "{plugins}/context.wasm" }}
config = {{ session = "Run the tests before you say that you are done." }}

# a process per event, with the user's power
[[hook]]
name = "audit-log"
on = ["tool.before", "tool.after", "tool.error"]
role = "observe"
shell = {{ command = "cat >> \"$HOME/audit.log\"" }}

# an HTTP request per event
[[hook]]
name = "notify"
on = ["session.start", "session.end", "agent.stop", "tool.before"]
role = "observe"
webhook = {{ url = "http://{webhook}/agent" }}
"#
    )
}

/// An untrusted project's hooks: a component that asks, and a command.
const PROJECT: &str = r#"[[hook]]
name = "project-rule"
on = "tool.before"
tool = { class = "file-write" }
wasm = { path = "find-text.wasm" }
config = { ask = ["hello world"] }

[[hook]]
name = "pwned"
on = "session.start"
shell = { command = "touch ~/pwned" }
"#;
