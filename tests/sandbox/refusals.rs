//! Files that are no plugin, and components that want what nobody grants.

use std::{fs, os::unix::fs::symlink};

use hookbox::model::FailureCode;

use crate::{Bed, create_hook, dispatch_event, expect_failure, guests, tool_event};

/// Runs whatever is at `name` and returns how it failed.
fn run_to_refusal(bed: &Bed, name: &str) -> (FailureCode, String) {
    let host = bed.builder().hooks([create_hook("it", &bed.join_path(name))]).build();
    let outcome = dispatch_event(&host, tool_event());
    assert_eq!(outcome.verdict.as_str(), "deny", "a gate that cannot run denies");
    let failure = expect_failure(&outcome.reports[0]);
    (failure.code, failure.message.replace(&bed.join_path("").display().to_string(), ""))
}

#[test]
fn a_missing_file_is_named() {
    assert_eq!(
        run_to_refusal(&Bed::new(), "gone.wasm"),
        (
            FailureCode::Missing,
            "cannot read the plugin gone.wasm: No such file or directory (os error 2)".to_owned()
        )
    );
}

#[test]
fn each_kind_of_file_that_is_not_a_component_has_its_own_error() {
    let bed = Bed::new();
    bed.write_file("empty.wasm", b"");
    bed.write_file("random.wasm", &[0x5a; 4096]);
    bed.write_file("core.wasm", &guests::build_component("core_module"));
    fs::create_dir(bed.join_path("folder.wasm")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        bed.join_path("fifo.wasm"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    for (name, message) in [
        ("empty.wasm", "the plugin empty.wasm is empty"),
        ("random.wasm", "the plugin random.wasm is not a wasm component"),
        (
            "core.wasm",
            "the plugin core.wasm is a core wasm module and no program, since it has no `_start`; build it for WASI, or make a component of it with `wasm-tools component new`",
        ),
        ("folder.wasm", "the plugin folder.wasm is a directory; name the .wasm file in it"),
        ("fifo.wasm", "the plugin fifo.wasm is not a plain file"),
    ] {
        assert_eq!(run_to_refusal(&bed, name), (FailureCode::BadComponent, message.to_owned()));
    }
}

#[test]
fn a_truncated_or_damaged_component_is_refused_by_the_compiler() {
    let bed = Bed::new();
    let good = guests::build_component("denies");
    bed.write_file("half.wasm", &good[..good.len() / 2]);
    let (code, message) = run_to_refusal(&bed, "half.wasm");
    assert_eq!(code, FailureCode::BadComponent);
    assert!(message.starts_with("the plugin half.wasm cannot be compiled: "), "{message}");
}

#[test]
fn a_component_of_another_world_is_named_so() {
    let bed = Bed::new();
    bed.write_plugin("other_world");
    let (code, message) = run_to_refusal(&bed, "other_world.wasm");
    assert_eq!(code, FailureCode::BadComponent);
    assert!(
        message.starts_with("other_world.wasm is not a component of the world hookbox:hook/hook: "),
        "{message}"
    );
}

#[test]
fn an_interface_may_be_imported_by_two_versions_that_go_together() {
    let bed = Bed::new();
    bed.write_plugin("two_versions");
    let (code, message) = run_to_refusal(&bed, "two_versions.wasm");
    assert_eq!(code, FailureCode::BadComponent, "it lacks `handle`, and no import: {message}");
}

#[test]
fn an_import_that_is_not_granted_is_refused_by_its_name() {
    let bed = Bed::new();
    bed.write_plugin("asks_ungranted");
    let (code, message) = run_to_refusal(&bed, "asks_ungranted.wasm");
    assert_eq!(code, FailureCode::Refused);
    assert_eq!(
        message,
        "the plugin asks_ungranted.wasm imports `wasi:keyvalue/store@0.2.0`, which hookbox does not have: build it \
         without, or against hookbox's world"
    );
}

/// Each of these turns on again if a crate elsewhere in the tree asks for wasmtime's features.
#[test]
fn components_that_need_a_switched_off_proposal_are_refused() {
    let bed = Bed::new();
    let body =
        |extra: &str, code: &str| format!(r#"(component (core module {extra} (func (export "f") {code})))"#);
    for (proposal, text) in [
        ("memory64", body("(memory i64 1)", "")),
        ("threads", body("(memory 1 1 shared)", "")),
        ("gc", body("(type (struct (field i32)))", "")),
        ("function-references", body("(type $t (func)) (func (param (ref $t)))", "")),
        ("exceptions", body("(tag $t)", "(throw $t)")),
        (
            "relaxed-simd",
            body("", "(drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0)))"),
        ),
        ("custom-page-sizes", body("(memory 1 (pagesize 1))", "")),
        ("wide-arithmetic", body("", "(i64.mul_wide_u (i64.const 1) (i64.const 1)) (drop) (drop)")),
        (
            "component-async",
            r"(component (core func $c (canon context.get i32 0)) (core func (canon task.cancel)))"
                .to_owned(),
        ),
        ("component-error-context", r"(component (core func (canon error-context.drop)))".to_owned()),
    ] {
        bed.write_file(
            &format!("{proposal}.wasm"),
            &wat::parse_str(&text).unwrap_or_else(|e| panic!("{proposal}: {e}")),
        );
        let (code, message) = run_to_refusal(&bed, &format!("{proposal}.wasm"));
        assert_eq!(code, FailureCode::BadComponent, "{proposal}: {message}");
        assert!(message.contains("cannot be compiled"), "{proposal}: {message}");
    }
}

#[test]
fn a_link_to_a_plugin_is_followed() {
    let bed = Bed::new();
    let plugin = bed.write_plugin("none");
    symlink(plugin, bed.join_path("link.wasm")).unwrap();
    let host = bed.builder().hooks([create_hook("it", &bed.join_path("link.wasm"))]).build();
    assert_eq!(dispatch_event(&host, tool_event()).verdict.as_str(), "none");
}
