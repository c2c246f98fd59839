//! Turns a handler's panic into a failure, with the place where it happened.
//!
//! Only a panic hook, which is global to the program, runs at the place of the panic; at `catch_unwind` the place is
//! lost. So the library installs a panic hook only if the program requests it, and then in front of the existing one.

use std::{
    any::Any,
    backtrace::Backtrace,
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind},
    pin::Pin,
    sync::Once,
    task::{Context, Poll},
};

use futures_util::FutureExt;
use hookbox_model::{Failure, FailureCode, Limit, Limits, LogLevel, LogLine};

use crate::interfaces::Reply;

thread_local! {
    /// True while a handler is being called on this thread.
    static CALLING: Cell<bool> = const { Cell::new(false) };
    /// Place of the last handler's panic on this thread.
    static TRACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Puts the place and a backtrace of a handler's later panics into its log
/// ([`HookReport::log`](crate::model::HookReport::log)).
///
/// This sets the panic hook of the whole program (once, however often this function is called). The previous panic hook
/// is still called for each panic; one that is set later replaces this one.
pub fn keep_panic_backtraces() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if CALLING.get() {
                TRACE.set(Some(capture_trace(panic)));
            }
            before(panic);
        }));
    });
}

fn capture_trace(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map(|place| format!("panicked at {place}\n")).unwrap_or_default();
    format!("{place}{}", Backtrace::force_capture())
}

/// Returns the reply of the work; a panic in it becomes a failure.
pub(super) async fn reply_or_failure(limits: &Limits, work: impl Future<Output = Reply>) -> Reply {
    match catch_panic(work).await {
        Ok(reply) => reply,
        Err(Panicked { message, trace }) => {
            let log = trace.map(|trace| truncate_trace(&trace, limits)).unwrap_or_default();
            let message = format!("the handler panicked: {message}");
            Reply { log, ..Failure::new(FailureCode::Panic, &message).into() }
        }
    }
}

/// Work that panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// Message of the panic.
    pub message: String,
    /// Place and backtrace; only after [`keep_panic_backtraces`].
    pub trace: Option<String>,
}

impl Panicked {
    /// Creates the record of a panic. Must run on the thread that has panicked, before other code runs there.
    fn new(panic: &(dyn Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Self { message: text.unwrap_or("no message").to_owned(), trace: TRACE.take() }
    }
}

/// Catches panics of foreign work, for a program that calls closures outside the chain.
pub async fn catch_panic<T>(work: impl Future<Output = T>) -> Result<T, Panicked> {
    // After a panic the work is dropped and never polled again, so a broken invariant in it is not observed.
    let caught = AssertUnwindSafe(Calling(Box::pin(work))).catch_unwind().await;
    caught.map_err(|panic| Panicked::new(panic.as_ref()))
}

/// Catches panics of foreign work that blocks its thread.
pub fn caught_here<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    let _calling = Flag(CALLING.replace(true));
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Panicked::new(panic.as_ref()))
}

/// Returns as many lines of the trace as the hook may log.
fn truncate_trace(trace: &str, limits: &Limits) -> Vec<LogLine> {
    let (most_lines, mut bytes) = (limits.get_size(Limit::LogLines), limits.get_size(Limit::LogBytes));
    let lines =
        trace.lines().map(|line| LogLine::new(LogLevel::Error, line)).take(most_lines).take_while(|line| {
            let fits = line.message.len() <= bytes;
            bytes = bytes.saturating_sub(line.message.len());
            fits
        });
    lines.collect()
}

/// Work whose panics count as a handler's.
struct Calling<F>(Pin<Box<F>>);

impl<F: Future> Future for Calling<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // For each poll: the task may move to another thread in between.
        let _calling = Flag(CALLING.replace(true));
        self.0.as_mut().poll(context)
    }
}

/// Restores the previous value: a handler may itself run a chain.
struct Flag(bool);

impl Drop for Flag {
    fn drop(&mut self) {
        CALLING.set(self.0);
    }
}
