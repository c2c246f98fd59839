//! llxprt-code's message bus (docs/contracts/llxprt.md): who asks for hooks publishes a request, and hears a response with the same
//! correlation id. The program itself asks directly. With or without a bus, the way through the hooks is one.

mod envelope;
mod handle;
mod hooks;
mod management;
mod pipe;
mod request;
mod transport;
mod under_way;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use hookbox_embed::{ProcessedHookResult, llxprt_bus::HookExecutionRequest, llxprt_log::LogRecord};
use serde_json::{Map, Value};
use tokio::{runtime::Handle, sync::watch};

use self::{handle::Way, request::Heard, under_way::UnderWay};
use crate::Service;

pub use self::{
    hooks::{BusHook, Managed},
    pipe::serve,
    transport::{Hear, LocalBus, Subscription, Transport},
};

/// Longest message that is read, bytes: what any event may be.
pub const MAX_MESSAGE_BYTES: usize = hookbox::MAX_EVENT_BYTES;

/// Takes what is logged of each hook and of each event's hooks together. It must not block for long.
pub type LogSink = Arc<dyn Fn(&LogRecord<'_>) + Send + Sync>;

/// Runs the hooks of one session for whoever asks: by messages, or directly. Clones are the same one.
#[derive(Clone)]
pub struct HookBus(Arc<Parts>);

struct Parts {
    service: Service,
    session: String,
    folder: PathBuf,
    log: Option<LogSink>,
    under_way: UnderWay,
    /// How many messages of transports are being dealt with.
    answering: watch::Sender<usize>,
    /// True once it is disposed of.
    ended: watch::Sender<bool>,
    subscriptions: Mutex<Vec<Subscription>>,
}

/// Puts a [`HookBus`] together.
pub struct HookBusBuilder {
    service: Service,
    session: String,
    folder: PathBuf,
    log: Option<LogSink>,
}

/// It was disposed of, so no hook runs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposed;

impl fmt::Display for Disposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the hook bus has been disposed of; make a new one for a new session")
    }
}

impl std::error::Error for Disposed {}

impl HookBusBuilder {
    /// Where log records go; nowhere if not said.
    #[must_use]
    pub fn log(mut self, sink: LogSink) -> Self {
        self.log = Some(sink);
        self
    }

    /// The bus. It answers direct calls, and messages once it is connected.
    pub fn build(self) -> HookBus {
        let Self { service, session, folder, log } = self;
        HookBus(Arc::new(Parts {
            service,
            session,
            folder,
            log,
            under_way: UnderWay::default(),
            answering: watch::Sender::default(),
            ended: watch::Sender::new(false),
            subscriptions: Mutex::default(),
        }))
    }
}

impl HookBus {
    /// For the session of this id, which works in `folder`: neither is the sender's to say.
    pub fn builder(service: Service, session: impl Into<String>, folder: &Path) -> HookBusBuilder {
        HookBusBuilder { service, session: session.into(), folder: folder.to_owned(), log: None }
    }

    /// From now on requests that come this way are answered the same way, by tasks of `runtime`, which must have its timer and
    /// its I/O on. A message that is no request is somebody else's, and left alone.
    ///
    /// # Errors
    ///
    /// It has been disposed of.
    pub fn connect(&self, transport: Arc<dyn Transport>, runtime: &Handle) -> Result<(), Disposed> {
        let mut subscriptions = self.0.subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_disposed() {
            return Err(Disposed);
        }
        // The transport keeps this closure, which keeps the transport, until the subscription ends; this bus keeps that, so the
        // closure must not keep this bus.
        let bus: Weak<Parts> = Arc::downgrade(&self.0);
        let (runtime, way) = (runtime.clone(), Arc::clone(&transport));
        let hear = Arc::new(move |message: &[u8]| {
            let Some(bus) = bus.upgrade().map(Self) else { return };
            // First: what is heard before the bus is disposed of is counted then.
            let answering = Answering::of(&bus);
            let Heard::Request(pending) = bus.hear(message) else { return };
            let answers = Arc::clone(&transport);
            runtime.spawn(async move {
                answers.publish(&pending.response(std::future::pending()).await);
                drop(answering);
            });
        });
        subscriptions.push(way.subscribe(hear));
        Ok(())
    }

    /// Runs the hooks of an event that the program is at. What goes wrong on the way is in the result, which is a failure then.
    ///
    /// Must be called within a tokio runtime that has its timer and its I/O on.
    ///
    /// # Errors
    ///
    /// It has been disposed of.
    pub async fn fire(
        &self,
        event: &str,
        input: Map<String, Value>,
    ) -> Result<ProcessedHookResult, Disposed> {
        if self.is_disposed() {
            return Err(Disposed);
        }
        let request = HookExecutionRequest { event_name: event.to_owned(), input, correlation_id: None };
        let arrival = self.arrival();
        let asked = self.handle(&request, &arrival, Way::Direct, std::future::pending());
        Ok(asked.await.unwrap_or_else(ProcessedHookResult::failed))
    }

    /// Ends it: messages are ignored from now on, direct calls refused, hooks under way ended and whoever waits for them told so.
    /// A second time it does nothing.
    pub fn dispose(&self) {
        self.0.ended.send_replace(true);
        let subscriptions =
            std::mem::take(&mut *self.0.subscriptions.lock().unwrap_or_else(PoisonError::into_inner));
        // Without the lock: a transport may call us while it forgets us.
        drop(subscriptions);
    }

    /// Has it been disposed of?
    pub fn is_disposed(&self) -> bool {
        *self.0.ended.borrow()
    }

    /// Ready once it has been disposed of, and every request that came by a [`Transport`] has its response.
    pub fn told(&self) -> impl Future<Output = ()> + Send + 'static {
        let (ended, mut answering) = (self.ended(), self.0.answering.subscribe());
        async move {
            ended.await;
            let _nobody_is_left = answering.wait_for(|messages| *messages == 0).await;
        }
    }

    /// Ready once it has been disposed of.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut ended = self.0.ended.subscribe();
        async move {
            // Nobody is left who could dispose of it: it never will be.
            if ended.wait_for(|ended| *ended).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// A message that is being dealt with, until this is dropped.
struct Answering(Arc<Parts>);

impl Answering {
    fn of(bus: &HookBus) -> Self {
        bus.0.answering.send_modify(|messages| *messages += 1);
        Self(Arc::clone(&bus.0))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.send_modify(|messages| *messages -= 1);
    }
}
