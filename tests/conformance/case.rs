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

use crate::{
    home::Home,
    server::{Request, Server},
};

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
    /// The address in the hook file that the case's own server stands for.
    server: String,
    /// Variables that the agent has: `NAME=value`, a line each.
    variables: Vec<(String, String)>,
    folder: PathBuf,
}

/// What a run came to.
struct Seen {
    output: Output,
    /// What hooks did elsewhere that the case says otherwise.
    wrong: Vec<String>,
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
            server: word("server").unwrap_or("[SERVER]".to_owned()),
            variables: word("variables").unwrap_or_default().lines().map(pair).collect(),
            folder: folder.to_owned(),
        }
    }

    /// How the answer differs from the expected one.
    pub(crate) fn failure(&self) -> Option<String> {
        let Seen { output, wrong } = self.run();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        if blessing() {
            fs::write(self.folder.join("answer"), &stdout).unwrap();
        }
        let expected = fs::read_to_string(self.folder.join("answer")).unwrap();
        let exit = i64::from(output.status.code().unwrap());
        let other = self.stderr.as_ref().is_some_and(|wanted| *wanted != stderr);
        (stdout != expected || exit != self.exit || other || !wrong.is_empty()).then(|| {
            let Self { dialect, name, rule, exit: wanted, .. } = self;
            let (error, wrong) = (self.stderr.as_deref().unwrap_or_default(), wrong.join("\n  "));
            format!(
                "{dialect}/{name}: {rule}\n  expected {wanted} {expected:?} {error:?}\n  was      {exit} {stdout:?} {stderr:?}\n  {wrong}"
            )
        })
    }

    /// The agent's name for the event, and ours; `None` if it is not acceptable, as the case may be about that.
    pub(crate) fn event(&self, dialect: &dyn Dialect) -> Option<(String, EventName)> {
        let text = fs::read_to_string(self.folder.join("event.json")).unwrap();
        let event = dialect.read(Json::parse_object(&text).ok()?, &Arrival::default()).ok()?;
        Some((event.agent_event, event.name))
    }

    /// The home folder that it runs in.
    pub(crate) fn home(&self) -> Home {
        Home::of(&self.folder)
    }

    /// The agent's own hook file; none if it asks the case's server, which is there for one run.
    pub(crate) fn own_file(&self, home: &Home) -> Option<PathBuf> {
        let serverless = self.file("response.http").is_none();
        self.source.as_ref().filter(|_| serverless).map(|file| self.hook_file(file, home, None))
    }

    fn run(&self) -> Seen {
        let home = self.home();
        let server = self.file("response.http").map(|response| Server::start(&response));
        let url = server.as_ref().map(Server::url);
        let mut output = self.output(&home, url.as_deref());
        let mut wrong = home.differences(&self.folder);
        wrong.extend(server.and_then(|server| self.wrong_requests(&home, server)));
        output.stdout = self.hidden(&home, url.as_deref(), &output.stdout);
        Seen { output, wrong }
    }

    fn output(&self, home: &Home, server: Option<&str>) -> Output {
        let mut words = vec!["run".to_owned(), "--agent".to_owned(), self.dialect.clone()];
        match &self.source {
            Some(file) => {
                let file = self.hook_file(file, home, server);
                words.extend(["--source".to_owned(), file.to_str().unwrap().to_owned()]);
            }
            None => install(&self.folder.join("hooks.toml"), home.path()),
        }
        self.hookbox(&words, home)
    }

    /// The command in this home, with the event on its standard input.
    pub(crate) fn hookbox(&self, words: &[String], home: &Home) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookbox"));
        command
            .args(words)
            .env_clear()
            .env("CASE", &self.folder)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("HOME", home.path())
            .env("PATH", home.programs())
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.envs(self.variables.iter().map(|(name, value)| (name, home.named_in(value))));
        command.current_dir(home.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let event = home.named_in(&self.file("event.json").unwrap());
        // `import` does not read it.
        drop(child.stdin.take().unwrap().write_all(event.as_bytes()));
        child.wait_with_output().unwrap()
    }

    /// The hook file where it is: in the case, or in the home folder if it stands in `home/` or asks the case's server.
    fn hook_file(&self, file: &str, home: &Home, server: Option<&str>) -> PathBuf {
        let in_home = home.path().join(file.strip_prefix("home/").unwrap_or(file));
        if let Some(url) = server {
            let text = self.file(file).unwrap();
            assert!(text.contains(&self.server), "{}: the hook file does not ask the server", self.name);
            fs::write(&in_home, text.replace(&self.server, url)).unwrap();
        }
        if in_home.is_file() { in_home } else { self.folder.join(file) }
    }

    /// How what the server saw differs from one request, as in `request.http` if the case says; from none if that is empty.
    fn wrong_requests(&self, home: &Home, server: Server) -> Option<String> {
        let requests = server.stop();
        let wanted = self.file("request.http").map(|wanted| home.named_in(&wanted));
        let right = match (wanted.as_deref(), requests.as_slice()) {
            (Some(""), []) | (None, [_]) => true,
            (Some(wanted), [request]) => request.is(wanted),
            _ => false,
        };
        let seen: Vec<_> = requests.iter().map(Request::text).collect();
        (!right).then(|| format!("requests {wanted:?}, was {seen:?}"))
    }

    /// The same without what is other at every run.
    fn hidden(&self, home: &Home, server: Option<&str>, stdout: &[u8]) -> Vec<u8> {
        let text = home.hidden_in(&text(stdout));
        let text = server.map_or(text.clone(), |url| text.replace(url, &self.server));
        text.into_bytes()
    }

    fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.join(name)).ok()
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

fn pair(line: &str) -> (String, String) {
    let (name, value) = line.split_once('=').unwrap();
    (name.to_owned(), value.to_owned())
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
