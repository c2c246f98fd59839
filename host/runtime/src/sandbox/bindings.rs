//! The only generated bindings: the newest hook world as Rust types. What older ones have is the same in it, so these serve
//! components of any version ([`super::capability`]).
wasmtime::component::bindgen!({
    path: "../../wit/0.2.0",
    world: "hook",
    ownership: Borrowing { duplicate_if_necessary: true },
    // What waits for a disk or a server is asynchronous, so that a hook's time can end meanwhile.
    imports: { "hookbox:hook/kv": async | trappable, "hookbox:hook/http": async | trappable, default: trappable },
});
