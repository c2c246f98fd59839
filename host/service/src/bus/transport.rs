//! The way on which messages come and go.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// Is called with each message, on whatever thread; it returns at once.
pub type Hear = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// A way on which everybody hears what everybody says. A message is the text of a JSON object with a `type`.
pub trait Transport: Send + Sync {
    /// Calls `hear` with every message from now on, until the subscription is dropped.
    fn subscribe(&self, hear: Hear) -> Subscription;
    /// Sends a message to everybody. It does not wait for anyone to hear it.
    fn publish(&self, message: &str);
}

/// Ends when it is dropped.
pub struct Subscription(Option<Box<dyn FnOnce() + Send + Sync>>);

impl Subscription {
    /// One that is ended by this.
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

/// A bus within one program: who publishes calls who subscribed, one after another. Clones are the same one.
#[derive(Clone, Default)]
pub struct LocalBus(Arc<Ears>);

#[derive(Default)]
struct Ears {
    all: Mutex<Vec<(u64, Hear)>>,
    next: AtomicU64,
}

impl Transport for LocalBus {
    fn subscribe(&self, hear: Hear) -> Subscription {
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        self.0.all.lock().unwrap_or_else(PoisonError::into_inner).push((number, hear));
        let ears = Arc::downgrade(&self.0);
        Subscription::ended_by(move || {
            let Some(ears) = ears.upgrade() else { return };
            let mut all = ears.all.lock().unwrap_or_else(PoisonError::into_inner);
            let found = all.iter().position(|(of, _)| *of == number);
            let gone = found.map(|found| all.remove(found));
            // Without the lock: what is dropped with the closure may have a subscription of its own.
            drop(all);
            drop(gone);
        })
    }

    fn publish(&self, message: &str) {
        // Without the lock: who hears may publish, or subscribe.
        let all = self.0.all.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (_, hear) in all {
            hear(message.as_bytes());
        }
    }
}
