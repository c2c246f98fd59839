//! Hooks that decide, by the current files.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use hookbox::{
    Callback, CallbackHook, Condition, HookSpec, Target,
    agents::{self, ReadContext},
    model::{Answer, EventName},
};
use hookbox_app::{
    allowances::{self, Allowance},
    event_log::{self, HookName},
};
use hookbox_service::{AgentRequest, HookSource};

use super::bed::*;

fn count_calls(count: &Arc<AtomicUsize>) -> Callback {
    let count = Arc::clone(count);
    Callback::sync(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(Answer::default())
    })
}

#[test]
fn it_answers_by_the_users_file_in_the_agents_words() {
    let world = World::new();
    world.user_denies("no");
    let answered = world.ask_service(&world.service());
    assert_eq!(read_reason(&answered), "no: because");
    assert!(answered.response.written.stdout.contains(r#""permissionDecision":"deny""#));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let service = World::new().service();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ask = AgentRequest::new(agents::find_dialect("claude-code"), b"{".to_vec(), ReadContext::default());
    let answered = runtime.block_on(service.answer(ask));
    assert_eq!(answered.response.written.exit, 2);
    assert!(answered.request.is_none() && answered.outcome.is_none());
}

#[test]
fn a_changed_file_counts_without_a_restart() {
    let world = World::new();
    world.user_denies("before");
    let service = world.service();
    assert_eq!(read_reason(&world.ask_service(&service)), "before: because");
    world.user_denies("after");
    ask_until("after: because", || world.ask_service(&service));
    world.end_sessions();
    fs::remove_file(world.home().join(".config/hookbox/hooks.toml")).unwrap();
    ask_until("", || world.ask_service(&service));
}

#[test]
fn a_file_that_comes_later_counts() {
    let world = World::new();
    let service = world.service();
    assert_eq!(read_reason(&world.ask_service(&service)), "");
    world.user_denies("come");
    ask_until("come: because", || world.ask_service(&service));
}

#[test]
fn each_folder_has_the_hooks_of_its_own_project() {
    let world = World::new();
    world.write_file("project/.hookbox/hooks.toml", &format_denying_hook("here").replace("shell", "# shell"));
    let service = world.service();
    // A hook that calls nothing is a problem of the project's file, and no vote.
    assert_eq!(read_reason(&world.ask_service(&service)), "");
    assert_eq!(service.host(&world.project()).hooks().count(), 0);
    world.user_denies("everywhere");
    ask_until("everywhere: because", || world.ask_service(&service));
    let elsewhere = world.home().join("elsewhere/deep");
    fs::create_dir_all(&elsewhere).unwrap();
    assert_eq!(read_reason(&ask_in(&service, &elsewhere, "session")), "everywhere: because");
}

#[test]
fn a_broken_file_of_the_users_denies_what_can_be_denied() {
    let world = World::new();
    world.write_file(".config/hookbox/hooks.toml", "[[hook");
    let service = world.service();
    let reason = read_reason(&world.ask_service(&service));
    assert!(reason.starts_with("configuration: ") && reason.contains("hooks.toml"), "{reason}");
    let events = service.events(&world.project());
    assert!(
        events.contains(&EventName::ToolBefore) && !events.contains(&EventName::SessionEnd),
        "{events:?}"
    );
}

#[test]
fn it_tells_which_events_have_hooks() {
    let world = World::new();
    world.user_denies("no");
    let events = world.service().events(&world.project());
    assert_eq!(events.into_iter().collect::<Vec<_>>(), [EventName::ToolBefore]);
}

#[test]
fn hooks_of_the_program_come_and_go() {
    let world = World::new();
    let service = world.service();
    let count = Arc::new(AtomicUsize::new(0));
    let handle = service.add(CallbackHook::gate("counts", [EventName::ToolBefore]), count_calls(&count));
    world.ask_service(&service);
    world.ask_service(&service);
    assert!(service.remove(handle));
    assert!(!service.remove(handle));
    world.ask_service(&service);
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

#[test]
fn a_hook_of_the_program_that_panics_is_one_failure_of_one_hook() {
    let world = World::new();
    let service = world.service();
    let panics = Callback::sync(|_| panic!("out of order"));
    service.add(CallbackHook::gate("panics", [EventName::ToolBefore]), panics);
    let answered = world.ask_service(&service);
    assert!(read_reason(&answered).contains("panics: "), "{}", read_reason(&answered));
    assert!(answered.outcome.is_some());
}

#[test]
fn one_file_alone_is_all_that_counts() {
    let world = World::new();
    world.user_denies("users");
    let file = world.write_file("given.toml", &format_denying_hook("given"));
    assert_eq!(read_reason(&world.ask_service(&world.service_of(HookSource::File(file)))), "given: because");
    assert_eq!(read_reason(&world.ask_service(&world.service_of(HookSource::Nothing))), "");
}

#[test]
fn a_file_that_was_named_and_is_not_there_denies() {
    let world = World::new();
    let service = world.service_of(HookSource::File(world.home().join("missing.toml")));
    let reason = read_reason(&world.ask_service(&service));
    assert!(reason.starts_with("configuration: ") && reason.contains("missing.toml"), "{reason}");
}

#[test]
fn an_agents_own_file_decides_alone() {
    let world = World::new();
    world.user_denies("users");
    let settings =
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"exit 2"}]}]}}"#;
    let settings = world.write_file("settings.json", settings);
    let own = HookSource::Own(agents::find_dialect("claude-code").unwrap(), vec![settings]);
    assert!(!read_reason(&world.ask_service(&world.service_of(own))).contains("users"));
}

