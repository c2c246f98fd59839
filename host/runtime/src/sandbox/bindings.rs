//! The only generated bindings: the newest hook world as Rust types. It includes the older worlds unchanged, so these
//! bindings serve components of any version ([`super::capability`]).
wasmtime::component::bindgen!({
    path: "../../wit/0.2.0",
    world: "hook",
    ownership: Borrowing { duplicate_if_necessary: true },
    // Functions that wait for a disk, a server or another guest are asynchronous, so that a hook can time out meanwhile.
    imports: {
        "hookbox:hook/kv": async | trappable,
        "hookbox:hook/http": async | trappable,
        "hookbox:hook/facts": async | trappable,
        default: trappable,
    },
});
