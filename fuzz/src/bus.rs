//! What anyone may publish on llxprt-code's message bus.

use std::{
    future::pending,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use hookbox::{
    Callback, CallbackHook, ShippedPlugins,
    model::{Answer, EventName, Json},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    Surroundings,
    places::{NamedPlaces, Places},
};
use hookbox_service::{
    HookSource, Service,
    bus::{HookBus, LocalBus, Transport as _, serve},
};
use tokio::runtime::{Builder, Runtime};

/// Each line is a message, on a bus that others use and over a pair of pipes. It has one response at most, and what comes over pipes
/// exactly one if there is anything in it.
pub fn run(data: &[u8]) {
    let (on_bus, pipes) = runtime().block_on(async { (on_bus(data).await, over_pipes(data).await) });
    let lines = data.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    assert!(on_bus <= lines, "{on_bus} responses to {lines} messages");
    let (over_pipes, is_disposed) = pipes;
    assert!(
        over_pipes == lines || is_disposed && over_pipes < lines,
        "{over_pipes} responses to {lines} lines"
    );
}

async fn on_bus(data: &[u8]) -> usize {
    let never = Callback::asynchronous(|_| pending());
    let never = (CallbackHook::gate("never", [EventName::ToolAfter]), never);
    let (bus, local) = (new([never]), LocalBus::default());
    let _connected = bus.connect(Arc::new(local.clone()), runtime().handle());
    let responses = Arc::<AtomicUsize>::default();
    let received = Arc::clone(&responses);
    let _ear = local.subscribe(Arc::new(move |message: &[u8]| {
        let ours = message.starts_with(br#"{"type":"HOOK_EXECUTION_RESPONSE","payload":{"correlationId":"#);
        if ours && checked(message) {
            received.fetch_add(1, Ordering::SeqCst);
        }
    }));
    for line in data.split(|byte| *byte == b'\n') {
        if let Ok(line) = std::str::from_utf8(line) {
            // A response of somebody else's is none of ours.
            if !line.contains("RESPONSE") {
                local.publish(line);
            }
        }
        tokio::task::yield_now().await;
    }
    bus.dispose();
    bus.wait_until_answered().await;
    responses.load(Ordering::SeqCst)
}

/// How many responses there were, and whether a message disposed of the bus.
async fn over_pipes(data: &[u8]) -> (usize, bool) {
    let (bus, mut written) = (new([]), Vec::new());
    let served = serve(&bus, data, &mut written).await;
    assert!(served.is_ok(), "{served:?}");
    let lines = written.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    (lines.filter(|line| checked(line)).count(), bus.is_disposed())
}

/// It is a message that anyone can read.
fn checked(message: &[u8]) -> bool {
    let text = std::str::from_utf8(message).unwrap_or_else(|error| unreachable!("{error}"));
    assert!(!text.contains('\n') && Json::parse_object(text).is_ok(), "{text}");
    true
}

/// One on which a hook denies, beside these.
fn new(hooks: impl IntoIterator<Item = (CallbackHook, Callback)>) -> HookBus {
    // Where no folder can be made: nothing is kept.
    let named = NamedPlaces { state: Some("/dev/null/state".into()), ..NamedPlaces::default() };
    let surroundings = Surroundings {
        places: Places::of_account(&named),
        shipped: ShippedPlugins::default(),
        program: None,
        compiler: Compiler::None,
        variables: Vec::new(),
        session_folders: Vec::new(),
    };
    let service = Service::builder(surroundings).hooks(HookSource::Nothing).build();
    let denies = Callback::sync(|_| Ok(Answer::deny("no", "not here")));
    service.add(CallbackHook::gate("denies", [EventName::ToolBefore]), denies);
    for (hook, callback) in hooks {
        service.add(hook, callback);
    }
    HookBus::builder(service, "s", Path::new("/")).build()
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let build = || Builder::new_current_thread().enable_all().build();
    RUNTIME.get_or_init(|| build().unwrap_or_else(|error| unreachable!("{error}")))
}
