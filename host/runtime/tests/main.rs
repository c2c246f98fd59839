//! Tests of the library's public interface. `left_out` is a separate program, which is built without features too, and
//! so is `panic_backtrace`, which replaces the panic hook of its process.

mod callback;
mod cancelled_chain;
#[path = "../../../tests/support/case_archive.rs"]
#[expect(dead_code, unreachable_pub, reason = "other tests use more of it")]
mod case_archive;
mod chain;
mod completion_order;
mod dialect_contracts;
mod embedded_words;
mod handlers;
mod hook_id;
mod machine;
mod own_hooks;
mod python;
mod redaction;
mod self_protection;
mod shell;
mod shell_confinement;
mod webhook;
