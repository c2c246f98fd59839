//! One process that answers for several users and sessions, as a service would.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{fs, path::Path, time::SystemTime};

use hookbox::{
    Host, Request, ShippedPlugins,
    agents::{self, ReadContext},
    model::{Outcome, Status},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    FolderHooks, HookFiles, Surroundings,
    places::{NamedPlaces, Places},
};

/// Returns the surroundings for the user of this home.
fn make_surroundings(home: &Path, variables: &[(&str, &str)]) -> Surroundings {
    let named = NamedPlaces { home: Some(home.to_owned()), ..NamedPlaces::default() };
    Surroundings {
        places: Places::of_account(&named),
        shipped: ShippedPlugins::default(),
        program: None,
        compiler: Compiler::None,
        variables: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        session_folders: Vec::new(),
    }
}

fn write_file(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
    // A younger file is read twice.
    fs::File::options().write(true).open(file).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
}

fn read_request(agent: &str, event: &str) -> Request {
    let read =
        Request::parse_input(agents::find_dialect(agent), event.as_bytes().to_vec(), &ReadContext::default());
    read.map_err(|invalid| invalid.message).unwrap()
}

fn run_chain(host: &Host, request: &Request) -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(host.plan(&request.event).run())
}

/// Returns how each hook of a native event in the user's home ended.
fn run_event(home: &Path, variables: &[(&str, &str)]) -> Vec<String> {
    let event = format!(
        r#"{{"event":"tool.before","session":"s","cwd":"{}","tool":{{"name":"t","class":"other","input":{{}}}}}}"#,
        home.join("project").display()
    );
    let request = read_request("native", &event);
    let files = HookFiles::Layers { folder: Path::new(&request.event.cwd), session: None };
    let folder_hooks =
        FolderHooks::read_files(make_surroundings(home, variables), files).in_session(&request.event);
    assert_eq!(folder_hooks.loaded.problems.len(), 0, "{:?}", folder_hooks.loaded.problems);
    let host = folder_hooks.build_host(folder_hooks.hooks_for(&request.event.name));
    let outcome = run_chain(&host, &request);
    folder_hooks.keep_counts(&request.event, host.machine().counts()).unwrap();
    let end = |status: &Status| match status {
        Status::Failed(failure) => failure.code.as_str().to_owned(),
        Status::Answered(answer) => answer.verdict.reason().map_or("", |reason| reason.text()).to_owned(),
        Status::Skipped => "skipped".to_owned(),
    };
    outcome.reports.iter().map(|report| format!("{}: {}", report.hook, end(&report.status))).collect()
}

#[test]
fn each_user_has_hooks_counts_and_variables_of_their_own() {
    let (ada, bob) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let fails = "[[hook]]\nname = \"fails\"\non = \"tool.before\"\nshell = { command = \"exit 3\" }\n";
    write_file(&ada.path().join(".config/hookbox/hooks.toml"), fails);
    let denies = r#"
[[hook]]
name = "denies"
on = "tool.before"
shell = { command = "echo \"{\\\"verdict\\\":\\\"deny\\\",\\\"reason\\\":\\\"$WHO\\\"}\"", env = ["WHO"] }
"#;
    write_file(&bob.path().join(".config/hookbox/hooks.toml"), denies);
    for _ in 0..5 {
        assert_eq!(run_event(ada.path(), &[("WHO", "ada")]), ["fails: exit"]);
        assert_eq!(run_event(bob.path(), &[("WHO", "bob")]), ["denies: bob"]);
    }
    assert_eq!(run_event(ada.path(), &[]), ["fails: tripped"]);
    assert_eq!(run_event(bob.path(), &[("WHO", "rob")]), ["denies: rob"]);
    let counts = |home: &Path| home.join(".local/state/hookbox/failures.json");
    assert!(counts(ada.path()).exists());
    assert!(!counts(bob.path()).exists());
}

#[test]
fn a_call_in_one_session_is_not_kept_for_another_on_the_same_machine() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("hooks.toml");
    let hook = "[[hooks]]\nevent = \"SessionStart\"\nonce = true\nname = \"greet\"\n[hooks.shell]\ncommand = 'true'\n";
    write_file(&file, hook);
    let files = [file];
    let files = HookFiles::Own { dialect: agents::find_dialect("cocode").unwrap(), files: &files };
    let asked = |session: &str| {
        let event = format!(r#"{{"event":"SessionStart","session_id":"{session}","cwd":"/","env":{{}}}}"#);
        let request = read_request("cocode", &event);
        (
            FolderHooks::read_files(make_surroundings(home.path(), &[]), files).in_session(&request.event),
            request,
        )
    };
    let chosen = |folder_hooks: &FolderHooks, request: &Request| {
        let host = folder_hooks.build_host(folder_hooks.hooks_for(&request.event.name));
        host.plan(&request.event).hooks().count()
    };
    let ((one, in_one), (two, in_two)) = (asked("one"), asked("two"));
    let machine = one.machine().build();
    assert_eq!(run_chain(&machine.create_host(one.hooks()), &in_one).reports.len(), 1);
    two.keep_counts(&in_two.event, machine.counts()).unwrap();
    let (two, _) = asked("two");
    assert_eq!(chosen(&two, &in_two), 1);
    one.keep_counts(&in_one.event, machine.counts()).unwrap();
    let ((one, _), (two, _)) = (asked("one"), asked("two"));
    assert_eq!((chosen(&one, &in_one), chosen(&two, &in_two)), (0, 1));
}
