//! One case: a folder.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use hookbox::{
    dialect::{Arrival, Dialect},
    model::{EventName, Json},
};
use serde_json::Value;
use tempfile::TempDir;

/// One case.
pub(crate) struct Case {
    pub(crate) dialect: String,
    pub(crate) name: String,
    pub(crate) rule: String,
    /// The agent's own hook file.
    source: Option<String>,
    exit: i64,
    /// What the agent reads on standard error, if the answer is there.
    stderr: Option<String>,
    folder: PathBuf,
}

impl Case {
    /// All cases, by dialect and name.
    pub(crate) fn all() -> Vec<Self> {
        let dialects = folders(&root().join("tests/conformance/cases"));
        dialects.iter().flat_map(|dialect| folders(dialect)).map(|folder| Self::read(&folder)).collect()
    }

    fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join("case.toml")).unwrap();
        let case = toml_to_json(&text);
        let word = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            dialect: name(folder.parent().unwrap()),
            name: name(folder),
            rule: word("rule").unwrap(),
            source: word("source"),
            exit: case.get("exit").and_then(Value::as_i64).unwrap_or_default(),
            stderr: word("stderr"),
            folder: folder.to_owned(),
        }
    }

    /// How the answer differs from the expected one.
    pub(crate) fn failure(&self) -> Option<String> {
        let output = self.run();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        if blessing() {
            fs::write(self.folder.join("answer"), &stdout).unwrap();
        }
        let expected = fs::read_to_string(self.folder.join("answer")).unwrap();
        let exit = i64::from(output.status.code().unwrap());
        let other = self.stderr.as_ref().is_some_and(|wanted| *wanted != stderr);
        (stdout != expected || exit != self.exit || other).then(|| {
            let Self { dialect, name, rule, exit: wanted, .. } = self;
            let error = self.stderr.as_deref().unwrap_or_default();
            format!(
                "{dialect}/{name}: {rule}\n  expected {wanted} {expected:?} {error:?}\n  was      {exit} {stdout:?} {stderr:?}"
            )
        })
    }

    /// The agent's name for the event, and ours; `None` if it is not acceptable, as the case may be about that.
    pub(crate) fn event(&self, dialect: &dyn Dialect) -> Option<(String, EventName)> {
        let text = fs::read_to_string(self.folder.join("event.json")).unwrap();
        let event = dialect.read(Json::parse_object(&text).ok()?, &Arrival::default()).ok()?;
        Some((event.agent_event, event.name))
    }

    /// The agent's own hook file.
    pub(crate) fn own_file(&self) -> Option<PathBuf> {
        self.source.as_ref().map(|file| self.folder.join(file))
    }

    fn run(&self) -> Output {
        let home = TempDir::new().unwrap();
        let mut words = vec!["run".to_owned(), "--agent".to_owned(), self.dialect.clone()];
        match self.own_file() {
            Some(file) => words.extend(["--source".to_owned(), file.to_str().unwrap().to_owned()]),
            None => install(&self.folder.join("hooks.toml"), home.path()),
        }
        self.hookbox(&words, home.path())
    }

    /// The command in this home, with the event on its standard input.
    pub(crate) fn hookbox(&self, words: &[String], home: &Path) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookbox"));
        command.args(words);
        command
            .env_clear()
            .env("CASE", &self.folder)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("HOME", home)
            .env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.current_dir(home).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let event = fs::read(self.folder.join("event.json")).unwrap();
        // `import` does not read it.
        drop(child.stdin.take().unwrap().write_all(&event));
        child.wait_with_output().unwrap()
    }
}

/// The user's own configuration, if the case has one.
fn install(hooks: &Path, home: &Path) {
    if let Ok(text) = fs::read_to_string(hooks) {
        let folder = home.join(".config/hookbox");
        fs::create_dir_all(&folder).unwrap();
        let plugins = root().join("target/plugins");
        fs::write(folder.join("hooks.toml"), text.replace("[PLUGINS]", plugins.to_str().unwrap())).unwrap();
    }
}

/// Are the answers to be written anew?
pub(crate) fn blessing() -> bool {
    std::env::var_os("HOOKBOX_BLESS").is_some()
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

fn name(folder: &Path) -> String {
    folder.file_name().unwrap().to_str().unwrap().to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

/// `key = "text"` and `key = 1`, a line each: all that a case needs.
fn toml_to_json(text: &str) -> Value {
    let pairs = text.lines().filter_map(|line| line.split_once(" = "));
    let member = |(key, value): (&str, &str)| {
        let value: Value = serde_json::from_str(value).unwrap();
        (key.to_owned(), value)
    };
    pairs.map(member).collect()
}
