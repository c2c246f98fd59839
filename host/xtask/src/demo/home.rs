//! A throw-away home with every kind of hook, and a project with one of its own.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::Process;
use crate::project::Project;

pub(super) struct Home {
    pub(super) folder: PathBuf,
}

impl Home {
    /// Makes it anew below the target folder.
    pub(super) fn make(project: &Project, webhook: &str) -> Result<Self> {
        let home = Self { folder: project.target.join("demo/home") };
        if home.folder.exists() {
            fs::remove_dir_all(&home.folder)?;
        }
        let plugins = project.target.join("plugins");
        write(&home.hooks(), &hooks(&plugins, webhook))?;
        write(&home.folder.join("project/.hookbox/hooks.toml"), PROJECT)?;
        let plugin = home.folder.join("project/.hookbox/find-text.wasm");
        fs::copy(plugins.join("find-text.wasm"), plugin)?;
        Ok(home)
    }

    /// The configuration.
    pub(super) fn hooks(&self) -> PathBuf {
        self.folder.join(".config/hookbox/hooks.toml")
    }

    /// The built program, at home here and nowhere else.
    pub(super) fn hookbox(&self, project: &Project, arguments: &[&str]) -> Process {
        let home = self.folder.display().to_string();
        // What agents start does not ask the environment where its home is.
        let (verb, rest) = arguments.split_first().unwrap_or((&"", &[]));
        let place: &[&str] = if *verb == "run" { &["--home", &home] } else { &[] };
        Process::new(project.target.join("dist/hookbox"))
            .args([&[*verb], place, rest].concat())
            .quiet_env("HOME", &self.folder)
            .without_env("XDG_CONFIG_HOME")
            .without_env("XDG_CACHE_HOME")
            .without_env("XDG_STATE_HOME")
            .directory(&self.folder)
    }
}

fn write(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn hooks(plugins: &Path, webhook: &str) -> String {
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

/// A stranger's: it may only make things stricter.
const PROJECT: &str = r#"[[hook]]
name = "no-todo"
on = "tool.before"
tool = { class = "file-write" }
wasm = { path = "find-text.wasm" }
config = { ask = ["DROP TABLE"] }

[[hook]]
name = "pwned"
on = "session.start"
shell = { command = "touch ~/pwned" }
"#;
