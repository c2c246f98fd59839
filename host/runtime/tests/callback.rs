//! Closures as handlers.

use std::{
    error::Error,
    fmt,
    num::ParseIntError,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::handlers::{Bed, block_on, format_reply};
use hookbox::{
    interfaces::{Callback, Handler},
    model::{Answer, HandlerKind},
};

fn deny_with(text: &str) -> Answer {
    Answer::deny("no", text)
}

#[test]
fn a_sync_closure_sees_the_call_and_answers() {
    let callback =
        Callback::sync(|call| Ok(deny_with(&format!("{} by {}", call.event.name.as_str(), call.hook))));
    assert_eq!(callback.kind(), HandlerKind::Callback);
    assert_eq!(format_reply(&Bed::new().call_handler(&callback)), "deny [no] tool.before by the-hook");
}

#[test]
fn an_asynchronous_closure_owns_its_call_and_may_wait() {
    let callback = Callback::asynchronous(|call| async move {
        tokio::task::yield_now().await;
        Ok(deny_with(&call.event.tool.ok_or("no tool")?.name))
    });
    assert_eq!(format_reply(&Bed::new().call_handler(&callback)), "deny [no] Bash");
}

/// An error with a cause.
#[derive(Debug)]
struct NoPort(ParseIntError);

impl fmt::Display for NoPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no port")
    }
}

impl Error for NoPort {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

#[test]
fn an_error_is_a_failed_hook_and_its_text_is_cleaned() {
    let sync = Callback::sync(|_| Err("out\u{1b}[31m of order".into()));
    assert_eq!(format_reply(&Bed::new().call_handler(&sync)), "hook-error: out[31m of order");
    let asynchronous = Callback::asynchronous(|_| async { Err("out of order".into()) });
    assert_eq!(format_reply(&Bed::new().call_handler(&asynchronous)), "hook-error: out of order");
    let nested = Callback::sync(|_| Err(NoPort("x".parse::<u16>().unwrap_err()).into()));
    assert_eq!(
        format_reply(&Bed::new().call_handler(&nested)),
        "hook-error: no port: invalid digit found in string"
    );
}

#[test]
fn a_closure_runs_when_its_future_is_polled_and_not_before() {
    let count = Arc::new(AtomicUsize::new(0));
    let (at_once, later) = (Arc::clone(&count), Arc::clone(&count));
    let sync = Callback::sync(move |_| {
        at_once.fetch_add(1, Ordering::Relaxed);
        Ok(Answer::default())
    });
    let asynchronous = Callback::asynchronous(move |_| {
        later.fetch_add(1, Ordering::Relaxed);
        async { Ok(Answer::default()) }
    });
    let bed = Bed::new();
    drop((sync.call(bed.call()), asynchronous.call(bed.call())));
    assert_eq!(count.load(Ordering::Relaxed), 0);
    block_on(async { (sync.call(bed.call()).await, asynchronous.call(bed.call()).await) });
    assert_eq!(count.load(Ordering::Relaxed), 2);
}

#[test]
fn a_panic_comes_out_of_the_future_where_the_chain_catches_it() {
    let callback = Callback::sync(|_| panic!("boom"));
    let bed = Bed::new();
    let future = callback.call(bed.call());
    assert!(catch_unwind(AssertUnwindSafe(|| block_on(future))).is_err());
}

#[test]
fn dropping_the_future_drops_what_the_closure_holds() {
    let held = Arc::new(());
    let in_closure = Arc::clone(&held);
    let callback = Callback::asynchronous(move |_| {
        let held = Arc::clone(&in_closure);
        async move {
            std::future::pending::<()>().await;
            drop(held);
            Ok(Answer::default())
        }
    });
    let bed = Bed::new();
    block_on(async {
        let mut future = callback.call(bed.call());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
        assert_eq!(Arc::strong_count(&held), 3);
        drop(future);
        assert_eq!(Arc::strong_count(&held), 2);
    });
}
