//! Programs as hooks: core modules and components that read the event and write their answer.

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{FailureCode, HookReport, Limit, Limits, Status, Verdict},
};

use crate::{Bed, build_program, create_brief_limits, dispatch_event, find_failure_code, tool_event};

/// A program as a core module and as a component, by a host that has a variable which is nobody's business.
fn run_both(bed: &Bed, name: &str, limits: &Limits) -> [HookReport; 2] {
    let module = bed.write_plugin(name);
    let component = bed.write_file(&format!("{name}-component.wasm"), &build_program(name));
    [module, component].map(|file| {
        let target = Target::Wasm(WasmSpec::new(file));
        let spec = HookSpec { target, limits: limits.clone(), ..bed.create_gate(name) };
        let environment = [("TOKEN", "secret"), ("HOME", "/home/canary")].into_iter().collect();
        dispatch_event(&bed.builder().environment(environment).hooks([spec]).build(), tool_event())
            .reports
            .remove(0)
    })
}

fn describe_verdict(report: &HookReport) -> String {
    match &report.status {
        Status::Answered(answer) => match answer.verdict.reason() {
            Some(reason) => format!("{} {}: {}", answer.verdict.as_str(), reason.code(), reason.text()),
            None => answer.verdict.as_str().to_owned(),
        },
        Status::Failed(failure) => failure.to_string(),
        Status::Skipped => "skipped".to_owned(),
    }
}

#[test]
fn the_answer_on_standard_output_decides() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_denies", &Limits::default()) {
        assert_eq!(describe_verdict(&report), "deny no: hm");
    }
}

#[test]
fn exit_code_2_denies_where_it_survives_and_any_other_is_a_failure() {
    let bed = Bed::new();
    let told = |program| run_both(&bed, program, &Limits::default()).map(|report| describe_verdict(&report));
    assert_eq!(told("program_exits_2"), ["deny exit-2: no!", "exit: the hook ended with exit code 1: no!"]);
    let failed =
        |code| format!("exit: the hook ended with exit code {code}: it wrote nothing to standard error");
    assert_eq!(told("program_exits_3"), [failed(3), failed(1)]);
}

#[test]
fn a_reason_that_is_not_utf_8_is_reported_with_replacement_characters() {
    let bed = Bed::new();
    let told = run_both(&bed, "program_exits_2_in_latin_1", &Limits::default())
        .map(|report| describe_verdict(&report));
    let reason = "supprim\u{fffd}: no";
    assert_eq!(
        told,
        [format!("deny exit-2: {reason}"), format!("exit: the hook ended with exit code 1: {reason}")]
    );
}

#[test]
fn a_deny_counts_whatever_the_exit_code_and_in_claude_codes_words_too() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_denies_and_fails", &Limits::default()) {
        let Status::Answered(answer) = &report.status else { panic!("{report:?}") };
        let Verdict::Deny(reason) = &answer.verdict else { panic!("{answer:?}") };
        assert_eq!(reason.text(), "because");
    }
}

#[test]
fn a_deny_counts_with_an_exit_code_that_wasi_does_not_have() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_exits_130", &Limits::default()) {
        assert_eq!(describe_verdict(&report), "deny no: hm");
    }
}

#[test]
fn an_answer_in_two_languages_or_of_two_minds_is_a_failure() {
    let bed = Bed::new();
    for program in ["program_mixes", "program_blocks_and_allows"] {
        for report in run_both(&bed, program, &Limits::default()) {
            assert_eq!(find_failure_code(&report), FailureCode::BadOutput, "{report:?}");
        }
    }
}

#[test]
fn a_program_reads_the_event_and_its_standard_error_is_its_log() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_repeats", &Limits::default()) {
        assert_eq!(describe_verdict(&report), "none");
        let read: serde_json::Value = serde_json::from_str(&report.log[0].message).unwrap();
        assert_eq!(read["event"], "tool.before");
        assert_eq!(read["tool"]["command"], "ls");
    }
}

#[test]
fn a_program_sees_no_arguments_no_variables_and_no_folders() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_looks_around", &Limits::default()) {
        assert_eq!(report.log[0].message, "0", "{report:?}");
    }
}

#[test]
fn output_without_end_is_cut_off() {
    let bed = Bed::new();
    let limits = Limits::default().with_limit(Limit::Output, 4096).unwrap();
    for report in run_both(&bed, "program_floods", &limits) {
        assert!(
            matches!(find_failure_code(&report), FailureCode::HostCalls | FailureCode::Output),
            "{report:?}"
        );
    }
}

#[test]
fn a_program_that_waits_ends_at_its_timeout() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_sleeps", &create_brief_limits()) {
        assert_eq!(find_failure_code(&report), FailureCode::Timeout);
    }
}

#[test]
fn questions_without_end_end_at_the_number_of_host_calls() {
    let bed = Bed::new();
    for report in run_both(&bed, "program_asks_without_end", &Limits::default()) {
        assert_eq!(find_failure_code(&report), FailureCode::HostCalls, "{report:?}");
    }
}
