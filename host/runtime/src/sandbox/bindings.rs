//! The only generated bindings: the hook world as Rust types.
wasmtime::component::bindgen!({
    path: "../../wit",
    world: "hook",
    ownership: Borrowing { duplicate_if_necessary: true },
    imports: { default: trappable },
});
