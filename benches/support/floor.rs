//! The floor: bare wasmtime with the host's settings and limits, the same component, the same event. Only a fresh store, an instantiation,
//! a typed call, and a drop.

use std::{fs, path::Path};

use hookbox::model::{Event, Json};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, ResourceLimiter, Store,
    WasmFeatures,
    component::{Component, HasSelf, Linker},
};

mod bindings {
    wasmtime::component::bindgen!({
        path: "wit/0.2.0",
        world: "hook",
        ownership: Borrowing { duplicate_if_necessary: true },
    });
}

use bindings::{
    HookPre,
    hookbox::hook::{clock, config, log, random, source, types},
};

/// A component ready to be called without a host around it.
pub(crate) struct Floor {
    engine: Engine,
    pre: HookPre<State>,
}

struct State {
    memory: usize,
    config: &'static str,
}

impl ResourceLimiter for State {
    fn memory_growing(&mut self, _: usize, wanted: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        self.memory = wanted;
        Ok(wanted <= 64 << 20)
    }
    fn table_growing(&mut self, _: usize, wanted: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(wanted <= 20_000)
    }
}

impl types::Host for State {}
impl log::Host for State {
    fn write(&mut self, _: log::Level, _: String) {}
}
impl config::Host for State {
    fn get(&mut self) -> String {
        self.config.to_owned()
    }
}
impl source::Host for State {
    fn read(&mut self) -> String {
        String::new()
    }
}

impl clock::Host for State {
    fn now(&mut self) -> u64 {
        0
    }
}
impl random::Host for State {
    fn bytes(&mut self, _: u32) -> Vec<u8> {
        Vec::new()
    }
}

impl Floor {
    /// Uses the native code that the host left in `cache`, so that both run identical code.
    pub(crate) fn new(cache: &Path) -> Self {
        let engine = Engine::new(&create_settings()).unwrap();
        let mut linker = Linker::new(&engine);
        types::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).unwrap();
        log::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).unwrap();
        config::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).unwrap();
        source::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).unwrap();
        clock::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).unwrap();
        random::add_to_linker::<_, HasSelf<State>>(&mut linker, |state| state).unwrap();
        let pre = linker.instantiate_pre(&load_component(&engine, cache)).and_then(HookPre::new).unwrap();
        Self { engine, pre }
    }

    /// Runs one event.
    pub(crate) fn call_hook(&self, event: &Event) -> bool {
        let mut store = Store::new(&self.engine, State { memory: 0, config: super::CONFIG });
        store.limiter(|state| state);
        store.set_fuel(1_000_000_000).unwrap();
        store.set_hostcall_fuel(2 << 20);
        store.set_epoch_deadline(1_000);
        let hook = self.pre.instantiate(&mut store).unwrap();
        let tool = event.tool.as_ref().unwrap();
        let answer = hook.call_handle(
            &mut store,
            types::Event {
                id: &event.id,
                name: event.name.as_str(),
                agent: &event.agent,
                agent_event: &event.agent_event,
                session: &event.session,
                cwd: &event.cwd,
                time: event.time,
                tool: Some(types::ToolCall {
                    name: &tool.name,
                    class: types::ToolClass::Shell,
                    command: tool.command.as_deref(),
                    paths: &[],
                    input: tool.input.as_str(),
                    output: tool.output.as_ref().map(Json::as_str),
                }),
                payload: event.payload.as_str(),
                original: None,
                outcome: None,
            },
        );
        matches!(answer.unwrap().unwrap().verdict, types::VerdictResult::Ask(_))
    }
}

#[expect(unsafe_code, reason = "native code that the host wrote a moment ago")]
fn load_component(engine: &Engine, cache: &Path) -> Component {
    let mut files = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    let code = files.find(|path| path.extension().is_some_and(|extension| extension == "cwasm")).unwrap();
    unsafe { Component::deserialize_file(engine, code) }.unwrap()
}

/// Returns the settings of `sandbox::engine_settings`; native code that does not fit them is refused when it is loaded.
fn create_settings() -> Config {
    let mut config = Config::new();
    let mut pool = PoolingAllocationConfig::new();
    pool.pagemap_scan(Enabled::Yes)
        .linear_memory_keep_resident(16 << 20)
        .table_keep_resident(64 << 10)
        .total_component_instances(32)
        .total_core_instances(512)
        .total_memories(64)
        .total_tables(128)
        .table_elements(20_000)
        .max_memory_size(64 << 20);
    config
        .consume_fuel(true)
        .epoch_interruption(true)
        .concurrency_support(false)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool))
        .wasm_features(WasmFeatures::THREADS | WasmFeatures::RELAXED_SIMD, false)
        .wasm_features(WasmFeatures::MEMORY64 | WasmFeatures::EXCEPTIONS, false)
        .wasm_features(WasmFeatures::GC | WasmFeatures::FUNCTION_REFERENCES | WasmFeatures::CM_ASYNC, false)
        .wasm_features(WasmFeatures::GC_TYPES, false)
        .wasm_features(WasmFeatures::CUSTOM_PAGE_SIZES | WasmFeatures::WIDE_ARITHMETIC, false);
    config
}
