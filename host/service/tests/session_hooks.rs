//! Hooks that a running program adds for its session, after those of an agent's own files.
#![expect(clippy::disallowed_methods, reason = "a test starts mkfifo")]
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{fs, path::Path, process::Command};

use futures_util::future::join;
use hookbox::{
    ShippedPlugins,
    agents::{
        ReadContext,
        code_forge::{
            CodeForge,
            hooks_json::{Entry, Hook, HooksFile},
        },
    },
    model::Outcome,
    sandbox::compile::Compiler,
};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_embed::{code_forge_results::hook_results, session_hooks::session_hooks};
use hookbox_service::{AgentRequest, HookHandle, HookSource, Service};

fn build_file(event: &str, command: &str) -> HooksFile {
    let mut file = HooksFile::default();
    file.register(Hook::new(Entry::with_command(event, command)).unwrap());
    file
}

/// A service for Code-Forge with a user's and a project's file.
fn build_service(home: &Path) -> Service {
    let [user, project] = ["user", "project"].map(|name| {
        let path = home.join(format!("{name}.json"));
        fs::write(&path, build_file("tool:*", &format!("echo {name}")).text()).unwrap();
        path
    });
    let named = NamedPlaces { home: Some(home.to_owned()), ..NamedPlaces::default() };
    let surroundings = Surroundings {
        places: Places::of_account(&named),
        shipped: ShippedPlugins::default(),
        program: None,
        compiler: Compiler::None,
        variables: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        session_folders: Vec::new(),
    };
    Service::builder(surroundings).hooks(HookSource::Own(&CodeForge, vec![user, project])).build()
}

fn register_hooks(service: &Service, session: &HooksFile) -> HookHandle {
    service.add_hooks(session_hooks(&CodeForge, &session.text()).unwrap().hooks)
}

const BASH: &str = r#"{"type":"tool:pre_execute","timestamp":1,"session_id":"s","tool_name":"bash","data":{"tool_args":{}}}"#;

fn build_request(event: &str, home: &Path) -> AgentRequest {
    let arrival = ReadContext { cwd: home.display().to_string(), ..ReadContext::default() };
    AgentRequest::new(Some(&CodeForge), event.as_bytes().to_vec(), arrival)
}

fn run_on_one_thread<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Returns the output of each hook.
fn join_output(outcome: &Outcome) -> String {
    let printed: Vec<_> = hook_results(outcome).into_iter().map(|result| result.stdout).collect();
    printed.join(" ")
}

/// Returns the output of each hook before a call of `bash`, and the exit code for Code-Forge.
fn ask_service(service: &Service, home: &Path) -> (String, u8) {
    let answered = run_on_one_thread(service.answer(build_request(BASH, home)));
    (join_output(&answered.outcome.unwrap()), answered.response.written.exit)
}

#[test]
fn a_sessions_hooks_run_behind_those_of_the_files_until_they_are_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let service = build_service(&home);
    assert_eq!(ask_service(&service, &home), ("user project".to_owned(), 0));
    let session = register_hooks(&service, &build_file("tool:pre_execute:bash", "echo session; exit 1"));
    assert_eq!(ask_service(&service, &home), ("user project session".to_owned(), 2));
    let other = register_hooks(&service, &build_file("session:start", "exit 1"));
    assert!(service.remove(session));
    assert!(!service.remove(session));
    assert_eq!(ask_service(&service, &home), ("user project".to_owned(), 0));
    assert!(service.remove(other));
}

/// Each of the two session hooks waits at a pipe for the other one, so a hook that blocked the thread would end at its timeout.
#[test]
fn a_running_hook_of_the_session_does_not_block_the_thread() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().canonicalize().unwrap();
    let (service, pipe) = (build_service(&home), home.join("pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut session = HooksFile::default();
    for (event, command) in [
        ("tool:pre_execute:bash", format!("read -r word < '{}'; echo \"$word\"", pipe.display())),
        ("session:start", format!("echo go > '{}'; echo sent", pipe.display())),
    ] {
        let entry = Entry { timeout: Some(60.0), ..Entry::with_command(event, &command) };
        session.register(Hook::new(entry).unwrap());
    }
    register_hooks(&service, &session);
    let start = r#"{"type":"session:start","timestamp":1,"session_id":"s","data":{}}"#;
    let (bash, start) = run_on_one_thread(join(
        service.answer(build_request(BASH, &home)),
        service.answer(build_request(start, &home)),
    ));
    let printed = [bash, start].map(|answered| join_output(&answered.outcome.unwrap()));
    assert_eq!(printed, ["user project go", "sent"]);
}
