//! A panic of a handler as a failure, and where it came from.
//!
//! Only a panic hook, which is the whole program's, is called where the panic is; who catches it is too late. So the library
//! installs none unless the program asks for it, and then in front of the one that is there.

use std::{
    any::Any,
    backtrace::Backtrace,
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, PanicHookInfo},
    pin::Pin,
    sync::Once,
    task::{Context, Poll},
};

use futures_util::FutureExt;
use hookbox_model::{Failure, FailureCode, Limit, Limits, LogLevel, LogLine};

use crate::port::Reply;

thread_local! {
    /// Is a handler being called on this thread?
    static CALLING: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic of a handler on this thread was.
    static TRACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on a handler that panics has the place and a backtrace in its log ([`HookReport::log`](crate::model::HookReport::log)).
///
/// This sets the panic hook of the whole program (once, however often it is called). The one that was there is called as
/// before, for each panic; one that is set later takes this one's place.
pub fn keep_panic_backtraces() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if CALLING.get() {
                TRACE.set(Some(trace(panic)));
            }
            before(panic);
        }));
    });
}

fn trace(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map(|place| format!("panicked at {place}\n")).unwrap_or_default();
    format!("{place}{}", Backtrace::force_capture())
}

/// What the work comes to; a panic in it is a failure.
pub(super) async fn caught(limits: &Limits, work: impl Future<Output = Reply>) -> Reply {
    match AssertUnwindSafe(Calling(Box::pin(work))).catch_unwind().await {
        Ok(reply) => reply,
        // On the thread that has panicked, and before anything else runs there.
        Err(panic) => {
            let log = TRACE.take().map(|trace| lines(&trace, limits)).unwrap_or_default();
            Reply { log, ..failure(panic.as_ref()).into() }
        }
    }
}

fn failure(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    Failure::new(FailureCode::Panic, &format!("the handler panicked: {}", text.unwrap_or("no message")))
}

/// As much of the trace as the hook may log.
fn lines(trace: &str, limits: &Limits) -> Vec<LogLine> {
    let (most_lines, mut bytes) = (limits.size(Limit::LogLines), limits.size(Limit::LogBytes));
    let lines =
        trace.lines().map(|line| LogLine::new(LogLevel::Error, line)).take(most_lines).take_while(|line| {
            let fits = line.message.len() <= bytes;
            bytes = bytes.saturating_sub(line.message.len());
            fits
        });
    lines.collect()
}

/// Work whose panics are a handler's.
struct Calling<F>(Pin<Box<F>>);

impl<F: Future> Future for Calling<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let _calling = Flag(CALLING.replace(true));
        self.0.as_mut().poll(context)
    }
}

/// Puts back what was there: a handler may itself run a chain.
struct Flag(bool);

impl Drop for Flag {
    fn drop(&mut self) {
        CALLING.set(self.0);
    }
}
