//! `hookbox log`: what hooks said and decided, kept short, bounded and without secrets.

use std::{
    fs,
    io::{BufRead, BufReader},
    os::unix::fs::PermissionsExt,
};

use insta::assert_snapshot;

use crate::{LS, START, TestBed, format_gate, guests, shell_gate};

const LOG: &str = "[HOME]/.local/state/hookbox/log.jsonl";

/// The lines of the log.
fn read_entries(bed: &TestBed) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(bed.resolve_path(LOG)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Claude Code is about to run this.
fn format_event(command: &str) -> String {
    LS.replace(r#"{"command":"ls"}"#, &serde_json::json!({ "command": command }).to_string())
}

/// Without what each run names anew: an entry's name and its age.
fn mask_ids(text: &str) -> String {
    let line = |line: &str| match line.split_once(' ') {
        Some((id, rest)) if id.len() == 4 && !line.starts_with(' ') => {
            let (verdict, rest) = rest.split_once("  ").unwrap();
            format!("[ID] {verdict}  [AGE]  {}\n", rest.split_once("  ").unwrap().1)
        }
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn calls_of_doctor_are_not_logged_as_calls_of_an_agent() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.run_hookbox(&["install", "cursor", "--yes"]);
    let said = bed.run_hookbox(&["doctor"]).stdout;
    assert!(said.contains("`ls` is denied too"), "{said}");
    assert_eq!(read_entries(&bed), Vec::<serde_json::Value>::new());
}

/// A replayed event, or an agent that lies about the time, must not hide among what is long over.
#[test]
fn what_was_denied_just_now_is_so_whatever_the_agent_says_of_the_time() {
    let bed = TestBed::with_config(&format_gate("denies"));
    let old = r#"{"session_id":"s","transcript_path":"","cwd":"[PROJECT]","hook_event_name":"BeforeTool","timestamp":"2020-01-01T00:00:00Z",
        "tool_name":"run_shell_command","tool_input":{"command":"ls"}}"#;
    bed.answer_as("gemini-cli", old);
    let said = bed.run_hookbox(&["log", "--since", "1h"]).stdout;
    assert!(said.contains("run_shell_command: ls"), "{said}");
}

#[test]
fn a_denied_call_is_logged_with_the_hook_and_its_reason() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.answer_event(LS);
    assert_snapshot!(mask_ids(&bed.run_hookbox(&["log"]).stdout), @"
    [ID] deny  [AGE]  claude-code
      Bash: ls
      denies deny no: because
    ");
}

#[test]
fn what_a_hook_logs_is_kept_and_an_event_about_which_none_says_anything_is_not() {
    let bed = TestBed::with_config(&shell_gate("echo seen >&2", ""));
    bed.answer_event(LS);
    bed.answer_event(START);
    assert_snapshot!(mask_ids(&bed.run_hookbox(&["log"]).stdout), @"
    [ID] no opinion  [AGE]  claude-code
      Bash: ls
      sh
        info: seen
    ");
    let bed = TestBed::with_config(&format_gate("none"));
    bed.answer_event(LS);
    assert!(!bed.resolve_path(LOG).exists());
    let said = bed.run_hookbox(&["log"]);
    assert_eq!(
        (said.code, said.stderr.as_str()),
        (0, "no hook has answered yet ([HOME]/.local/state/hookbox/log.jsonl)\n")
    );
}

#[test]
fn the_log_reports_a_failed_hook() {
    let bed = TestBed::with_config(&shell_gate("exit 9", ""));
    bed.answer_event(LS);
    assert_snapshot!(mask_ids(&bed.run_hookbox(&["log"]).stdout), @"
    [ID] deny  [AGE]  claude-code
      Bash: ls
      sh deny failed: exit: the hook ended with exit code 9: it wrote nothing to standard error
    ");
}

#[test]
fn the_file_is_the_users_alone_and_one_key_switches_it_off() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.answer_event(LS);
    assert_eq!(fs::metadata(bed.resolve_path(LOG)).unwrap().permissions().mode() & 0o777, 0o600);
    let bed = TestBed::with_config(&format!("log = false\n{}", format_gate("denies")));
    assert!(bed.answer_event(LS).stdout.contains("because"));
    assert!(!bed.resolve_path(LOG).exists());
    assert_eq!(bed.run_hookbox(&["log"]).stderr, "nothing is kept: your configuration has `log = false`\n");
    assert!(bed.run_hookbox(&["doctor"]).stdout.contains("log: nothing is kept (`log = false`)"));
}

#[test]
fn secrets_are_taken_out_of_commands_reasons_and_logs() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let hook = format!("echo log {token} >&2; echo why {token} password=hunter2 >&2; exit 2");
    let bed = TestBed::with_config(&shell_gate(&hook, ""))
        .with_variable("APP_SECRET", "canary-1-of-the-environment");
    bed.answer_event(&format_event(&format!(
        "curl -H 'Authorization: Bearer abcdef123456' https://me:pw-1234@h/ -d {token} AKIAIOSFODNN7EXAMPLE \
         canary-1-of-the-environment"
    )));
    let text = fs::read_to_string(bed.resolve_path(LOG)).unwrap();
    for secret in [token.as_str(), "hunter2", "abcdef123456", "pw-1234", "AKIAIOSFODNN7EXAMPLE", "canary-1"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
    assert!(text.contains("curl -H") && text.contains("[redacted]"), "{text}");
}

#[test]
fn the_log_marks_texts_of_an_untrusted_hook_and_removes_terminal_controls() {
    let bed = TestBed::with_config("# no hooks\n");
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &format_gate("denies").replace("[GUESTS]", "plugins"));
    bed.write_bytes("[PROJECT]/.hookbox/plugins/denies.wasm", &guests::build_component("denies"));
    bed.answer_event(&format_event("ls \u{1b}]0;title\u{7} \u{202e}x"));
    let shown = bed.run_hookbox(&["log"]).stdout;
    assert!(shown.contains("denies (of the untrusted project) deny no: because"), "{shown}");
    assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown:?}");
}

#[test]
fn what_is_asked_for_is_shown_and_nothing_else() {
    let bed = TestBed::with_config(
        &(format_gate("denies") + &shell_gate("echo seen >&2", "").replace("tool.before", "session.start")),
    );
    for command in ["one", "two", "three"] {
        bed.answer_event(&format_event(command));
    }
    bed.answer_event(START);
    let commands = |arguments: &[&str]| -> Vec<String> {
        let ran = bed.run_hookbox(&[&["log", "--json"], arguments].concat());
        let entries = ran.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        entries.map(|entry| entry["what"].as_str().unwrap_or("-").to_owned()).collect()
    };
    assert_eq!(commands(&[]), ["one", "two", "three", "-"]);
    assert_eq!(commands(&["--last", "2"]), ["three", "-"]);
    assert_eq!(commands(&["--denied", "--last", "1"]), ["three"]);
    assert_eq!(commands(&["--hook", "sh"]), ["-"]);
    assert_eq!(commands(&["--since", "1h"]).len(), 4);
    let old = fs::read_to_string(bed.resolve_path(LOG)).unwrap().replace("\"time_ms\":1", "\"time_ms\":");
    fs::write(bed.resolve_path(LOG), old).unwrap();
    assert_eq!(commands(&["--since", "1h"]).len(), 0);
}

#[test]
fn counts_are_shown_per_rule_and_today_is_the_last_day() {
    let bed = TestBed::with_config(
        &(format_gate("denies") + &shell_gate("exit 9", "").replace("tool.before", "prompt.submit")),
    );
    let prompt = START
        .replace("SessionStart", "UserPromptSubmit")
        .replace("\"source\":\"startup\"", "\"prompt\":\"x\"");
    for event in [LS, LS, prompt.as_str()] {
        bed.answer_event(event);
    }
    assert_eq!(bed.run_hookbox(&["log", "--counts"]).stdout, "    2  denies no\n    1  sh hook-failed\n");
    let counts: serde_json::Value =
        serde_json::from_str(&bed.run_hookbox(&["log", "--counts", "--hook", "sh", "--json"]).stdout)
            .unwrap();
    let rules = serde_json::json!([{ "hook": "sh", "code": "hook-failed", "count": 1 }]);
    assert_eq!((&counts["schema_version"], &counts["rules"]), (&1.into(), &rules));
    assert_eq!(bed.run_hookbox(&["log", "--today", "--json"]).stdout.lines().count(), 3);
    let old = fs::read_to_string(bed.resolve_path(LOG)).unwrap().replace("\"time_ms\":1", "\"time_ms\":");
    fs::write(bed.resolve_path(LOG), old).unwrap();
    assert_eq!(bed.run_hookbox(&["log", "--today", "--json"]).stdout, "");
    for wrong in [["--today", "--since=1h"], ["--counts", "--follow"]] {
        assert_eq!(bed.run_hookbox(&[&["log"][..], &wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn follow_prints_new_events_until_the_output_is_closed() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.answer_event(&format_event("first"));
    let mut child = bed.build_command(&["log", "--follow", "--last", "1"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("Bash: first")));
    bed.answer_event(&format_event("second"));
    assert!(lines.any(|line| line.contains("Bash: second")));
    drop(lines);
    bed.answer_event(&format_event("third"));
    child.wait().unwrap();
}

#[test]
fn a_damaged_line_is_left_out_and_counted() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.answer_event(LS);
    let text = fs::read_to_string(bed.resolve_path(LOG)).unwrap();
    fs::write(bed.resolve_path(LOG), format!("{{\"time_ms\":\n\u{0}\n{text}")).unwrap();
    let ran = bed.run_hookbox(&["log"]);
    assert!(ran.stdout.contains("Bash: ls"), "{ran}");
    assert_eq!(ran.stderr, "2 damaged lines left out of [HOME]/.local/state/hookbox/log.jsonl\n");
}

#[test]
fn the_log_has_a_bound_whatever_is_said() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.answer_event(&format_event(&"x ü\"\\ ".repeat(100_000)));
    let line = fs::read_to_string(bed.resolve_path(LOG)).unwrap();
    assert!(line.len() <= 4096 && line.contains("denies"), "{line}");
    // Nearly full: what comes next begins a new file, and the one before it stays to be read.
    let count = (512 << 10) / line.len();
    let full = line.repeat(count) + &"\n".repeat((512 << 10) - count * line.len());
    fs::write(bed.resolve_path(LOG), &full).unwrap();
    bed.answer_event(LS);
    let old = bed.resolve_path("[HOME]/.local/state/hookbox/log.old.jsonl");
    assert_eq!((read_entries(&bed).len(), fs::read_to_string(&old).unwrap()), (1, full.clone()));
    let shown = bed.run_hookbox(&["log", "--json", "--last", "1000000"]).stdout;
    assert_eq!(shown.lines().count(), count + 1);
    fs::write(bed.resolve_path(LOG), &full).unwrap();
    bed.answer_event(LS);
    assert_eq!(fs::read_to_string(&old).unwrap().len(), full.len());
}

#[test]
fn a_link_in_the_place_of_the_log_is_not_followed_and_the_answer_stands() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.write_file("[HOME]/notes", "mine");
    fs::create_dir_all(bed.resolve_path("[HOME]/.local/state/hookbox")).unwrap();
    std::os::unix::fs::symlink(bed.resolve_path("[HOME]/notes"), bed.resolve_path(LOG)).unwrap();
    assert!(bed.answer_event(LS).stdout.contains("because"));
    assert_eq!(fs::read_to_string(bed.resolve_path("[HOME]/notes")).unwrap(), "mine");
}

/// Files of agents whose hooks write to standard error and call what is not there, and an event that they are for.
const OWN_FILES: [(&str, &str, &str, &str); 5] = [
    (
        "code-forge",
        "hooks.json",
        r#"{"hooks": [{"event": "session:start", "command": "COMMAND"}]}"#,
        r#"{"type":"session:start","timestamp":1,"data":{}}"#,
    ),
    (
        "cocode",
        "hooks.toml",
        "[[hooks]]\nevent = \"SessionStart\"\n[hooks.shell]\ncommand = \"COMMAND\"\n",
        r#"{"event":"SessionStart","session_id":"s","cwd":"[PROJECT]","env":{}}"#,
    ),
    (
        "claude-code",
        "settings.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "COMMAND"}]}]}}"#,
        START,
    ),
    (
        "gemini-cli",
        "settings.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "COMMAND"}]}]}}"#,
        r#"{"session_id":"s","transcript_path":"","cwd":"[PROJECT]","hook_event_name":"SessionStart",
            "timestamp":"2026-01-01T00:00:00Z","source":"startup"}"#,
    ),
    (
        "llxprt",
        "settings.json",
        r#"{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "COMMAND"}]}]}}"#,
        r#"{"session_id":"s","transcript_path":"","cwd":"[PROJECT]","hook_event_name":"SessionStart",
            "timestamp":"2026-01-01T00:00:00Z","source":"startup"}"#,
    ),
];

