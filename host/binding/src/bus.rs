//! llxprt-code's message bus in a program of another language.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use hookbox_service::bus::{Disposed, HookBus, LocalBus, Managed, Subscription, Transport as _};
use serde_json::{Map, Value, value::RawValue};
use tokio::runtime::Handle;

use crate::{BindingError, BoundHost, ErrorCode, host::arrival};

/// Receives the text of each published message, and `None` when there will be no more. It is called on any thread, and must return
/// without blocking.
pub type MessageCallback = Arc<dyn Fn(Option<&str>) + Send + Sync>;

/// A bus of one session, on which its host answers. Clones share one bus.
#[derive(Clone)]
pub struct BoundBus {
    bus: HookBus,
    way: LocalBus,
    runtime: Handle,
    callback: MessageCallback,
    /// `None` once the bus was disposed of.
    subscription: Arc<Mutex<Option<Subscription>>>,
}

impl BoundHost {
    /// Creates a bus for a session that works in `folder`; hookbox generates the session's id if it has none. Requests are answered by
    /// tasks of `runtime`, which must have its timer and its I/O on.
    pub fn bus(
        &self,
        session: Option<String>,
        folder: &Path,
        runtime: &Handle,
        callback: MessageCallback,
    ) -> BoundBus {
        let session = session.unwrap_or_else(|| arrival(folder).id);
        let (bus, way) =
            (HookBus::builder(self.service().clone(), session, folder).build(), LocalBus::default());
        // Before the hooks, so that a request is received before its response.
        let on_message = Arc::clone(&callback);
        let subscription = way.subscribe(Arc::new(move |message: &[u8]| {
            if let Ok(text) = std::str::from_utf8(message) {
                on_message(Some(text));
            }
        }));
        // The bus is new, so it has not been disposed of.
        let _connected = bus.connect(Arc::new(way.clone()), runtime);
        BoundBus {
            bus,
            way,
            runtime: runtime.clone(),
            callback,
            subscription: Arc::new(Mutex::new(Some(subscription))),
        }
    }
}

impl BoundBus {
    /// Publishes this JSON text. After [`dispose`](Self::dispose) it is dropped.
    ///
    /// # Errors
    ///
    /// The text is not a JSON object with a `type`.
    pub fn publish(&self, message: &str) -> Result<(), BindingError> {
        if !has_type(message) {
            return Err(bad("a message is an object with a `type`, which is a text"));
        }
        if !self.is_disposed() {
            self.way.publish(message);
        }
        Ok(())
    }

    /// Runs the hooks of an event of the program, with an input that is an object as JSON text. Returns the result as JSON text.
    ///
    /// # Errors
    ///
    /// The input is not an object, or the bus has been disposed of.
    pub async fn fire(&self, event: &str, input: &str) -> Result<String, BindingError> {
        let input: Map<String, Value> = serde_json::from_str(input)
            .map_err(|error| bad(&format!("the input is not an object: {error}")))?;
        let result = self.bus.fire(event, input).await.map_err(disposed)?;
        serde_json::to_string(&result).map_err(|_| BindingError::bug())
    }

    /// Returns all hooks of the session in the order in which they run, as JSON text.
    pub fn all_hooks(&self) -> String {
        serde_json::to_value(self.bus.all_hooks()).unwrap_or_default().to_string()
    }

    /// Switches hooks on or off by their name; returns the number of hooks of the session with this name.
    ///
    /// # Errors
    ///
    /// One of them is the administrator's, and would be off.
    pub fn set_hook_enabled(&self, name: &str, enabled: bool) -> Result<usize, BindingError> {
        self.bus.set_hook_enabled(name, enabled).map_err(|error| managed(&error))
    }

    /// Disposes of the bus: hooks under way are ended, and their requests answered. The ear receives those answers.
    pub fn dispose(&self) {
        // Taken: a second `dispose` finds nothing, so the ear gets its `None` once.
        let subscription = self.subscription.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(subscription) = subscription else { return };
        self.bus.dispose();
        let (delivered, callback) = (self.bus.wait_until_answered(), Arc::clone(&self.callback));
        self.runtime.spawn(async move {
            // The ear has to receive the responses of the hooks that are ended, and then nothing more.
            delivered.await;
            drop(subscription);
            callback(None);
        });
    }

    /// Returns true if the bus has been disposed of.
    pub fn is_disposed(&self) -> bool {
        self.bus.is_disposed()
    }
}

fn has_type(message: &str) -> bool {
    let members: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(message);
    members.is_ok_and(|members| members.get("type").is_some_and(|kind| kind.get().starts_with('"')))
}

fn bad(why: &str) -> BindingError {
    BindingError::new(ErrorCode::Event, why)
}

fn disposed(error: Disposed) -> BindingError {
    BindingError::new(ErrorCode::Disposed, error.to_string())
}

fn managed(error: &Managed) -> BindingError {
    BindingError::new(ErrorCode::Managed, error.to_string())
}

#[cfg(test)]
mod tests {
    use hookbox::{
        Callback, CallbackHook, HookSpec, Target,
        model::{Answer, EventName, Layer},
    };

    use super::*;
    use crate::{HostOptions, Pool};

    #[test]
    fn disabling_an_administrators_hook_fails_with_the_reason() {
        let host =
            BoundHost::new(&HostOptions { without_files: true, ..HostOptions::default() }, &Pool::default());
        let host = host.unwrap();
        let mut spec = HookSpec::new("policy", Target::Callback).on([EventName::ToolBefore]);
        spec.origin.layer = Layer::Managed;
        let nothing = Callback::sync(|_| Ok(Answer::default()));
        host.service().add(CallbackHook::from(spec), nothing);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bus = host.bus(None, Path::new("/"), runtime.handle(), Arc::new(|_| {}));
        let refused = bus.set_hook_enabled("policy", false).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "managed: `policy` is the administrator's hook; only they can switch it off"
        );
        assert_eq!(host.set_enabled(Path::new("/"), "policy", false), 0);
        assert!(bus.all_hooks().contains(r#""enabled":true"#), "{}", bus.all_hooks());
    }
}
