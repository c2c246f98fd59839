//! The only generated bindings: the hook world as Rust types.
#![expect(clippy::pedantic, clippy::indexing_slicing, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../../wit",
    world: "hook",
    ownership: Borrowing { duplicate_if_necessary: true },
    imports: { default: trappable },
    exports: { default: async },
});
