//! Answers that are begun on a thread that others wait for.
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like a test")]

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use futures_util::FutureExt as _;
use hookbox::{
    Callback, CallbackHook, ShippedPlugins,
    agents::{self, ReadContext},
    interfaces::{Call, CallFuture, Handler},
    model::{Answer, EventName, HandlerKind},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_service::{AgentRequest, Answered, Service};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A service for a user without files, and a runtime that does not own this thread.
struct Bed {
    home: TempDir,
    service: Service,
    runtime: Runtime,
}

type Answering<'a> = Pin<Box<dyn Future<Output = Answered> + 'a>>;

impl Bed {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let named = NamedPlaces { home: Some(home.path().to_owned()), ..NamedPlaces::default() };
        let surroundings = Surroundings {
            places: Places::of_account(&named),
            shipped: ShippedPlugins::default(),
            program: None,
            compiler: Compiler::None,
            variables: Vec::new(),
            session_folders: Vec::new(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { home, service: Service::builder(surroundings).build(), runtime }
    }

    fn with(callback: Callback) -> Self {
        let bed = Self::new();
        bed.service.add(CallbackHook::gate("guard", [EventName::ModelRequest]), callback);
        bed
    }

    /// Begins the answer to a request of a proxy with a text of this length.
    fn begin_answer(&self, length: usize) -> Answering<'_> {
        let text = "a".repeat(length);
        let event = format!(
            r#"{{"litellm_hook":"async_pre_call_hook","call_type":"c","data":{{"model":"{text}"}}}}"#
        );
        let cwd = self.home.path().to_str().unwrap().to_owned();
        let arrival = ReadContext { id: "a".to_owned(), time: 1, cwd };
        let ask = AgentRequest::new(agents::find_dialect("litellm"), event.into_bytes(), arrival);
        Box::pin(self.service.answer(ask.stepping_aside()))
    }

    fn first_poll(&self, answering: &mut Answering<'_>) -> Option<Answered> {
        let _entered = self.runtime.enter();
        answering.now_or_never()
    }

    /// Returns the result of the first poll once files are read.
    fn at_once(&self, length: usize) -> Option<Answered> {
        self.service.events(self.home.path());
        self.first_poll(&mut self.begin_answer(length))
    }
}

/// A handler that answers immediately, and states so.
struct Brief(Answer);

impl Handler for Brief {
    fn kind(&self) -> HandlerKind {
        HandlerKind::Callback
    }

    fn is_brief(&self) -> bool {
        true
    }

    fn call<'a>(&'a self, _: Call<'a>) -> CallFuture<'a> {
        Box::pin(async { Ok(self.0.clone()).into() })
    }
}

#[test]
fn no_file_is_read_before_the_second_poll() {
    let bed = Bed::new();
    let mut answering = bed.begin_answer(1);
    assert!(bed.first_poll(&mut answering).is_none());
    let answered = bed.runtime.block_on(answering);
    assert_eq!(answered.response.written.stdout, "{}\n");
}

#[test]
fn brief_hooks_and_none_at_all_are_over_in_the_first_poll_once_files_are_read() {
    assert!(Bed::new().at_once(1).is_some());
    let answered = Bed::with(Callback::handler(Brief(Answer::default()))).at_once(1).unwrap();
    assert_eq!(answered.outcome.unwrap().reports.len(), 1);
}

#[test]
fn a_hook_that_may_take_long_is_not_called_before_the_second_poll() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let bed = Bed::with(Callback::sync(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(Answer::deny("no", "because"))
    }));
    bed.service.events(bed.home.path());
    let mut answering = bed.begin_answer(1);
    assert!(bed.first_poll(&mut answering).is_none());
    assert_eq!(count.load(Ordering::Relaxed), 0);
    assert_eq!(bed.runtime.block_on(answering).response.written.exit, 2);
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[test]
fn many_brief_hooks_take_long() {
    let bed = Bed::new();
    for number in 0..5 {
        let hook = CallbackHook::gate(&format!("guard-{number}"), [EventName::ModelRequest]);
        bed.service.add(hook, Callback::handler(Brief(Answer::default())));
    }
    assert!(bed.at_once(1).is_none());
}

#[test]
fn a_large_event_is_not_read_before_the_second_poll() {
    let bed = Bed::new();
    assert!(bed.at_once(100 << 10).is_some());
    assert!(bed.at_once(200 << 10).is_none());
}

#[test]
fn answers_are_not_logged_before_the_second_poll() {
    let bed = Bed::with(Callback::handler(Brief(Answer::deny("no", "because"))));
    bed.service.events(bed.home.path());
    let mut answering = bed.begin_answer(1);
    let log = bed.home.path().join(".local/state/hookbox/log.jsonl");
    assert!(bed.first_poll(&mut answering).is_none());
    assert!(!log.exists());
    assert_eq!(bed.runtime.block_on(answering).response.written.exit, 2);
    assert!(log.exists());
}

#[test]
fn a_call_of_a_tool_is_over_in_the_first_poll_unless_files_have_to_be_looked_at() {
    let bed = Bed::new();
    bed.service.add(
        CallbackHook::gate("guard", [EventName::ToolBefore]),
        Callback::handler(Brief(Answer::default())),
    );
    let begin = |call: &str| -> Answering<'_> {
        let event = format!(r#"{{"hook_event_name":"PreToolUse","session_id":"s",{call}}}"#);
        let cwd = bed.home.path().to_str().unwrap().to_owned();
        let arrival = ReadContext { id: "a".to_owned(), time: 1, cwd };
        let ask = AgentRequest::new(agents::find_dialect("claude-code"), event.into_bytes(), arrival);
        Box::pin(bed.service.answer(ask.stepping_aside()))
    };
    let poll_once = |call: &str| bed.first_poll(&mut begin(call));
    bed.service.events(bed.home.path());
    let read = r#""tool_name":"Read","tool_input":{"file_path":"/a"}"#;
    // The first event of a session writes down the state of hookbox's files.
    assert!(poll_once(read).is_none());
    bed.runtime.block_on(begin(read));
    bed.service.events(bed.home.path());
    assert!(poll_once(read).is_some());
    // Where it leads what would be written.
    assert!(poll_once(r#""tool_name":"Write","tool_input":{"file_path":"/a","content":""}"#).is_none());
    // The user's allowances.
    let state = bed.home.path().join(".local/state/hookbox");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("allowed.json"), "[]").unwrap();
    bed.service.reload();
    bed.service.events(bed.home.path());
    assert!(poll_once(read).is_none());
}

#[test]
fn who_waits_for_the_answer_itself_gets_it_as_anybody_does() {
    let bed = Bed::with(Callback::sync(|_| Ok(Answer::deny("no", "because"))));
    assert_eq!(bed.runtime.block_on(bed.begin_answer(1)).response.written.exit, 2);
}
