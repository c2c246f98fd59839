//! Hooks of the user's own that need garbage collection or exceptions: what they are given, and within which limits.

use std::fmt::Write;

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{FailureCode, HookReport, Limit, Limits, Proposal, Proposals, Status},
};

use crate::{
    Bed, create_brief_limits, create_hook, dispatch_event, expect_failure, find_failure_code, tool_event,
};

const GC: [Proposal; 1] = [Proposal::Gc];
const EXCEPTIONS: [Proposal; 1] = [Proposal::Exceptions];

fn create_spec(bed: &Bed, guest: &str, proposals: &[Proposal]) -> HookSpec {
    let file = bed.write_plugin(guest);
    let proposals: Proposals = proposals.iter().copied().collect();
    let target = Target::Wasm(WasmSpec { proposals, ..WasmSpec::new(&file) });
    HookSpec { target, ..create_hook(guest, &file) }
}

fn run_spec(bed: &Bed, spec: HookSpec) -> HookReport {
    dispatch_event(&bed.builder().hooks([spec]).build(), tool_event()).reports.remove(0)
}

fn run(guest: &str, proposals: &[Proposal], limits: &Limits) -> HookReport {
    let bed = Bed::new();
    run_spec(&bed, HookSpec { limits: limits.clone(), ..create_spec(&bed, guest, proposals) })
}

/// `deny no: because`, or what else came of it.
fn describe_verdict(report: &HookReport) -> String {
    let Status::Answered(answer) = &report.status else { return format!("{:?}", report.status) };
    let reason = answer.verdict.reason().unwrap();
    format!("{} {}: {}", answer.verdict.as_str(), reason.code(), reason.text())
}

#[test]
fn a_hook_that_says_what_it_needs_is_given_that() {
    for (guest, proposals) in
        [("gc_denies", &GC[..]), ("throws_and_catches", &EXCEPTIONS), ("gc_denies", &Proposal::ALL)]
    {
        assert_eq!(
            describe_verdict(&run(guest, proposals, &Limits::default())),
            "deny no: because",
            "{guest}"
        );
    }
}

#[test]
fn a_hook_that_needs_none_answers_as_ever_with_and_without() {
    for proposals in [&[][..], &GC, &EXCEPTIONS, &Proposal::ALL] {
        assert_eq!(describe_verdict(&run("denies", proposals, &Limits::default())), "deny no: because");
    }
}

#[test]
fn a_hook_without_the_needed_feature_is_refused_with_the_line_to_write() {
    for (guest, proposals, feature) in [
        ("gc_denies", &[][..], "gc"),
        ("gc_denies", &EXCEPTIONS, "gc"),
        ("throws_and_catches", &[], "exceptions"),
    ] {
        let failure = expect_failure(&run(guest, proposals, &Limits::default()));
        assert_eq!(failure.code, FailureCode::BadComponent, "{}", failure.message);
        let line = format!("write `features = [\"{feature}\"]` into its `wasm`");
        assert_eq!(failure.message.contains(&line), proposals.is_empty(), "{}", failure.message);
    }
}

#[test]
fn an_untrusted_hook_gets_no_features_whatever_it_declares() {
    let bed = Bed::new();
    let spec = create_spec(&bed, "gc_denies", &GC);
    let Target::Wasm(wasm) = spec.target.clone() else { panic!() };
    let confined_to = Some(bed.join_path(""));
    let report = run_spec(&bed, HookSpec { target: Target::Wasm(WasmSpec { confined_to, ..wasm }), ..spec });
    let failure = expect_failure(&report);
    assert_eq!(failure.code, FailureCode::Refused);
    assert_eq!(failure.message, "`features` are for a hook of the user's own, and this hook is untrusted");
}

#[test]
fn native_code_for_one_engine_is_not_taken_for_another() {
    let bed = Bed::new();
    for proposals in [&[][..], &GC, &EXCEPTIONS, &Proposal::ALL, &[]] {
        assert_eq!(
            describe_verdict(&run_spec(&bed, create_spec(&bed, "denies", proposals))),
            "deny no: because"
        );
    }
    let entries = std::fs::read_dir(bed.join_path("cache")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.split('.').nth(1) == Some("cwasm")).count(), 4);
}

#[test]
fn what_is_allocated_counts_into_the_memory_of_the_call_whether_it_is_kept_or_not() {
    let limits = create_brief_limits()
        .with_limit(Limit::Memory, 8 << 20)
        .unwrap()
        .with_limit(Limit::Timeout, 60_000)
        .unwrap();
    for guest in ["gc_keeps_all", "gc_keeps_nothing", "gc_wants_much"] {
        let report = run(guest, &GC, &limits);
        assert_eq!(find_failure_code(&report), FailureCode::Memory, "{guest}: {:?}", report.status);
        assert!(report.usage.peak_memory <= Some(8 << 20), "{guest}: {:?}", report.usage);
    }
}

#[test]
fn a_wrong_type_and_an_uncaught_exception_are_failed_hooks() {
    let failed = |guest, proposals: &[Proposal]| expect_failure(&run(guest, proposals, &Limits::default()));
    let mistaken = failed("gc_mistakes_a_type", &GC);
    assert_eq!(mistaken.code, FailureCode::Trap);
    insta::assert_snapshot!(mistaken.message, @"the guest trapped: wasm trap: cast failure");
    let thrown = failed("throws", &EXCEPTIONS);
    assert_eq!(thrown.code, FailureCode::Trap);
    insta::assert_snapshot!(thrown.message, @"the guest trapped: thrown Wasm exception");
}

#[test]
fn exceptions_without_end_end_at_a_limit() {
    let report = run("throws_without_end", &EXCEPTIONS, &create_brief_limits());
    assert!(
        matches!(find_failure_code(&report), FailureCode::Memory | FailureCode::Timeout),
        "{:?}",
        report.status
    );
    assert_eq!(
        find_failure_code(&run("throws_too_deep", &EXCEPTIONS, &create_brief_limits())),
        FailureCode::Stack
    );
}

/// A component with a module of these types.
fn of_types(bed: &Bed, types: &str) -> HookReport {
    let text = format!("(component (core module {types}))");
    let file = bed.write_file("types.wasm", &wat::parse_str(text).unwrap());
    let target = Target::Wasm(WasmSpec { proposals: GC.into_iter().collect(), ..WasmSpec::new(&file) });
    run_spec(bed, HookSpec { target, ..create_hook("types", &file) })
}

#[test]
fn types_that_are_many_or_deep_are_refused() {
    let bed = Bed::new();
    let mut group = String::from("(rec");
    (0..20_001).for_each(|at| write!(group, "(type $t{at} (struct (field (ref null $t0))))").unwrap());
    let failure = expect_failure(&of_types(&bed, &format!("{group})")));
    assert_eq!(failure.code, FailureCode::BadComponent);
    assert!(
        failure.message.ends_with("the component has 20001 types, but may have 20000"),
        "{}",
        failure.message
    );
    let mut chain = String::from("(type $t0 (sub (struct)))");
    (1..1000).for_each(|at| write!(chain, "(type $t{at} (sub $t{} (struct)))", at - 1).unwrap());
    assert_eq!(find_failure_code(&of_types(&bed, &chain)), FailureCode::BadComponent);
}
