//! Runs a script's top level once, in an engine without capabilities, and saves the resulting memory as a component.

use std::{fmt, time::Duration};

use hookbox_model::{Limit, Limits};
use rand::{SeedableRng, rngs::StdRng};
use wasmtime::{
    AsContextMut, Engine, OptLevel, Store, Trap,
    component::{Component, Func, Instance, Lift, Linker, ResourceTable, WasmList, types::ComponentItem},
};
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wizer::{ComponentInstanceState, Wizer};

use crate::sandbox::{engine_settings, store::Meter};

/// `QuickJS`, linked to hookbox's world and to the module `hookbox`, without a script.
const JAVASCRIPT: &[u8] = include_bytes!(env!("HOOKBOX_ENGINE_FILE"));

/// Most instructions of a top level: a second or two. The engine itself needs a hundredth of them.
const FUEL: u64 = 2_000_000_000;

pub(super) enum ScriptError {
    /// The engine rejects the script; its own message.
    Rejected(String),
    /// The script did something forbidden; hookbox's message.
    Failed(String),
}

impl From<wasmtime::Error> for ScriptError {
    fn from(error: wasmtime::Error) -> Self {
        Self::Failed(format!("the engine failed: {error:#}"))
    }
}

/// Creates the component of these two modules; the second may import the first.
pub(super) async fn run(first: &str, entry: &str) -> Result<Vec<u8>, ScriptError> {
    let limits = Limits::default();
    let mut config = engine_settings::build_config(&limits);
    // Code that runs for a moment is compiled fast; but not by the fastest register allocator, for which wasmtime
    // issues no advisories.
    config.cranelift_opt_level(OptLevel::None).epoch_interruption(false);
    let engine = Engine::new(&config)?;
    let wizer = Wizer::new();
    let (context, instrumented) = wizer.instrument_component(JAVASCRIPT)?;
    let component = Component::new(&engine, &instrumented)?;
    let mut store = Store::new(&engine, EngineState::new(&limits));
    store.limiter(|making| &mut making.meter);
    store.set_fuel(FUEL)?;
    let instance = create_linker(&engine, &component)?.instantiate_async(&mut store, &component).await?;
    let arguments = (first, entry, None, false);
    let init = instance.get_typed_func::<(&str, &str, Option<&str>, bool), InitResult>(&mut store, "init")?;
    match init.call_async(&mut store, arguments).await {
        Ok((Ok(()),)) => {}
        Ok((Err(message),)) => return Err(ScriptError::Rejected(message)),
        Err(error) => return Err(ScriptError::Failed(describe_end(&error, store.data()))),
    }
    // The script has used its share; the following code is hookbox's.
    store.set_fuel(u64::MAX)?;
    Ok(wizer.snapshot_component(&context, &mut RunningScript { store, instance }).await?)
}

type InitResult = (Result<(), String>,);

/// Returns the reason why the top level did not complete.
fn describe_end(error: &wasmtime::Error, making: &EngineState) -> String {
    if let Some(asked) = error.downcast_ref::<HostCallDenied>() {
        return asked.to_string();
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => {
            format!("its top level does not end: it has used {FUEL} units of fuel, which is all that it may")
        }
        Some(Trap::StackOverflow) => "its top level calls itself too deep".to_owned(),
        _ if making.meter.refused => {
            let most = Limits::default().get(Limit::Memory);
            format!("its top level asks for more memory than {most} bytes, which is all that it may have")
        }
        _ => format!("its top level failed: {error:#}"),
    }
}

/// Environment of the engine: a system without capabilities, where no time passes.
struct EngineState {
    wasi: WasiCtx,
    table: ResourceTable,
    meter: Meter,
}

impl EngineState {
    fn new(limits: &Limits) -> Self {
        let random = || StdRng::from_seed([0; 32]);
        // Equal scripts result in equal components.
        let wasi = WasiCtxBuilder::new()
            .wall_clock(FrozenClock)
            .monotonic_clock(FrozenClock)
            .secure_random(random())
            .insecure_random(random())
            .insecure_random_seed(0)
            .build();
        Self { wasi, table: ResourceTable::new(), meter: Meter::new(limits) }
    }
}

