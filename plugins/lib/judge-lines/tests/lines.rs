//! The program `guard-shell`, as the user runs it.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests start the program, and one that cannot go on fails"
)]

use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Exit code, standard output and standard error of the program with these arguments and this input.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_guard-shell"));
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    // It may have ended before it read anything.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn each_line_is_judged_and_a_stopped_one_has_its_reason() {
    let (code, out, _) = run(&["--cwd", "/code/project"], "ls -la\n\nsudo rm -rf /\n");
    assert_eq!(code, Some(1));
    assert_eq!(
        out,
        "none  ls -la\ndeny  sudo rm -rf /\n      `rm -rf /` removes / (seen through: sudo). Instead: name the files or folders inside \
         the project that are to go. The user can allow it: this once with `hookbox allow --once`, always with `off = [\"rm-root\"]` under \
         `[hook.config]` of this hook in hooks.toml (rm-root)\n"
    );
    assert_eq!(run(&["--stopped"], "ls\ntrue\n"), (Some(0), String::new(), String::new()));
}

#[test]
fn lines_may_be_objects_with_a_folder_and_answers_too() {
    let (code, out, _) =
        run(&["--json"], "{\"command\": \"ls\\u001b[31m\", \"cwd\": \"/code\"}\n{\"c\": \"reboot\"}\n");
    assert_eq!(code, Some(1));
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, second] = lines.as_slice() else { unreachable!("two lines came in") };
    assert_eq!(first, &serde_json::json!({ "command": "ls\u{1b}[31m", "verdict": "none" }));
    assert_eq!((&second["verdict"], &second["code"]), (&"deny".into(), &"system-power".into()));
}

#[test]
fn facts_are_printed_in_place_of_a_judgement() {
    let (code, out, error) = run(&["--cwd", "/code", "--facts"], "sudo reboot\nrm x\n");
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [first, second] = lines.as_slice() else { unreachable!("two lines came in") };
    assert_eq!(first["commands"][1]["program"], "reboot");
    assert_eq!(second["paths"][0]["path"], "/code/x");
}

#[test]
fn the_settings_are_those_of_the_hook_in_a_file() {
    let folder = std::env::temp_dir().join(format!("guard-shell-lines-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("hooks.toml");
    let settings = "[[hook]]\nname = \"g\"\nwasm = { plugin = \"guard-shell\" }\n[hook.config]\noff = [\"system-power\"]\n";
    std::fs::write(&file, settings).unwrap();
    let path = file.to_str().unwrap();
    assert_eq!(run(&["--config", path], "reboot\n"), (Some(0), "none  reboot\n".to_owned(), String::new()));
    std::fs::write(&file, settings.replace("system-power", "power")).unwrap();
    let (code, _, error) = run(&["--config", path], "reboot\n");
    assert_eq!(code, Some(2));
    assert!(error.starts_with("guard-shell: unknown code `power`; the codes are "), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_other_plugin_allows_lines_or_has_a_doubt() {
    let (code, out, error) =
        run(&["--plugin", "allow-safe", "--json", "--cwd", "/code/project"], "ls > a.txt\nrm a.txt\n");
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(
        out,
        "{\"command\":\"ls > a.txt\",\"verdict\":\"allow\"}\n\
         {\"command\":\"rm a.txt\",\"doubt\":\"not known as safe: rm a.txt\",\"verdict\":\"none\"}\n"
    );
}

#[test]
fn wrong_usage_and_input_say_what_to_write() {
    assert_eq!(
        run(&["--colour"], ""),
        (
            Some(2),
            String::new(),
            "guard-shell: unknown option `--colour`; see `guard-shell --help`\n".to_owned()
        )
    );
    let (code, _, error) = run(&[], "ls\n{\"cmd\": 1}\n");
    assert_eq!(code, Some(2));
    assert!(
        error.starts_with("guard-shell: line 2: no command in this JSON: missing field `command`"),
        "{error}"
    );
    let (_, _, error) = run(&[], &"a".repeat((1 << 20) + 1));
    assert_eq!(error, "guard-shell: line 1: it is longer than 1048576 bytes\n");
}
