//! The hooks of `docs/reference/templates/code-forge-hooks.json`, as they stand.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::TestBed;

/// Runs the templates on an event of Code-Forge.
fn run(bed: &TestBed, event: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/templates/code-forge-hooks.json");
    let arguments = ["run", "--agent", "code-forge", "--source", file.to_str().unwrap()];
    bed.run_with_input(&mut bed.build_command(&arguments), event.as_bytes()).to_string()
}

const NOTHING: &str = "exit code 0\n--- stdout\n--- stderr\n";

fn write_event(tool: &str) -> String {
    format!(
        r#"{{"type":"tool:post_execute","timestamp":1700000000.5,"session_id":"s","tool_name":"{tool}",
            "data":{{"tool_args":{{"file_path":"a"}},"tool_result":{{"success":true}}}}}}"#
    )
}

const START: &str = r#"{"type":"session:start","timestamp":1700000001.5,"data":{}}"#;

#[test]
fn every_event_is_a_line_of_the_audit_log() {
    let bed = TestBed::new();
    assert_eq!(run(&bed, START), NOTHING);
    assert_eq!(run(&bed, &write_event("bash")), NOTHING);
    let log = bed.resolve_path("[HOME]/.local/state/forge/audit.log");
    assert_eq!(
        fs::read_to_string(&log).unwrap(),
        "1700000001.5 - session:start -\n1700000000.5 s tool:post_execute bash\n"
    );
    assert_eq!(fs::metadata(&log).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn what_cannot_be_logged_is_blocked() {
    let bed = TestBed::new();
    bed.write_file("[HOME]/.local/state/forge", "no folder");
    assert!(run(&bed, &write_event("bash")).starts_with("exit code 2\n"));
}

#[test]
fn the_start_of_a_session_shows_a_desktop_notification() {
    let bed = TestBed::new();
    let program = bed.write_file("[HOME]/bin/notify-send", "#!/bin/sh\necho \"$@\" >> \"$HOME/notified\"\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let bed = bed.with_variable("PATH", &path);
    assert_eq!(run(&bed, START), NOTHING);
    assert_eq!(
        fs::read_to_string(bed.resolve_path("[HOME]/notified")).unwrap(),
        "Code-Forge session:start\n"
    );
}

fn run_git(bed: &TestBed, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    let output = command.args(arguments).current_dir(bed.resolve_path("[PROJECT]")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_a_tool_has_written_is_committed() {
    let bed = TestBed::new();
    bed.write_file("[HOME]/.gitconfig", "[user]\nname = dev\nemail = dev@example.org\n");
    run_git(&bed, &["init", "--quiet"]);
    bed.write_file("[PROJECT]/a", "1");
    assert_eq!(run(&bed, &write_event("bash")), NOTHING);
    assert_eq!(run(&bed, &write_event("write")), NOTHING);
    assert_eq!(run(&bed, &write_event("write")), NOTHING);
    assert_eq!(run_git(&bed, &["log", "--format=%s", "--name-only"]), "Auto-save: write\n\na\n");
}

#[test]
fn outside_of_a_repository_nothing_is_committed() {
    let bed = TestBed::new();
    fs::remove_dir(bed.resolve_path("[PROJECT]/.git")).unwrap();
    assert_eq!(run(&bed, &write_event("write")), NOTHING);
}
