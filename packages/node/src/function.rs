//! Functions of JavaScript as hooks: called on the thread that made their host, and answered from there.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use hookbox_binding::{FunctionCall, FunctionFailure, HookFunction};
use napi::{
    Status,
    bindgen_prelude::FnArgs,
    threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode},
};
use tokio::sync::oneshot;

/// Arguments of a function: the hook's number, the number of the call for its answer, and the event.
pub(crate) type Arguments = FnArgs<(u32, u32, String)>;

/// The way to the host's thread. It keeps no process alive: who waits for an answer does.
pub(crate) type Caller = ThreadsafeFunction<Arguments, (), Arguments, Status, false, true>;

type Sender = oneshot::Sender<Result<String, FunctionFailure>>;

/// Calls that wait for their functions.
#[derive(Default)]
pub(crate) struct WaitingCalls {
    next: AtomicU32,
    calls: Mutex<HashMap<u32, Sender>>,
}

impl WaitingCalls {
    /// Delivers the answer of a call, or the reason for its failure. A late answer, which the caller does not await
    /// any more, is dropped.
    pub(crate) fn settle(&self, number: u32, result: Result<String, FunctionFailure>) {
        let sender = self.calls().remove(&number);
        let _late = sender.map(|sender| sender.send(result).is_err());
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<u32, Sender>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One function.
pub(crate) struct JavaScriptFunction {
    pub(crate) hook: u32,
    pub(crate) caller: Arc<Caller>,
    pub(crate) waiting: Arc<WaitingCalls>,
}

impl HookFunction for JavaScriptFunction {
    fn call(&self, event: String) -> FunctionCall<'_> {
        Box::pin(async move {
            let number = self.waiting.next.fetch_add(1, Ordering::Relaxed);
            let (sender, receiver) = oneshot::channel();
            self.waiting.calls().insert(number, sender);
            let _until = ForgetGuard { waiting: &self.waiting, number };
            let arguments = FnArgs::from((self.hook, number, event));
            match self.caller.call(arguments, ThreadsafeFunctionCallMode::NonBlocking) {
                Status::Ok => {
                    receiver.await.unwrap_or_else(|_| Err(FunctionFailure::new("the function was lost")))
                }
                _ => Err(FunctionFailure::new("the thread of the function is at its end")),
            }
        })
    }
}

/// Forgets a call, however it ended.
struct ForgetGuard<'a> {
    waiting: &'a WaitingCalls,
    number: u32,
}

impl Drop for ForgetGuard<'_> {
    fn drop(&mut self) {
        self.waiting.calls().remove(&self.number);
    }
}
