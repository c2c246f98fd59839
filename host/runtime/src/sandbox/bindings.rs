//! The only generated bindings: the hook world as Rust types.
wasmtime::component::bindgen!({
    path: "../../wit/0.1.0",
    world: "hook",
    ownership: Borrowing { duplicate_if_necessary: true },
    // What waits for a disk is asynchronous, so that a hook's time can end meanwhile.
    imports: { "hookbox:hook/kv": async | trappable, default: trappable },
});
