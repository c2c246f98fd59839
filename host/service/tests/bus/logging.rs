//! Log records of hooks.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use hookbox::model::Answer;
use hookbox_service::{
    HookSource,
    bus::{HookBus, LogSink},
};
use serde_json::{Value, json};

use super::{
    Bed,
    bed::{build_failing_gate, build_gate, build_service, to_members},
    before_tool,
};

fn collect_records(
    hooks: impl IntoIterator<Item = (hookbox::CallbackHook, hookbox::Callback)>,
) -> Vec<Value> {
    Bed::with(hooks).run(async |mut bed| {
        bed.ask_about("BeforeTool", before_tool()).await;
        let mut records = bed.records();
        for record in &mut records {
            for duration in ["duration", "totalDuration"] {
                if let Some(duration) = record.get_mut(duration) {
                    assert!(duration.is_u64());
                    *duration = json!(0);
                }
            }
        }
        records
    })
}

fn build_result(hook: &str, success: bool) -> Value {
    json!({"type": "hook:result", "eventName": "BeforeTool", "hookIdentity": hook, "duration": 0,
        "success": success, "stderr": ""})
}

fn build_summary(hooks: usize, failures: usize) -> Value {
    json!({"type": "hook:batch_summary", "eventName": "BeforeTool", "hookCount": hooks,
        "successCount": hooks - failures, "failureCount": failures, "totalDuration": 0})
}

#[test]
fn htel_001_each_hook_has_a_record() {
    let logged = collect_records([
        build_gate("one", Answer::default()),
        build_gate("two", Answer::deny("no", "not here")),
    ]);
    assert_eq!(logged, [build_result("one", true), build_result("two", true), build_summary(2, 0)]);
}

#[cfg(unix)]
#[test]
fn htel_001_of_a_process_exit_code_and_both_outputs_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("hooks.toml");
    let hook = r#"
[[hook]]
name = "sh"
on = "tool.before"
shell = { command = "echo out; echo err >&2; exit 3" }
"#;
    std::fs::write(&config, hook).unwrap();
    Bed::with([]).run(async |_| {
        let service = build_service(folder.path(), HookSource::File(config.clone()));
        let kept = Arc::new(std::sync::Mutex::new(Vec::new()));
        let sink = Arc::clone(&kept);
        let sink: LogSink =
            Arc::new(move |record| sink.lock().unwrap().push(serde_json::to_value(record).unwrap()));
        let bus = HookBus::builder(service, "s", folder.path()).log(sink).build();
        bus.fire("BeforeTool", to_members(&before_tool())).await.unwrap();
        let records = kept.lock().unwrap().clone();
        let of = |member: &str| records[0][member].clone();
        assert_eq!(
            (of("hookIdentity"), of("success"), of("exitCode"), of("stdout"), of("stderr")),
            (json!("sh"), json!(false), json!(3), json!("out"), json!("err"))
        );
        assert!(of("errorMessage").is_string());
    });
}

#[test]
fn htel_002_each_event_has_one_summary_whose_numbers_add_up() {
    assert_eq!(collect_records([]), [build_summary(0, 0)]);
    let logged = collect_records([
        build_gate("one", Answer::default()),
        build_gate("two", Answer::default()),
        build_failing_gate("three"),
    ]);
    assert_eq!(logged.last(), Some(&build_summary(3, 1)));
    let summaries = logged.iter().filter(|record| record["type"] == "hook:batch_summary");
    assert_eq!(summaries.count(), 1);
}

#[test]
fn htel_003_each_failure_has_a_diagnostic_of_its_own() {
    let mut failed = build_result("two", false);
    failed["errorMessage"] = json!("out of paper");
    let diagnostic = |hook: &str| {
        json!({"type": "hook:failure_diagnostic", "eventName": "BeforeTool", "hookIdentity": hook,
            "errorCode": "hook-error", "errorMessage": "out of paper"})
    };
    assert_eq!(
        collect_records([build_gate("one", Answer::default()), build_failing_gate("two")]),
        [build_result("one", true), failed, diagnostic("two"), build_summary(2, 1)]
    );
}

#[test]
fn a_log_that_fails_keeps_no_answer_back() {
    Bed::with([build_gate("one", Answer::deny("no", "not here"))]).run(async |bed| {
        let calls = Arc::<AtomicUsize>::default();
        let counted = Arc::clone(&calls);
        let sink: LogSink = Arc::new(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            std::panic::resume_unwind(Box::new("the disk is full"));
        });
        let bus = HookBus::builder(bed.service.clone(), "s", &std::env::temp_dir()).log(sink).build();
        let result = bus.fire("BeforeTool", to_members(&before_tool())).await.unwrap();
        assert_eq!(result.aggregated.final_output.unwrap()["decision"], json!("deny"));
        assert_eq!(calls.load(Ordering::SeqCst), 2);
    });
}
