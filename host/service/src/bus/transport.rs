//! Transports of messages.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Receives each message, on any thread; it must return without blocking.
pub type MessageHandler = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// A transport on which each participant receives all messages. A message is the text of a JSON object with a `type`.
pub trait Transport: Send + Sync {
    /// Calls `handler` with every message from now on, until the subscription is dropped.
    fn subscribe(&self, handler: MessageHandler) -> Subscription;
    /// Sends a message to all participants, without waiting for them.
    fn publish(&self, message: &str);
}

/// A subscription, which ends when it is dropped.
pub struct Subscription(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Subscription {
    /// Creates a subscription that calls `end` when it is dropped.
    pub fn ended_by(end: impl FnOnce() + Send + Sync + 'static) -> Self {
        Self(Some(Box::new(end)))
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if let Some(end) = self.0.take() {
            end();
        }
    }
}

/// A bus within one program: a publisher calls the subscribers one after another. Clones share one bus.
#[derive(Clone, Default)]
pub struct LocalBus(Arc<Subscribers>);

#[derive(Default)]
struct Subscribers {
    all: Mutex<Vec<(u64, MessageHandler)>>,
    next: AtomicU64,
}

impl Transport for LocalBus {
    fn subscribe(&self, handler: MessageHandler) -> Subscription {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.0.all.lock().unwrap_or_else(PoisonError::into_inner).push((number, handler));
        // A subscription that outlives its bus must not keep the bus alive.
        let subscribers = Arc::downgrade(&self.0);
        Subscription::ended_by(move || {
            let Some(subscribers) = subscribers.upgrade() else { return };
            let mut all = subscribers.all.lock().unwrap_or_else(PoisonError::into_inner);
            let found = all.iter().position(|(of, _)| *of == number);
            let gone = found.map(|found| all.remove(found));
            // Without the lock: values that are dropped with the closure may have a subscription of their own.
            drop(all);
            drop(gone);
        })
    }

    fn publish(&self, message: &str) {
        // Without the lock: a subscriber may publish, or subscribe.
        let all = self.0.all.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (_, handler) in all {
            handler(message.as_bytes());
        }
    }
}
