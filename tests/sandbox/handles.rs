//! Handles, waits and time stamps of WASI that make no sense. The code is wasmtime's; that it holds here is ours to show.

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{FailureCode, Grants, HookReport, Json, Limits, Status},
};

use crate::{
    Bed, build_program, create_brief_limits, dispatch_event, expect_failure, find_failure_code, guests,
    tool_event,
};

/// A guest that does with its handles what this letter says.
fn misuse_handles(what: &str) -> HookReport {
    let bed = Bed::new();
    let grants = Grants { http: vec!["https://a.example".parse().unwrap()], ..Grants::default() };
    let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(bed.write_plugin("misuses_handles")) });
    let config = Json::parse(&format!(r#"{{"o":"{what}"}}"#)).unwrap();
    let spec = HookSpec { target, config, ..bed.create_gate("misuses_handles") };
    dispatch_event(&bed.builder().hooks([spec]).build(), tool_event()).reports.remove(0)
}

/// Catalogue H5 and H6.
#[test]
fn a_handle_that_a_guest_does_not_have_any_more_or_never_had_is_a_trap() {
    for what in ["f", "d", "g", "k"] {
        let report = misuse_handles(what);
        assert_eq!(find_failure_code(&report), FailureCode::Trap, "{what}: {:?}", report.status);
    }
    assert!(matches!(misuse_handles("-").status, Status::Answered(_)));
}

const TOO_MANY: &str = "trap: the guest has more open handles than 256";

/// Catalogue H5.
#[test]
fn handles_without_end_end_at_their_number() {
    assert_eq!(expect_failure(&misuse_handles("l")).to_string(), TOO_MANY);
}

/// What a program is told that waits so, as a core module and as a component.
fn run_polls(what: &str, limits: &Limits) -> [HookReport; 2] {
    [guests::build_component, build_program].map(|plugin| {
        let bed = Bed::new();
        let grants = Grants { env: vec!["T".to_owned()], ..Grants::default() };
        let file = bed.write_file("polls.wasm", &plugin("program_polls"));
        let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(file) });
        let spec = HookSpec { target, limits: limits.clone(), ..bed.create_gate("program_polls") };
        let environment = [("T", what)].into_iter().collect();
        dispatch_event(&bed.builder().environment(environment).hooks([spec]).build(), tool_event())
            .reports
            .remove(0)
    })
}

/// Catalogue H2 and H10.
#[test]
fn a_wait_for_nothing_for_too_much_for_the_past_or_for_ever_ends() {
    let told = |what| {
        run_polls(what, &create_brief_limits()).map(|report| match &report.status {
            Status::Failed(failure) => failure.to_string(),
            _ => report.log[0].message.clone(),
        })
    };
    assert_eq!(told("n"), ["L", "L"], "invalid");
    assert_eq!(told("p"), ["0", "0"], "done");
    assert_eq!(told("m"), [TOO_MANY, TOO_MANY]);
    let timeout = "timeout: no answer within 300 ms; if it needs longer, raise the hook's `timeout`";
    assert_eq!(told("e"), [timeout, timeout]);
}