#[test]
fn a_hook_that_was_switched_off_stays_off_when_files_are_read_again() {
    let world = World::new();
    world.user_denies("no");
    let service = world.service();
    assert_eq!(service.set_hook_enabled(&world.project(), "no", false), 1);
    assert_eq!(read_reason(&world.ask_service(&service)), "");
    service.reload();
    assert_eq!(read_reason(&world.ask_service(&service)), "");
    service.set_hook_enabled(&world.project(), "no", true);
    assert_eq!(read_reason(&world.ask_service(&service)), "no: because");
}

#[test]
fn once_in_a_session_is_once_among_all_processes() {
    let world = World::new();
    let ran = world.home().join("ran");
    let hooks = format!(
        "[[hooks]]\nevent = \"PreToolUse\"\nonce = true\n[hooks.shell]\ncommand = \"echo ran >> {}\"\n",
        ran.display()
    );
    let own = HookSource::Own(
        agents::find_dialect("cocode").unwrap(),
        vec![world.write_file("hooks.toml", &hooks)],
    );
    // Each service represents a process.
    let (first, second) = (world.service_of(own.clone()), world.service_of(own));
    let ask = |service, session| ask_as("cocode", COCODE, (service, &world.project(), session));
    for service in [&first, &second, &first] {
        ask(service, "one");
    }
    assert_eq!(fs::read_to_string(&ran).unwrap(), "ran\n");
    ask(&second, "another");
    ask(&first, "another");
    assert_eq!(fs::read_to_string(&ran).unwrap(), "ran\nran\n");
}

#[test]
fn a_hook_that_fails_all_the_time_is_tripped_and_a_later_process_knows() {
    let world = World::new();
    world.write_file(
        ".config/hookbox/hooks.toml",
        "[[hook]]\nname = \"fails\"\non = \"tool.before\"\nshell = { argv = [\"false\"] }\n",
    );
    let service = world.service();
    for _ in 0..5 {
        assert!(read_reason(&world.ask_service(&service)).starts_with("fails: "));
    }
    let tripped = read_reason(&world.ask_service(&service));
    assert!(tripped.contains("tripped") || tripped.contains("in a row"), "{tripped}");
    let failures = fs::read_to_string(world.home().join(".local/state/hookbox/failures.json")).unwrap();
    assert!(failures.contains("in_a_row"), "{failures}");
}

#[test]
fn a_call_that_the_user_has_allowed_once_passes_once() {
    let world = World::new();
    world.user_denies("no");
    let service = world.service();
    let denied = world.ask_service(&service).request.unwrap();
    let project = world.project();
    allowances::add_allowance(
        &world.home().join(".local/state/hookbox/allowed.json"),
        Allowance {
            call: event_log::call_digest(&denied.event, project.to_str().unwrap()).unwrap(),
            hooks: vec![HookName { layer: "user".to_owned(), name: "no".to_owned() }],
            until: u64::MAX,
            once: true,
        },
    )
    .unwrap();
    let allowed = world.ask_service(&service);
    assert_eq!(read_reason(&allowed), "");
    assert!(allowed.response.written.stdout.contains("allowed once by the user"), "{:?}", allowed.response);
    assert_eq!(read_reason(&world.ask_service(&service)), "no: because");
}

#[test]
fn more_folders_than_are_kept_are_answered_all_the_same() {
    let world = World::new();
    world.user_denies("no");
    let service = world.service();
    for number in 0..100 {
        let folder = world.home().join(format!("projects/{number}"));
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(read_reason(&ask_in(&service, &folder, "session")), "no: because");
    }
}

#[test]
fn many_threads_are_answered_while_files_change() {
    let world = World::new();
    world.user_denies("a");
    let service = world.service();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let reason = read_reason(&world.ask_service(&service));
                    assert!(["a: because", "b: because"].contains(&reason.as_str()), "{reason}");
                }
            });
        }
        world.user_denies("b");
    });
    ask_until("b: because", || world.ask_service(&service));
}

#[test]
fn a_matcher_that_panics_is_answered_as_a_host_answers() {
    let world = World::new();
    let service = world.service();
    let mut spec = HookSpec::new("panics", Target::Callback).on([EventName::SessionEnd]);
    spec.condition = Some(Condition::new("*", |_| panic!("out of order")));
    service.add(CallbackHook::from(spec), Callback::sync(|_| Ok(Answer::default())));
    let event = r#"{"hook_event_name":"SessionEnd","session_id":"s","cwd":"/","reason":"clear"}"#;
    let (claude, arrival) = (agents::find_dialect("claude-code"), ReadContext::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let of_service =
        runtime.block_on(service.answer(AgentRequest::new(claude, event.into(), arrival.clone())));
    let host = service.host(&world.project());
    let of_host = runtime.block_on(host.answer(claude, event.into(), &arrival, None));
    assert!(of_host.written.stderr.contains("hookbox itself failed (a bug)"), "{of_host:?}");
    assert_eq!(of_service.response.written, of_host.written);
    assert_eq!(of_service.response.fallback_exit_code, of_host.fallback_exit_code);
    assert!(of_service.request.is_some() && of_service.outcome.is_none());
}
