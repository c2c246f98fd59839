//! llxprt-code's message bus (docs/reference/agents/llxprt.md): a sender publishes a request for hooks, and receives a response with the
//! request's correlation id. The embedding program calls directly. Both ways share one implementation.

mod envelope;
mod handle;
mod hooks;
mod management;
mod pending_requests;
mod pipe;
mod request;
mod transport;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, Weak},
};

use hookbox_embed::{ProcessedHookResult, llxprt_bus::HookExecutionRequest, llxprt_log::LogRecord};
use serde_json::{Map, Value};
use tokio::{runtime::Handle, sync::watch};

use self::{handle::RequestPath, pending_requests::UnderWay, request::ReceivedMessage};
use crate::Service;

pub use self::{
    hooks::{BusHook, Managed},
    pipe::serve,
    transport::{LocalBus, MessageHandler, Subscription, Transport},
};

/// Longest message that is read, bytes: the limit of any event.
pub const MAX_MESSAGE_BYTES: usize = hookbox::MAX_EVENT_BYTES;

/// Receives log records of each hook and of all hooks of an event. It must not block for long.
pub type LogSink = Arc<dyn Fn(&LogRecord<'_>) + Send + Sync>;

/// Runs the hooks of one session, for messages and direct calls. Clones share one bus.
#[derive(Clone)]
pub struct HookBus(Arc<Parts>);

struct Parts {
    service: Service,
    session: String,
    folder: PathBuf,
    log: Option<LogSink>,
    under_way: UnderWay,
    /// Number of messages of transports that are being answered.
    answering: watch::Sender<usize>,
    /// True once the bus is disposed of.
    ended: watch::Sender<bool>,
    subscriptions: Mutex<Vec<Subscription>>,
}

/// Builds a [`HookBus`].
pub struct HookBusBuilder {
    service: Service,
    session: String,
    folder: PathBuf,
    log: Option<LogSink>,
}

/// Error: the bus was disposed of, so no hook runs any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposed;

impl fmt::Display for Disposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the hook bus has been disposed of; make a new one for a new session")
    }
}

impl std::error::Error for Disposed {}

impl HookBusBuilder {
    /// Sets the receiver of log records. Defaults to none.
    #[must_use]
    pub fn log(mut self, sink: LogSink) -> Self {
        self.log = Some(sink);
        self
    }

    /// Builds the bus. It answers direct calls, and messages once it is connected.
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
    /// Starts a bus for the session of this id, which works in `folder`: senders can set neither.
    pub fn builder(service: Service, session: impl Into<String>, folder: &Path) -> HookBusBuilder {
        HookBusBuilder { service, session: session.into(), folder: folder.to_owned(), log: None }
    }

    /// Answers requests of this transport from now on, with tasks of `runtime`, which must have its timer and its I/O on. Messages that
    /// are not requests are ignored.
    ///
    /// # Errors
    ///
    /// The bus has been disposed of.
    pub fn connect(&self, transport: Arc<dyn Transport>, runtime: &Handle) -> Result<(), Disposed> {
        // Held until the subscription is stored, so that a concurrent `dispose` either is seen here or ends
        // it.
        let mut subscriptions = self.0.subscriptions.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_disposed() {
            return Err(Disposed);
        }
        // The transport owns this closure, which owns the transport, until the subscription ends; this bus owns the subscription, so the
        // closure must not own this bus.
        let bus: Weak<Parts> = Arc::downgrade(&self.0);
        let (runtime, way) = (runtime.clone(), Arc::clone(&transport));
        let handler = Arc::new(move |message: &[u8]| {
            let Some(bus) = bus.upgrade().map(Self) else { return };
            // First: a message that arrives before the bus is disposed of is counted then.
            let answering = Answering::of(&bus);
            let ReceivedMessage::Request(pending) = bus.admit_message(message) else { return };
            let answers = Arc::clone(&transport);
            runtime.spawn(async move {
                answers.publish(&pending.into_response(std::future::pending()).await);
                drop(answering);
            });
        });
        subscriptions.push(way.subscribe(handler));
        Ok(())
    }

    /// Runs the hooks of an event of the program. Errors are in the result, which is a failure then.
    ///
    /// Must be called within a tokio runtime that has its timer and its I/O on.
    ///
    /// # Errors
    ///
    /// The bus has been disposed of.
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
        let asked = self.handle(&request, &arrival, RequestPath::Direct, std::future::pending());
        Ok(asked.await.unwrap_or_else(ProcessedHookResult::failed))
    }

    /// Disposes of the bus: from now on messages are ignored and direct calls refused; hooks under way are ended and their requests
    /// answered. A second call does nothing.
    pub fn dispose(&self) {
        // Before the subscriptions end: a message that arrives in between must not start hooks.
        self.0.ended.send_replace(true);
        let subscriptions =
            std::mem::take(&mut *self.0.subscriptions.lock().unwrap_or_else(PoisonError::into_inner));
        // Without the lock: a transport may call hookbox while it removes the subscription.
        drop(subscriptions);
    }

    /// Returns true if the bus has been disposed of.
    pub fn is_disposed(&self) -> bool {
        *self.0.ended.borrow()
    }

    /// Waits until the bus has been disposed of and every request of a [`Transport`] has its response.
    pub fn wait_until_answered(&self) -> impl Future<Output = ()> + Send + 'static {
        let (ended, mut answering) = (self.ended(), self.0.answering.subscribe());
        async move {
            ended.await;
            let _sender_is_gone = answering.wait_for(|messages| *messages == 0).await;
        }
    }

    /// Waits until the bus has been disposed of.
    pub(crate) fn ended(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut ended = self.0.ended.subscribe();
        async move {
            // The sender is gone, so the bus can never be disposed of.
            if ended.wait_for(|ended| *ended).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

/// Counts a message as being answered until it is dropped.
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
