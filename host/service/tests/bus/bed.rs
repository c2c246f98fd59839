//! A bus on a service without files, and a subscriber.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use hookbox::{
    Callback, CallbackHook, ShippedPlugins,
    model::{Answer, EventName},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_embed::ProcessedHookResult;
use hookbox_service::{
    HookSource, Service,
    bus::{HookBus, LocalBus, LogSink, Subscription, Transport},
};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::{runtime::Handle, sync::mpsc};

pub(crate) struct Bed {
    pub(crate) service: Service,
    pub(crate) bus: HookBus,
    pub(crate) local: LocalBus,
    responses: mpsc::UnboundedReceiver<Value>,
    records: Arc<Mutex<Vec<Value>>>,
    _subscription: Subscription,
    _home: TempDir,
}

impl Bed {
    /// Creates a bed with these hooks of the program.
    pub(crate) fn with(hooks: impl IntoIterator<Item = (CallbackHook, Callback)>) -> Self {
        let home = tempfile::tempdir().unwrap();
        let service = build_service(home.path(), HookSource::Nothing);
        for (hook, callback) in hooks {
            service.add(hook, callback);
        }
        Self::on(service, home)
    }

    /// On this service, whose user has this home.
    pub(crate) fn on(service: Service, home: TempDir) -> Self {
        let records = Arc::<Mutex<Vec<Value>>>::default();
        let kept = Arc::clone(&records);
        let sink: LogSink =
            Arc::new(move |record| kept.lock().unwrap().push(serde_json::to_value(record).unwrap()));
        let bus = HookBus::builder(service.clone(), "s", home.path()).log(sink).build();
        let local = LocalBus::default();
        let (sender, responses) = mpsc::unbounded_channel();
        let subscription = local.subscribe(Arc::new(move |message: &[u8]| {
            let message = serde_json::from_slice::<Value>(message).unwrap_or_default();
            if message["type"] == "HOOK_EXECUTION_RESPONSE" {
                drop(sender.send(message["payload"].clone()));
            }
        }));
        Self { service, bus, local, responses, records, _subscription: subscription, _home: home }
    }

    /// Runs a test in a runtime, with the bus connected.
    pub(crate) fn run<T>(self, test: impl AsyncFnOnce(Self) -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            self.bus.connect(Arc::new(self.local.clone()), &Handle::current()).unwrap();
            test(self).await
        })
    }

    pub(crate) fn publish_request(&self, payload: &Value) {
        self.local.publish(&json!({ "type": "HOOK_EXECUTION_REQUEST", "payload": payload }).to_string());
    }

    /// Returns the next response on the bus.
    pub(crate) async fn receive_response(&mut self) -> Value {
        self.responses.recv().await.unwrap()
    }

    /// Sends a request and returns the response.
    pub(crate) async fn send_request(&mut self, payload: Value) -> Value {
        self.publish_request(&payload);
        self.receive_response().await
    }

    /// Sends a request for this event and returns the response.
    pub(crate) async fn ask_about(&mut self, event: &str, input: Value) -> Value {
        self.send_request(json!({ "eventName": event, "input": input, "correlationId": "1" })).await
    }

    pub(crate) async fn fire_event(&self, event: &str, input: Value) -> ProcessedHookResult {
        self.bus.fire(event, to_members(&input)).await.unwrap()
    }

    /// Returns the responses that have come and were not taken.
    pub(crate) fn take_responses(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.responses.try_recv().ok()).collect()
    }

    pub(crate) fn records(&self) -> Vec<Value> {
        self.records.lock().unwrap().clone()
    }
}

/// Returns a service with these hooks, for the user of this home.
pub(crate) fn build_service(home: &Path, hooks: HookSource) -> Service {
    let named = NamedPlaces { home: Some(home.to_owned()), ..NamedPlaces::default() };
    let surroundings = Surroundings {
        places: Places::of_account(&named),
        shipped: ShippedPlugins::default(),
        program: None,
        compiler: Compiler::None,
        variables: Vec::new(),
        session_folders: Vec::new(),
    };
    Service::builder(surroundings).hooks(hooks).build()
}

pub(crate) fn to_members(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// llxprt-code's input for a tool that is about to read a file.
pub(crate) fn before_tool() -> Value {
    json!({ "tool_name": "read_file", "tool_input": { "path": "/tmp/test.txt" } })
}

/// Returns a gate for all events that counts its calls and has no opinion.
pub(crate) fn build_counting_gate() -> (Arc<AtomicUsize>, (CallbackHook, Callback)) {
    let calls = Arc::<AtomicUsize>::default();
    let counted = Arc::clone(&calls);
    let callback = Callback::sync(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        Ok(Answer::default())
    });
    (calls, (CallbackHook::gate("counting", EventName::KNOWN.iter().cloned()), callback))
}

/// Returns a gate of this name before every tool call with this answer.
pub(crate) fn build_gate(name: &str, answer: Answer) -> (CallbackHook, Callback) {
    (CallbackHook::gate(name, [EventName::ToolBefore]), Callback::sync(move |_| Ok(answer.clone())))
}

/// Returns a hook that fails.
pub(crate) fn build_failing_gate(name: &str) -> (CallbackHook, Callback) {
    (CallbackHook::gate(name, [EventName::ToolBefore]), Callback::sync(|_| Err("out of paper".into())))
}
