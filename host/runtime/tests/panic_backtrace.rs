//! Place of a handler's panic.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on fails")]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use hookbox::{
    Callback, CallbackHook, Host, keep_panic_backtraces,
    model::{Answer, Event, EventName, LogLevel, LogLine, Status},
};

fn at_the_disco() -> Answer {
    panic!("at the disco")
}

/// Returns the log of the hook `panics` for an event, and its failure.
fn dispatch_callback(callback: Callback) -> (Vec<LogLine>, String) {
    let host =
        Host::builder().callback(CallbackHook::gate("panics", [EventName::ToolBefore]), callback).build();
    let event = Event {
        id: "e".into(),
        agent_event: "tool.before".into(),
        session: "s".into(),
        cwd: "/".into(),
        ..Event::new(EventName::ToolBefore, "native")
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut report = runtime.block_on(host.dispatch(event)).reports.swap_remove(0);
    let Status::Failed(failure) = &report.status else { panic!("{report:?}") };
    (std::mem::take(&mut report.log), failure.to_string())
}

/// A single test: the panic hook is global to the process.
#[test]
fn a_program_that_asks_for_it_finds_place_and_backtrace_of_a_panic_in_the_hooks_log() {
    let before = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&before);
    std::panic::set_hook(Box::new(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    }));
    let calls: [fn() -> Callback; 2] = [
        || Callback::sync(|_| Ok(at_the_disco())),
        || {
            Callback::asynchronous(|_| async {
                tokio::task::yield_now().await;
                Ok(at_the_disco())
            })
        },
    ];
    // Not requested: the library leaves the program's hook unchanged.
    let (log, failure) = dispatch_callback(calls[0]());
    assert_eq!((log, failure.as_str()), (Vec::new(), "panic: the handler panicked: at the disco"));
    keep_panic_backtraces();
    keep_panic_backtraces();
    for call in calls {
        let (log, failure) = dispatch_callback(call());
        assert_eq!(failure, "panic: the handler panicked: at the disco");
        assert!(log[0].message.starts_with("panicked at host/runtime/tests/panic_backtrace.rs:"), "{log:?}");
        assert!(log.iter().any(|line| line.message.contains("at_the_disco")), "{log:?}");
        assert!(log.len() <= 100 && log.iter().all(|line| line.level == LogLevel::Error), "{log:?}");
    }
    // The previous hook is called for each panic, once; a panic outside a handler is in no log.
    assert!(std::panic::catch_unwind(at_the_disco).is_err());
    assert_eq!(before.load(Ordering::Relaxed), 4);
    let (log, _) = dispatch_callback(Callback::sync(|_| Err("no panic".into())));
    assert_eq!(log, Vec::new());
}
