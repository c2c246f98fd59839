//! A plugin in the sandbox under the conditions of `hookbox`: the same machine and limits, with one hook and without an agent.

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

use crate::{environment, templates};

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("the asynchronous runtime cannot be started: {error}"))?;
    let output = runtime.block_on(future);
    // Unfinished work, such as a name being looked up, must not keep the process.
    runtime.shutdown_background();
    Ok(output)
}

/// Returns the hook that calls the plugin in this file, with the passed grants or else everything that it requests. The effects
/// of its answers are limited by its manifest alone.
pub(crate) fn build_spec(
    file: &Path,
    manifest: Option<&Manifest>,
    grants: Option<Grants>,
    config: Json,
) -> HookSpec {
    let asked = || manifest.map(|manifest| manifest.asks.joined_to(&Grants::default())).unwrap_or_default();
    // A test of an untrusted plugin gives it no files of this machine, whatever its manifest requests. And random numbers are
    // the same each time, so that tests are reproducible.
    let grants = Grants { read: vec![], write: vec![], random: false, ..grants.unwrap_or_else(asked) };
    let wasm = WasmSpec { grants, ..WasmSpec::new(file) };
    let name = manifest.map_or("plugin", |manifest| templates::last_part(manifest.name.as_str()));
    let spec = HookSpec::new(name, Target::Wasm(wasm)).on([EventName::ToolBefore]).role(Role::Transform);
    HookSpec { config, in_role: false, ..spec }
}

/// Returns the builder of a machine, without the settings of a test.
pub(crate) fn configure_machine(cache: Option<&Path>, compiler: Compiler) -> MachineBuilder {
    let facts = environment::find_facts_plugin();
    let builder = facts.into_iter().fold(Machine::builder(), MachineBuilder::facts_plugin).compiler(compiler);
    match cache {
        Some(cache) => builder.cache(cache),
        None => builder,
    }
}

/// Returns a host with this hook alone, on this machine.
pub(crate) fn build_host(machine: &Machine, spec: HookSpec) -> Host {
    machine.create_host(Hooks::default().hooks([spec]))
}

pub(crate) struct Loaded {
    /// Time of the compilation, unless the plugin was compiled before.
    pub(crate) compiled: Option<Duration>,
}

/// Loads the plugin, compiles it if necessary, and instantiates it.
pub(crate) fn load_plugin(
    spec: HookSpec,
    cache: Option<&Path>,
    compiler: Compiler,
) -> Result<Loaded, Failure> {
    let watch = Arc::new(Stopwatch::default());
    let state = tempfile::tempdir();
    let mut builder = configure_machine(cache, compiler.with_watcher(Arc::<Stopwatch>::clone(&watch)));
    if let Ok(state) = &state {
        builder = builder.state(&state.path().join("state"));
    }
    let host = build_host(&builder.build(), spec);
    let checked = block_on(async { host.check().await.into_iter().map(|checked| checked.result).collect() });
    let checked: Result<Vec<()>, Failure> = checked.unwrap_or_else(|why| Err(Failure::new(INTERNAL, &why)));
    checked.map(|_| Loaded { compiled: watch.time() })
}

const INTERNAL: hookbox::model::FailureCode = hookbox::model::FailureCode::Internal;

/// Returns the report of the one hook of this host on the event; the plugin is prepared first.
pub(crate) async fn ask_hook(host: &Host, event: &Event) -> Result<HookReport, String> {
    let outcome = host.dispatch(event).await;
    outcome.reports.into_iter().next().ok_or_else(|| "the hook was not called".to_owned())
}

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
