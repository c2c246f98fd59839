//! A plugin in the sandbox as `hookbox` would have it there: the same machine, the same limits, one hook and no agent.

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use hookbox::{
    HookSpec, Hooks, Host, Machine, MachineBuilder, Target,
    hook::WasmSpec,
    model::{Event, EventName, Failure, Grants, HookReport, Json, Manifest, Role},
    sandbox::compile::{CompileWatcher, Compiler},
};

use crate::templates;

/// Runs a future on this thread.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the asynchronous runtime cannot be started: {error}"))?;
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    Ok(output)
}

/// The hook that calls the plugin in this file, granted all that it asks for, or what is said. What its answers may do is for its
/// manifest alone to say.
pub(crate) fn spec(
    file: &Path,
    manifest: Option<&Manifest>,
    grants: Option<Grants>,
    config: Json,
) -> HookSpec {
    let asked = || manifest.map(|manifest| manifest.asks.joined_to(&Grants::default())).unwrap_or_default();
    // Who tries a stranger's plugin hands out no files of this machine, whatever its manifest asks for. And what is drawn is the same each
    // time: a test that nobody can repeat is none.
    let grants = Grants { read: vec![], write: vec![], random: false, ..grants.unwrap_or_else(asked) };
    let wasm = WasmSpec { grants, ..WasmSpec::new(file) };
    let name = manifest.map_or("plugin", |manifest| templates::last_part(manifest.name.as_str()));
    let spec = HookSpec::new(name, Target::Wasm(wasm)).on([EventName::ToolBefore]).role(Role::Transform);
    HookSpec { config, in_role: false, ..spec }
}

/// A machine, all but what a test gives it.
pub(crate) fn machine(cache: Option<&Path>, compiler: Compiler) -> MachineBuilder {
    let builder = Machine::builder().compiler(compiler);
    match cache {
        Some(cache) => builder.cache(cache),
        None => builder,
    }
}

/// The one hook, on this machine.
pub(crate) fn host(machine: &Machine, spec: HookSpec) -> Host {
    machine.host(Hooks::default().hooks([spec]))
}

/// A plugin that was loaded.
pub(crate) struct Loaded {
    /// How long it took to compile it, unless that was done before.
    pub(crate) compiled: Option<Duration>,
}

/// Loads the plugin, compiled if need be, and makes an instance of it.
pub(crate) fn load(spec: HookSpec, cache: Option<&Path>, compiler: Compiler) -> Result<Loaded, Failure> {
    let watch = Arc::new(Stopwatch::default());
    let state = tempfile::tempdir();
    let mut builder = machine(cache, compiler.watched(Arc::<Stopwatch>::clone(&watch)));
    if let Ok(state) = &state {
        builder = builder.state(&state.path().join("state"));
    }
    let host = host(&builder.build(), spec);
    let checked = block_on(async { host.check().await.into_iter().map(|checked| checked.result).collect() });
    let checked: Result<Vec<()>, Failure> = checked.unwrap_or_else(|why| Err(Failure::new(INTERNAL, &why)));
    checked.map(|_| Loaded { compiled: watch.time() })
}

const INTERNAL: hookbox::model::FailureCode = hookbox::model::FailureCode::Internal;

/// How the one hook of this host answers the event; the plugin is made ready first.
pub(crate) async fn ask(host: &Host, event: &Event) -> Result<HookReport, String> {
    let outcome = host.dispatch(event).await;
    outcome.reports.into_iter().next().ok_or_else(|| "the hook was not called".to_owned())
}

/// Tells how long the compiler took.
#[derive(Debug, Default)]
struct Stopwatch(Arc<Mutex<Option<Duration>>>);

impl Stopwatch {
    fn time(&self) -> Option<Duration> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CompileWatcher for Stopwatch {
    fn begins(&self, _: &Path) -> Box<dyn Send> {
        Box::new(Running { begun: Instant::now(), time: Arc::clone(&self.0) })
    }
}

struct Running {
    begun: Instant,
    time: Arc<Mutex<Option<Duration>>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.begun.elapsed());
    }
}