impl WasiView for EngineState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// A clock that does not advance.
struct FrozenClock;

impl HostWallClock for FrozenClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        Duration::ZERO
    }
}

impl HostMonotonicClock for FrozenClock {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        0
    }
}

/// Error: the top level called a host function.
#[derive(Debug)]
struct HostCallDenied(String);

impl fmt::Display for HostCallDenied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.0;
        write!(
            f,
            "its top level asks for `{what}`, and there is no event yet to answer by: ask within `handle`"
        )
    }
}

impl std::error::Error for HostCallDenied {}

fn create_linker(engine: &Engine, component: &Component) -> wasmtime::Result<Linker<EngineState>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    for (name, item) in component.component_type().imports(engine) {
        if let Some(interface) = name.strip_prefix("hookbox:hook/")
            && let ComponentItem::ComponentInstance(exports) = item.ty
        {
            let interface = interface.split('@').next().unwrap_or(interface);
            let mut instance = linker.instance(name)?;
            let functions = exports.exports(engine);
            let functions = functions.filter(|(_, item)| matches!(item.ty, ComponentItem::ComponentFunc(_)));
            for (function, _) in functions {
                let what = format!("{interface}.{function}");
                // A log line at the top level is harmless; there is no report yet that could have it.
                let is_log = what == "log.write";
                instance.func_new(function, move |_, _, _, _| {
                    if is_log { Ok(()) } else { Err(wasmtime::Error::new(HostCallDenied(what.clone()))) }
                })?;
            }
        }
    }
    Ok(linker)
}

/// An instance whose memory is read.
struct RunningScript {
    store: Store<EngineState>,
    instance: Instance,
}

impl RunningScript {
    /// Calls a function that the instrumented component exports. Wizer calls no other.
    async fn call_export<R: Lift + 'static, T>(
        &mut self,
        (instance, function): (&str, &str),
        take: impl FnOnce(&mut Store<EngineState>, R) -> T,
    ) -> Option<T> {
        let func = self.find_function(instance, function)?.typed::<(), (R,)>(&self.store).ok()?;
        let (output,) = func.call_async(&mut self.store, ()).await.ok()?;
        Some(take(&mut self.store, output))
    }

    fn find_function(&mut self, instance: &str, function: &str) -> Option<Func> {
        let instance = self.instance.get_export_index(self.store.as_context_mut(), None, instance)?;
        let function =
            self.instance.get_export_index(self.store.as_context_mut(), Some(&instance), function)?;
        self.instance.get_func(&mut self.store, function)
    }
}

impl ComponentInstanceState for RunningScript {
    async fn call_func_ret_list_u8(
        &mut self,
        instance: &str,
        func: &str,
        contents: impl FnOnce(&[u8]) + Send,
    ) {
        let take = |store: &mut Store<EngineState>, list: WasmList<u8>| contents(list.as_le_slice(&*store));
        self.call_export((instance, func), take).await;
    }

    async fn call_func_ret_s32(&mut self, instance: &str, func: &str) -> i32 {
        self.call_export((instance, func), |_, value| value).await.unwrap_or_default()
    }

    async fn call_func_ret_s64(&mut self, instance: &str, func: &str) -> i64 {
        self.call_export((instance, func), |_, value| value).await.unwrap_or_default()
    }

    async fn call_func_ret_f32(&mut self, instance: &str, func: &str) -> u32 {
        self.call_export((instance, func), |_, value: f32| value.to_bits()).await.unwrap_or_default()
    }

    async fn call_func_ret_f64(&mut self, instance: &str, func: &str) -> u64 {
        self.call_export((instance, func), |_, value: f64| value.to_bits()).await.unwrap_or_default()
    }
}
