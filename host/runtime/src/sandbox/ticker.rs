//! Ends guests that exceed their deadline or their fuel. Costs nothing while none does.
//!
//! A guest runs in slices of fuel. Most answer within the first, without a clock. A guest that does not yields the
//! thread after each slice, and the clock is checked. From its first slice on, a thread also advances the engine's
//! epoch, for work that takes time without fuel; the thread sleeps again when no such guest is left.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};

use tokio::time::{Instant, Sleep, sleep};
use wasmtime::{Engine, EngineWeak};

/// Interval of the epoch, in milliseconds.
pub(super) const TICK_MS: u64 = 10;
/// Stack of the thread, bytes; a variable would determine it otherwise.
const STACK: usize = 256 << 10;
/// More ticks than occur in any process's lifetime.
pub(super) const TICKS_FOR_EVER: u64 = u64::MAX / 4;

/// The epoch of one engine.
pub(super) struct Ticker {
    shared: Arc<Shared>,
    engine: EngineWeak,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Guests past their first slice.
    watched: usize,
    started: bool,
    closed: bool,
}

impl Ticker {
    /// Creates a ticker without a thread.
    pub(super) fn new(engine: &Engine) -> Self {
        Self { shared: Arc::default(), engine: engine.weak() }
    }

    fn watch(&self) -> Watch {
        let mut state = self.shared.lock();
        state.watched += 1;
        if !state.started {
            let (shared, engine) = (Arc::clone(&self.shared), self.engine.clone());
            let thread = thread::Builder::new().name("hookbox-ticker".to_owned()).stack_size(STACK);
            // Without a thread the slices alone enforce the deadline.
            state.started = thread.spawn(move || shared.run_ticks(&engine)).is_ok();
        }
        self.shared.changed.notify_one();
        Watch(Arc::clone(&self.shared))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run_ticks(&self, engine: &EngineWeak) {
        let mut state = self.lock();
        while !state.closed {
            if state.watched == 0 {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            drop(state);
            thread::sleep(Duration::from_millis(TICK_MS));
            let Some(engine) = engine.upgrade() else { return };
            engine.increment_epoch();
            state = self.lock();
        }
    }
}

/// One guest past its first slice.
struct Watch(Arc<Shared>);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.lock().watched -= 1;
    }
}

/// A guest with its deadline and limit of host calls: `None` if it has to end. The time counts from the end of its
/// first slice. A waiting guest is ended like a computing one: no part of it runs after its deadline.
pub(super) struct Watched<'a, F> {
    guest: Pin<&'a mut F>,
    ticker: &'a Ticker,
    timeout: Duration,
    over: &'a AtomicBool,
    watch: Option<(Watch, Pin<Box<Sleep>>)>,
}

impl<'a, F: Future> Watched<'a, F> {
    pub(super) fn new(
        guest: Pin<&'a mut F>,
        ticker: &'a Ticker,
        timeout: Duration,
        over: &'a AtomicBool,
    ) -> Self {
        Self { guest, ticker, timeout, over, watch: None }
    }
}

impl<F> Watched<'_, F> {
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        self.watch.as_mut().is_some_and(|(_, end)| {
            // The timer wakes a waiting guest; for a computing guest it may fire too late.
            Instant::now() >= end.deadline() || end.as_mut().poll(context).is_ready()
        })
    }
}

impl<F: Future> Future for Watched<'_, F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if this.is_late(context) {
            return Poll::Ready(None);
        }
        if let Poll::Ready(output) = this.guest.as_mut().poll(context) {
            return Poll::Ready(Some(output));
        }
        let (ticker, timeout) = (this.ticker, this.timeout);
        this.watch.get_or_insert_with(|| (ticker.watch(), Box::pin(sleep(timeout))));
        let ends = this.is_late(context) || this.over.load(Ordering::Relaxed);
        if ends { Poll::Ready(None) } else { Poll::Pending }
    }
}
