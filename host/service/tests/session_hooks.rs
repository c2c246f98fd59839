//! Hooks that a running program adds for its session, after those of an agent's own files.
#![expect(clippy::unwrap_used, reason = "a helper of a test that cannot go on fails the test")]

use std::{fs, path::Path};

use hookbox::{
    ShippedPlugins,
    dialect::{
        ReadContext,
        code_forge::{
            CodeForge,
            hooks_file::{Entry, Hook, HooksFile},
        },
    },
    sandbox::compile::Compiler,
};
use hookbox_embed::{code_forge_results::hook_results, session_hooks::session_hooks};
use hookbox_files::{
    Surroundings,
    places::{NamedPlaces, Places},
};
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

/// Returns the output of each hook before a call of `bash`, and the exit code for Code-Forge.
fn ask_service(service: &Service, home: &Path) -> (String, u8) {
    let arrival = ReadContext { cwd: home.display().to_string(), ..ReadContext::default() };
    let event = r#"{"type":"tool:pre_execute","timestamp":1,"session_id":"s","tool_name":"bash","data":{"tool_args":{}}}"#;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = AgentRequest::new(Some(&CodeForge), event.as_bytes().to_vec(), arrival);
    let answered = runtime.block_on(service.answer(ask));
    let results = hook_results(&answered.outcome.unwrap());
    let printed: Vec<_> = results.into_iter().map(|result| result.stdout).collect();
    (printed.join(" "), answered.response.written.exit)
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
