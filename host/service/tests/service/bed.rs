//! A service with the files of a user who does not exist, and its requests.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use hookbox::{
    ShippedPlugins,
    agents::{self, ReadContext},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_service::{AgentRequest, Answered, HookSource, Service};
use tempfile::TempDir;

pub(crate) const CLAUDE_CODE: &str = r#"{"hook_event_name":"PreToolUse","session_id":"[SESSION]","cwd":"[FOLDER]","transcript_path":"",
    "tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;
pub(crate) const COCODE: &str = r#"{"event":"PreToolUse","session_id":"[SESSION]","cwd":"[FOLDER]","env":{},
    "tool_name":"Bash","tool_input":{"command":"ls"}}"#;

/// A home folder and a project in it.
pub(crate) struct World {
    folder: TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(world.project()).unwrap();
        world
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.home().join("project")
    }

    pub(crate) fn write_file(&self, file: &str, text: &str) -> PathBuf {
        self.end_sessions();
        let file = self.home().join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    /// Ends all sessions: between them, the user may change hookbox's own files.
    pub(crate) fn end_sessions(&self) {
        drop(fs::remove_dir_all(self.home().join(".local/state/hookbox/sessions")));
    }

    /// Writes a hook of the user that denies every tool call with this code.
    pub(crate) fn user_denies(&self, code: &str) {
        self.write_file(".config/hookbox/hooks.toml", &format_denying_hook(code));
    }

    pub(crate) fn service(&self) -> Service {
        self.service_of(HookSource::Layers(None))
    }

    pub(crate) fn service_of(&self, hooks: HookSource) -> Service {
        let places = Places::of_account(&NamedPlaces { home: Some(self.home()), ..NamedPlaces::default() });
        let surroundings = Surroundings {
            places,
            shipped: ShippedPlugins::default(),
            program: None,
            compiler: Compiler::None,
            variables: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
            session_folders: Vec::new(),
        };
        Service::builder(surroundings).hooks(hooks).build()
    }

    /// Sends a request about `ls` in the project.
    pub(crate) fn ask_service(&self, service: &Service) -> Answered {
        ask_in(service, &self.project(), "session")
    }
}

/// Sends a request about `ls` in this folder.
pub(crate) fn ask_in(service: &Service, folder: &Path, session: &str) -> Answered {
    ask_as("claude-code", CLAUDE_CODE, (service, folder, session))
}

pub(crate) fn ask_as(
    agent: &str,
    event: &str,
    (service, folder, session): (&Service, &Path, &str),
) -> Answered {
    let folder = folder.to_str().unwrap();
    let event = event.replace("[SESSION]", session).replace("[FOLDER]", folder);
    let arrival = ReadContext { id: "a".to_owned(), time: 1, cwd: folder.to_owned() };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(service.answer(AgentRequest::new(
        agents::find_dialect(agent),
        event.into_bytes(),
        arrival,
    )))
}

pub(crate) fn format_denying_hook(code: &str) -> String {
    format!(
        r#"
[[hook]]
name = "{code}"
on = "tool.before"
shell = {{ argv = ['echo', '{{"verdict":"deny","code":"{code}","reason":"because"}}'] }}
"#
    )
}

/// Returns the hooks that denied, with reasons.
pub(crate) fn read_reason(answered: &Answered) -> String {
    answered.response.reason.clone().unwrap_or_default()
}

/// Sends requests until this answer comes; files are checked at most ten times a second.
pub(crate) fn ask_until(wanted: &str, ask: impl Fn() -> Answered) {
    let begun = Instant::now();
    loop {
        let reason = read_reason(&ask());
        if reason == wanted {
            return;
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{reason:?}, and not {wanted:?}");
    }
}
