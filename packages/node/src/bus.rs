//! llxprt-code's message bus: what `bus.js` needs of us.

use std::{panic::AssertUnwindSafe, path::Path, sync::Arc};

use futures_util::FutureExt as _;
use hookbox_binding::{BindingError, BoundBus, BoundHost, MessageCallback};
use napi::{
    Env, Error, Status,
    bindgen_prelude::{FnArgs, Function, Object},
    threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode},
};
use napi_derive::napi;

use crate::{
    host::{Code, runtime, thrown},
    settled::Settled,
};

/// The text of a message; nothing once there will be no more.
pub(crate) type MessageArguments = FnArgs<(Option<String>,)>;

/// The way to the bus's thread. It keeps no process alive: who waits for a response does.
type MessageSender = ThreadsafeFunction<MessageArguments, (), MessageArguments, Status, false, true>;

/// A bus, as `bus.js` has it.
#[napi]
pub struct NativeBus(BoundBus);

impl NativeBus {
    pub(crate) fn of(
        host: &BoundHost,
        session: Option<String>,
        cwd: &Path,
        hear: Function<'_, MessageArguments, ()>,
    ) -> napi::Result<Self, Code> {
        let teller = hear
            .build_threadsafe_function::<MessageArguments>()
            .callee_handled::<false>()
            .weak::<true>()
            .build();
        let teller: MessageSender =
            teller.map_err(|error| Error::new(Code::from(error.status), error.reason.clone()))?;
        let ear: MessageCallback = Arc::new(move |text: Option<&str>| {
            // A thread that is at its end has nobody who hears.
            let _ended = teller
                .call(FnArgs::from((text.map(str::to_owned),)), ThreadsafeFunctionCallMode::NonBlocking);
        });
        let runtime = runtime().map_err(thrown)?;
        Ok(Self(host.bus(session, cwd, runtime.handle(), ear)))
    }
}

#[napi]
impl NativeBus {
    /// Sends the message in this JSON text to all subscribers.
    #[napi]
    pub fn publish(&self, message: String) -> napi::Result<(), Code> {
        self.0.publish(&message).map_err(thrown)
    }

    /// Runs the hooks of an event that the program is at, as a promise.
    #[napi]
    pub fn fire<'env>(&self, env: &'env Env, event: String, input: String) -> napi::Result<Object<'env>> {
        let (deferred, promise) = env.create_deferred()?;
        let runtime = runtime().map_err(|error| Error::from_reason(error.message))?;
        let bus = self.0.clone();
        runtime.spawn(async move {
            let fired = AssertUnwindSafe(bus.fire(&event, &input)).catch_unwind().await;
            let fired = fired.unwrap_or_else(|_| Err(BindingError::bug()));
            deferred.resolve(move |_| Ok(Settled::of_text(fired)));
        });
        Ok(promise)
    }

    /// All hooks of the session, as JSON text.
    #[napi]
    pub fn all_hooks(&self) -> String {
        self.0.all_hooks()
    }

    /// Switches hooks on or off by name; returns how many of the session that are.
    #[napi]
    pub fn set_hook_enabled(&self, name: String, enabled: bool) -> napi::Result<u32, Code> {
        let hooks = self.0.set_hook_enabled(&name, enabled).map_err(thrown)?;
        Ok(u32::try_from(hooks).unwrap_or(u32::MAX))
    }

    /// Ends it, and hooks under way with it.
    #[napi]
    pub fn dispose(&self) {
        self.0.dispose();
    }

    /// Returns true if the bus has been disposed of.
    #[napi(getter)]
    pub fn disposed(&self) -> bool {
        self.0.is_disposed()
    }
}
