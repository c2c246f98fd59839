//! Hosts of one machine, one after another, as in a process that lives on while its hooks and their files change.

use std::{fs, os::unix::fs::symlink};

use hookbox::{
    HookSpec, Hooks, Host, Machine, Origin, Sha256Digest, Target,
    hook::WasmSpec,
    model::{FailureCode, Grants, Layer, Outcome, Start, Status},
    sandbox::compile::Compiler,
};

use crate::{
    Bed, create_compiler, create_hook, dispatch_event, expect_failure, find_failure_code, guests, tool_event,
};

/// A machine that keeps no native code, and whose compiler is gone once it has compiled what is to be shared.
struct Reloading {
    bed: Bed,
    machine: Machine,
}

impl Reloading {
    fn new() -> Self {
        let bed = Bed::new();
        let Compiler::Process(program) = create_compiler() else { panic!("the compiler is a program") };
        symlink(program, bed.join_path("compile")).unwrap();
        let machine = Machine::builder().compiler(Compiler::Process(bed.join_path("compile"))).build();
        Self { bed, machine }
    }

    /// Another set of hooks with this one in it.
    fn create_host(&self, hook: HookSpec) -> Host {
        self.machine.create_host(Hooks::new().hooks([hook]))
    }

    fn nothing_is_compiled_any_more(&self) {
        fs::remove_file(self.bed.join_path("compile")).unwrap();
    }
}

/// The verdict, or the code of the failure; and whether it was loaded for this.
fn comes_to(host: &Host) -> (String, Option<Start>) {
    let Outcome { verdict, reports, .. } = dispatch_event(host, tool_event());
    let said = match &reports[0].status {
        Status::Failed(failure) => failure.code.as_str().to_owned(),
        _ => verdict.as_str().to_owned(),
    };
    (said, reports[0].usage.start)
}

fn deny_with(start: Start) -> (String, Option<Start>) {
    ("deny".to_owned(), Some(start))
}

/// It would have to be loaded, and cannot be.
fn is_not_shared(host: &Host) -> bool {
    let report = dispatch_event(host, tool_event()).reports.remove(0);
    matches!(report.status, Status::Failed(_)) && expect_failure(&report).code != FailureCode::Replaced
}

#[test]
fn two_hosts_of_a_machine_load_a_plugin_once() {
    let bed = Reloading::new();
    let gate = bed.bed.create_gate("denies");
    let first = bed.create_host(gate.clone());
    assert_eq!(comes_to(&first), deny_with(Start::Cold));
    assert_eq!(comes_to(&first), deny_with(Start::Warm));
    bed.nothing_is_compiled_any_more();
    let second = bed.create_host(gate.clone());
    assert_eq!(comes_to(&second), deny_with(Start::Warm));
    // A host has it from the one before, even if that one is gone when it is first called.
    let third = bed.create_host(gate);
    drop((first, second));
    assert_eq!(comes_to(&third), deny_with(Start::Warm));
}

#[test]
fn a_plugin_that_no_host_has_is_dropped() {
    let bed = Reloading::new();
    let gate = bed.bed.create_gate("denies");
    let first = bed.create_host(gate.clone());
    assert_eq!(comes_to(&first), deny_with(Start::Cold));
    drop(first);
    bed.nothing_is_compiled_any_more();
    assert!(is_not_shared(&bed.create_host(gate)));
}

#[test]
fn a_changed_file_is_loaded_anew_and_who_has_the_old_one_keeps_it() {
    let bed = Reloading::new();
    let gate = bed.bed.create_gate("denies");
    let before = bed.create_host(gate.clone());
    assert_eq!(comes_to(&before), deny_with(Start::Cold));
    bed.bed.write_file("denies.wasm", &guests::build_component("none"));
    let after = bed.create_host(gate.clone());
    assert_eq!(comes_to(&after), ("none".to_owned(), Some(Start::Cold)));
    assert_eq!(comes_to(&before), deny_with(Start::Warm));
    // Back again: what the first host has is what is in the file.
    bed.nothing_is_compiled_any_more();
    bed.bed.write_file("denies.wasm", &guests::build_component("denies"));
    assert_eq!(comes_to(&bed.create_host(gate.clone())), deny_with(Start::Warm));
    drop(before);
    assert!(is_not_shared(&bed.create_host(gate)));
}

#[test]
fn the_file_is_looked_at_though_its_plugin_is_loaded() {
    let bed = Reloading::new();
    let gate = bed.bed.create_gate("denies");
    let pinned = |digest: &str| {
        let Target::Wasm(wasm) = gate.target.clone() else { panic!("it calls a plugin") };
        let wasm = WasmSpec { sha256: Some(Sha256Digest::parse(digest).unwrap()), ..wasm };
        HookSpec { target: Target::Wasm(wasm), ..gate.clone() }
    };
    let first = bed.create_host(gate.clone());
    let digest = dispatch_event(&first, tool_event()).reports[0].plugin.clone().unwrap().digest;
    bed.nothing_is_compiled_any_more();
    assert_eq!(comes_to(&bed.create_host(pinned(&digest))), deny_with(Start::Warm));
    let other = bed.create_host(pinned(&"0".repeat(64)));
    assert_eq!(find_failure_code(&dispatch_event(&other, tool_event()).reports[0]), FailureCode::Replaced);
    fs::remove_file(bed.bed.join_path("denies.wasm")).unwrap();
    let gone = bed.create_host(gate.clone());
    assert_eq!(find_failure_code(&dispatch_event(&gone, tool_event()).reports[0]), FailureCode::Missing);
    assert_eq!(comes_to(&first), deny_with(Start::Warm));
}

#[test]
fn a_plugin_with_another_path_grant_or_trust_counts_as_another_plugin() {
    let bed = Reloading::new();
    let gate = bed.bed.create_gate("denies");
    let Target::Wasm(wasm) = gate.target.clone() else { panic!("it calls a plugin") };
    let first = bed.create_host(gate.clone());
    assert_eq!(comes_to(&first), deny_with(Start::Cold));
    bed.nothing_is_compiled_any_more();
    let calls = |wasm: WasmSpec| HookSpec { target: Target::Wasm(wasm), ..gate.clone() };
    let granted = Grants { http: vec!["https://a.example".parse().unwrap()], ..wasm.grants.clone() };
    fs::copy(&wasm.path, bed.bed.join_path("copy.wasm")).unwrap();
    let within = bed.bed.join_path("").canonicalize().unwrap();
    let of_project = Origin { layer: Layer::Project, ..gate.origin.clone() };
    for other in [
        HookSpec { origin: of_project, ..gate.clone() },
        calls(WasmSpec { grants: granted, ..wasm.clone() }),
        calls(WasmSpec { path: bed.bed.join_path("copy.wasm"), ..wasm.clone() }),
        calls(WasmSpec { confined_to: Some(within), ..wasm.clone() }),
    ] {
        assert!(is_not_shared(&bed.create_host(other)));
    }
    assert_eq!(comes_to(&bed.create_host(create_hook("another", &wasm.path))), deny_with(Start::Warm));
}
