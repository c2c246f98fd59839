//! Runs the command on a case.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::{
    case::{Case, manifest_folder},
    home::Home,
    long_ago::settle_file,
    server::{Request, Server},
};

/// What happened, hook by hook, in the home folder.
const REPORT: &str = "report.jsonl";

/// What a run came to.
pub(crate) struct Seen {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What hooks did elsewhere that the case says otherwise.
    pub(crate) wrong: Vec<String>,
}

impl Case {
    /// Runs the case's hooks on its event.
    pub(crate) fn run(&self) -> Seen {
        let home = self.home();
        let server = self.read_text("response.http").map(|response| Server::start_with_response(&response));
        let url = server.as_ref().map(Server::url);
        let output = self.run_agent(&home, url.as_deref());
        let mut wrong = home.list_differences(&self.folder);
        wrong.extend(self.wrong_calls(&home));
        wrong.extend(server.and_then(|server| self.wrong_requests(&home, server)));
        Seen {
            exit: output.status.code().unwrap(),
            stdout: self.mask_paths(&home, url.as_deref(), output.stdout),
            stderr: String::from_utf8(output.stderr).unwrap(),
            wrong,
        }
    }

    /// The home folder that it runs in.
    pub(crate) fn home(&self) -> Home {
        Home::create_for(&self.folder)
    }

    /// The agent's own hook file; none if it asks the case's server, which is there for one run.
    pub(crate) fn own_file(&self, home: &Home) -> Option<PathBuf> {
        let serverless = self.read_text("response.http").is_none();
        self.file.source.as_ref().filter(|_| serverless).map(|file| self.hook_file(file, home, None))
    }

    fn run_agent(&self, home: &Home, server: Option<&str>) -> Output {
        let mut words = vec!["run".to_owned(), "--agent".to_owned(), self.dialect.clone()];
        match &self.file.source {
            Some(file) => {
                let file = self.hook_file(file, home, server);
                words.extend(["--source".to_owned(), file.to_str().unwrap().to_owned()]);
            }
            None if self.is_emptied => {}
            None => write_hooks(&self.folder.join("hooks.toml"), home.path()),
        }
        if self.file.called.is_some() {
            words.extend(["--report".to_owned(), home.path().join(REPORT).to_str().unwrap().to_owned()]);
        }
        self.run_hookbox(&words, home)
    }

    /// The command in this home, with the event on its standard input.
    pub(crate) fn run_hookbox(&self, words: &[String], home: &Home) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hookbox"));
        let places = ["--home", home.path().to_str().unwrap(), "--cache-home", env!("CARGO_TARGET_TMPDIR")];
        let is_run = words.first().is_some_and(|word| word == "run");
        command
            .args(words)
            .args(places.iter().filter(|_| is_run))
            .env_clear()
            .env("CASE", &self.folder)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("HOME", home.path())
            .env("PATH", home.programs())
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.envs(self.variables().map(|(name, value)| (name, home.named_in(value))));
        command.current_dir(home.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let event = home.named_in(&self.read_text("event.json").unwrap());
        // `import` does not read it.
        drop(child.stdin.take().unwrap().write_all(event.as_bytes()));
        child.wait_with_output().unwrap()
    }

    /// The hook file where it is: in the case, or in the home folder if it stands in `home/` or asks the case's server.
    fn hook_file(&self, file: &str, home: &Home, server: Option<&str>) -> PathBuf {
        let in_home = home.path().join(file.strip_prefix("home/").unwrap_or(file));
        if self.is_emptied {
            fs::create_dir_all(in_home.parent().unwrap()).unwrap();
            fs::write(&in_home, without_hooks(file)).unwrap();
            settle_file(&in_home);
            return in_home;
        }
        if let Some(url) = server {
            let (text, address) = (self.read_text(file).unwrap(), &self.file.server);
            assert!(text.contains(address), "{file} does not ask {address}");
            fs::write(&in_home, text.replace(address, url)).unwrap();
            settle_file(&in_home);
        }
        if in_home.is_file() { in_home } else { self.folder.join(file) }
    }

    /// How what the server saw differs from one request, as in `request.http` if the case says; from none if that is empty.
    fn wrong_requests(&self, home: &Home, server: Server) -> Option<String> {
        let requests = server.stop();
        let wanted = self.read_text("request.http").map(|wanted| home.named_in(&wanted));
        let right = match (wanted.as_deref(), requests.as_slice()) {
            (Some(""), []) | (None, [_]) => true,
            (Some(wanted), [request]) => request.matches_request(wanted),
            _ => false,
        };
        let seen: Vec<_> = requests.iter().map(Request::text).collect();
        (!right).then(|| format!("requests {wanted:?}, was {seen:?}"))
    }

    /// How the hooks that were called differ from those that must have been, if the case says which.
    fn wrong_calls(&self, home: &Home) -> Option<String> {
        let wanted = self.file.called.as_ref()?;
        let report = fs::read_to_string(home.path().join(REPORT)).unwrap_or_default();
        let report: Value = serde_json::from_str(&report).unwrap_or_default();
        let hooks = report.get("hooks").and_then(Value::as_array).into_iter().flatten();
        let text = |hook: &Value, key: &str| Some(hook.get(key)?.as_str()?.to_owned());
        let called = hooks.filter(|hook| text(hook, "status").as_deref() != Some("skipped"));
        let called = called.filter_map(|hook| text(hook, "hook"));
        let called: Vec<_> = called.collect();
        (called != *wanted).then(|| format!("called {called:?}, not {wanted:?}"))
    }

    /// The same without what is other at every run.
    fn mask_paths(&self, home: &Home, server: Option<&str>, stdout: Vec<u8>) -> String {
        let text = home.hidden_in(&String::from_utf8(stdout).unwrap());
        server.map_or(text.clone(), |url| text.replace(url, &self.file.server))
    }
}

/// A hook file of this name without hooks.
fn without_hooks(file: &str) -> &'static str {
    match Path::new(file).extension().and_then(|extension| extension.to_str()) {
        Some("toml") => "",
        Some("yaml") => "hooks: {}\n",
        _ => "{}",
    }
}

/// The user's own configuration, if the case has one.
fn write_hooks(hooks: &Path, home: &Path) {
    if let Ok(text) = fs::read_to_string(hooks) {
        let folder = home.join(".config/hookbox");
        fs::create_dir_all(&folder).unwrap();
        let plugins = manifest_folder().join("target/plugins");
        let file = folder.join("hooks.toml");
        fs::write(&file, text.replace("[PLUGINS]", plugins.to_str().unwrap())).unwrap();
        settle_file(&file);
    }
}