#[test]
fn what_hooks_of_agents_own_files_write_and_do_not_find_is_in_the_log() {
    for (agent, name, text, event) in OWN_FILES {
        for (command, expected) in [("echo warned >&2", "warned"), ("no-such-command", "no-such-command")] {
            let bed = TestBed::new();
            let file = format!("[PROJECT]/{name}");
            bed.write_file(&file, &text.replace("COMMAND", command));
            let words = ["run", "--agent", agent, "--source", &file];
            let ran = bed
                .run_with_input(&mut bed.build_command(&words), event.replace("[PROJECT]", "/").as_bytes());
            let said = bed.run_hookbox(&["log"]).stdout;
            assert!(said.contains(expected), "{agent}: {command}\n{said}{ran}");
        }
    }
}

/// Code-Forge's documentation has it so; elsewhere a hook's standard error is no warning.
#[test]
fn code_forges_standard_error_is_a_warning() {
    let (agent, name, text, event) = OWN_FILES[0];
    let bed = TestBed::new();
    let file = format!("[PROJECT]/{name}");
    bed.write_file(&file, &text.replace("COMMAND", "echo look >&2"));
    bed.run_with_input(
        &mut bed.build_command(&["run", "--agent", agent, "--source", &file]),
        event.as_bytes(),
    );
    let said = bed.run_hookbox(&["log"]).stdout;
    assert!(said.contains("warn: look"), "{said}");
}
