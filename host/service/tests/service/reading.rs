//! Blocking of other events while files are read.

use std::{
    fs,
    sync::Mutex,
    time::{Duration, SystemTime},
};

use futures_util::future::join;
use hookbox::{
    agents::{self, ReadContext},
    model::EventName,
};
use hookbox_service::{AgentRequest, Service};
use tokio::runtime::Builder;

use super::bed::*;

/// Returns a request about `ls` in this folder.
fn ask_about(folder: &std::path::Path) -> AgentRequest {
    let arrival = ReadContext { id: "a".to_owned(), time: 1, cwd: folder.display().to_string() };
    let event = CLAUDE_CODE.replace("[SESSION]", "s").replace("[FOLDER]", folder.to_str().unwrap());
    AgentRequest::new(agents::find_dialect("claude-code"), event.into_bytes(), arrival)
}

/// Makes the file old, so that it counts as completely written.
fn is_old(file: &std::path::Path) {
    let file = fs::File::options().write(true).open(file).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_mins(1)).unwrap();
}

#[test]
fn while_the_files_of_one_folder_are_read_another_one_is_answered_by_the_same_thread() {
    let world = World::new();
    world.user_denies("no");
    is_old(&world.home().join(".config/hookbox/hooks.toml"));
    let service = world.service();
    world.ask_service(&service);
    // It may be being written, so it is waited for.
    world.write_file("young/.hookbox/hooks.toml", "# no hooks");
    let (young, ended) = (world.home().join("young"), Mutex::new(Vec::new()));
    let answered = async |name, folder| {
        let answered = service.answer(ask_about(folder)).await;
        ended.lock().unwrap().push((name, read_reason(&answered)));
    };
    let project = world.project();
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(join(answered("young", &young), answered("known", &project)));
    let denied = || "no: because".to_owned();
    assert_eq!(ended.into_inner().unwrap(), [("known", denied()), ("young", denied())]);
}

#[test]
fn events_that_come_together_after_a_change_have_the_files_read_once() {
    let world = World::new();
    world.user_denies("before");
    let service = world.service();
    let before = service.host(&world.project()).generation();
    world.user_denies("after");
    service.reload();
    let runtime = Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    let ask = |service: Service| {
        let ask = ask_about(&world.project());
        runtime.spawn(async move { read_reason(&service.answer(ask).await) })
    };
    let all: Vec<_> = (0..20).map(|_| ask(service.clone())).collect();
    for one in all {
        assert_eq!(runtime.block_on(one).unwrap(), "after: because");
    }
    assert_eq!(service.host(&world.project()).generation(), before + 1);
}

#[test]
fn a_caller_that_stops_waiting_for_files_takes_them_from_no_other_caller() {
    let world = World::new();
    world.user_denies("no");
    let service = world.service();
    let (project, runtime) = (world.project(), Builder::new_current_thread().enable_all().build().unwrap());
    let first = service.answer(ask_about(&project));
    let result = runtime.block_on(async {
        let mut first = Box::pin(first);
        // It has begun to wait, and is dropped.
        assert!(futures_util::poll!(&mut first).is_pending());
        let second = service.answer(ask_about(&project));
        drop(first);
        read_reason(&second.await)
    });
    assert_eq!(result, "no: because");
    // A runtime that has ended does not affect others.
    drop(runtime);
    service.reload();
    assert_eq!(read_reason(&world.ask_service(&service)), "no: because");
    assert!(service.events(&project).contains(&EventName::ToolBefore));
}
