//! What a hook of Code-Forge's file is told, and what is told of it.

use std::fs;

use serde_json::{Value, json};

use crate::TestBed;

const BASH: &str = r#"{"type":"tool:pre_execute","timestamp":1700000000.5,"session_id":"s","tool_name":"bash",
    "data":{"tool_args":{"command":"echo '$(reboot)'"}}}"#;

fn create_bed(command: &str) -> TestBed {
    let bed = TestBed::new();
    let file = json!({ "hooks": [{ "event": "tool:pre_execute:bash", "command": command }] });
    bed.write_file("[PROJECT]/hooks.json", &file.to_string());
    bed
}

/// The event's hook in the report of a run.
fn read_report(bed: &TestBed) -> Value {
    let report = "[PROJECT]/report.json";
    let words = ["run", "--agent", "code-forge", "--source", "[PROJECT]/hooks.json", "--report", report];
    bed.run_with_input(&mut bed.build_command(&words), BASH.as_bytes());
    let text = fs::read_to_string(bed.resolve_path(report)).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["hooks"][0].clone()
}

#[test]
fn the_short_names_of_its_examples_are_variables_and_nothing_is_put_into_the_command() {
    let bed = create_bed(r#"printf '%s|%s|%s\n' "$EVENT_TYPE" "$TOOL_NAME" "$TOOL_ARGS"; echo '$TOOL_NAME'"#);
    let hook = read_report(&bed);
    assert_eq!(
        hook["process"]["stdout"],
        "tool:pre_execute|bash|{\"command\": \"echo '$(reboot)'\"}\n$TOOL_NAME"
    );
}

#[test]
fn exit_code_and_output_of_a_hook_are_in_the_result() {
    let hook = read_report(&create_bed("echo allowed; echo warned >&2"));
    assert_eq!(hook["process"], json!({ "exit_code": 0, "signal": null, "stdout": "allowed" }));
    assert_eq!(hook["log"][0]["message"], "warned");
    let hook = read_report(&create_bed("echo no; exit 3"));
    assert_eq!(hook["process"], json!({ "exit_code": 3, "signal": null, "stdout": "no" }));
    let hook = read_report(&create_bed("kill -9 $$"));
    assert_eq!(hook["process"], json!({ "exit_code": null, "signal": 9, "stdout": "" }));
    let hook = read_report(&create_bed("head -c 20000 /dev/zero | tr '\\0' x"));
    let stdout = hook["process"]["stdout"].as_str().unwrap();
    assert!(stdout.ends_with("x… [cut: 10000 more characters]"), "{stdout}");
}

/// The kernel's record of a process that the same user starts without hookbox is the expected one.
#[cfg(target_os = "linux")]
#[test]
fn a_hook_has_the_users_rights_and_no_others() {
    let rights = "grep -E '^(Uid|Gid|Groups|Cap[A-Z][a-z]+|NoNewPrivs):' /proc/self/status";
    let bed = create_bed(rights);
    let expected = bed.run_with_input(&mut bed.command_of("/bin/sh".as_ref(), &["-c", rights]), b"").stdout;
    assert!(expected.contains("CapEff:"), "{expected}");
    assert_eq!(read_report(&bed)["process"]["stdout"].as_str(), Some(expected.trim_end()));
}

/// Code-Forge passes its whole environment on.
#[test]
fn a_hook_has_the_environment_without_variables_that_make_a_shell_run_other_code() {
    let bed = create_bed("echo ${MINE-none} ${BASH_ENV-none}");
    let bed = bed.with_variable("MINE", "seen").with_variable("BASH_ENV", "/is/not/there");
    assert_eq!(read_report(&bed)["process"]["stdout"], "seen none");
}

#[test]
fn they_are_shown_to_who_explains_and_without_secrets() {
    let bed = create_bed("echo \"key $HOOK_TOKEN\"; exit 1").with_variable("HOOK_TOKEN", "canary-1234");
    let words = ["explain", "--agent", "code-forge", "--source", "[PROJECT]/hooks.json", "--call-all"];
    let explained = bed.run_with_input(&mut bed.build_command(&words), BASH.as_bytes()).stdout;
    assert!(explained.contains("process: exit code 1, wrote key [redacted]"), "{explained}");
    assert!(!explained.contains("canary"), "{explained}");
}
