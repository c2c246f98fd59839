//! hookbox's own files around tool calls, and `hookbox restore`: a change that no command of the user made is reported, denies the session's
//! calls, and is undone or accepted by the user.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
};

use crate::{LS, Ran, START, TestBed, format_gate, switches::at_a_terminal, trust::run_with_keys};

const SETTINGS: &str = ".claude/settings.json";
const HOOKS: &str = ".config/hookbox/hooks.toml";
const NOTES: &str = ".local/state/hookbox/sessions";
/// Beginning of the report for the user and of the reason for the agent.
const CHANGED: &str = "changed during this session, and no `hookbox` command of";
/// Part of the denial's reason.
const DENIED: &str = "No tool runs in this session";
/// Claude Code has run `ls`.
const AFTER: &str = r#"{"session_id":"s","transcript_path":"/h/.claude/s.jsonl","cwd":"[PROJECT]",
    "hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"},
    "tool_response":{"stdout":"","stderr":"","interrupted":false,"isImage":false},"tool_use_id":"t"}"#;

/// Returns the path of a file in the home folder. Unlike [`TestBed::resolve_path`], this ends no session.
fn path_in(bed: &TestBed, file: &str) -> PathBuf {
    bed.resolve_path("[HOME]").join(file)
}

fn read_bytes(bed: &TestBed, file: &str) -> Vec<u8> {
    fs::read(path_in(bed, file)).unwrap()
}

/// A home in which the user has installed hookbox for Claude Code.
fn create_bed() -> TestBed {
    let bed = TestBed::with_config("# no hooks\n");
    let ran = bed.run_hookbox(&["install", "claude-code", "--yes"]);
    assert_eq!(ran.code, 0, "{ran}");
    bed
}

/// The same bed in a session that is about to call a tool.
fn create_session() -> TestBed {
    let bed = create_bed();
    assert_quiet(&bed.answer_event(LS));
    bed
}

fn assert_quiet(answer: &Ran) {
    assert!(answer.code == 0 && !answer.to_string().contains(CHANGED), "{answer}");
}

fn assert_reported(answer: &Ran, file: &str) {
    let shown = format!("{file}` {CHANGED} yours did that: `hookbox restore`");
    assert!(answer.stdout.contains(&shown), "{file}: {answer}");
}

fn assert_denied(answer: &Ran) {
    assert!(
        answer.stdout.contains("\"permissionDecision\":\"deny\"") && answer.stdout.contains(DENIED),
        "{answer}"
    );
}

fn in_session(event: &str, session: &str) -> String {
    event.replace("\"session_id\":\"s\"", &format!("\"session_id\":\"{session}\""))
}

/// Takes hookbox's entries out of Claude Code's settings, as a script that an agent runs would.
fn delete_entries(bed: &TestBed) {
    fs::write(path_in(bed, SETTINGS), "{}\n").unwrap();
}

#[test]
fn a_deleted_entry_is_reported_after_the_call_and_denies_the_next_calls_until_it_is_restored() {
    let bed = create_session();
    let before = read_bytes(&bed, SETTINGS);
    delete_entries(&bed);
    assert_reported(&bed.answer_event(AFTER), SETTINGS);
    for tool in ["Bash", "Read", "mcp__server__tool"] {
        assert_denied(&bed.answer_event(&LS.replace("Bash", tool)));
    }
    let log = bed.run_hookbox(&["log"]).stdout;
    assert!(log.contains("hookbox-changes"), "{log}");

    let ran = run_with_keys(&bed, &["restore"], "y\n");
    let shown = "--- [HOME]/.claude/settings.json\n+++ [HOME]/.claude/settings.json\n";
    assert!(ran.code == 0 && ran.stdout.contains(shown), "{ran}");
    assert!(ran.stderr.contains("Undo this change of [HOME]/.claude/settings.json? [y/N]"), "{ran}");
    assert!(ran.stdout.ends_with("restored  [HOME]/.claude/settings.json\n"), "{ran}");
    assert_eq!(read_bytes(&bed, SETTINGS), before);
    assert_quiet(&bed.answer_event(LS));
    let ran = bed.run_hookbox(&["restore", "--yes"]);
    let nothing = "nothing to restore: every recorded file is as your last command left it\n";
    assert!(ran.code == 0 && ran.stdout == nothing, "{ran}");
}

#[test]
fn without_an_event_after_the_call_the_next_call_is_reported_and_denied() {
    let bed = create_session();
    delete_entries(&bed);
    let answer = bed.answer_event(LS);
    assert_reported(&answer, SETTINGS);
    assert_denied(&answer);
    let again = bed.answer_event(LS);
    assert_denied(&again);
    assert!(!again.stdout.contains("of yours"), "a change is reported once: {again}");
}

#[test]
fn every_change_of_a_file_of_hookboxs_is_found_and_undone() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 7] = [
        (HOOKS, |file| fs::write(file, "# nothing\n").unwrap()),
        (HOOKS, |file| fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap()),
        (HOOKS, |file| fs::remove_file(file).unwrap()),
        (HOOKS, |file| {
            fs::remove_file(file).unwrap();
            symlink("/dev/null", file).unwrap();
        }),
        (".config/hookbox/policy.toml", |file| fs::write(file, "").unwrap()),
        (".local/state/hookbox/switches.json", |file| fs::write(file, "[]").unwrap()),
        (".local/state/hookbox/installed.json", |file| fs::remove_file(file).unwrap()),
    ];
    for (file, change) in changes {
        let bed = create_session();
        let path = path_in(&bed, file);
        let read = || (fs::read(&path).ok(), fs::symlink_metadata(&path).ok().map(|found| found.mode()));
        let before = read();
        change(&path);
        assert_reported(&bed.answer_event(AFTER), file);
        let ran = bed.run_hookbox(&["restore", "--yes"]);
        assert!(ran.code == 0 && ran.stdout.contains(&format!("restored  [HOME]/{file}\n")), "{file}: {ran}");
        assert_eq!(read(), before, "{file}");
        assert_quiet(&bed.answer_event(LS));
    }
}

#[test]
fn an_agents_change_of_its_other_settings_and_equal_content_are_not_differences() {
    let bed = create_session();
    let settings = String::from_utf8(read_bytes(&bed, SETTINGS)).unwrap();
    fs::write(path_in(&bed, SETTINGS), settings.replacen('{', "{\n  \"model\": \"x\",", 1)).unwrap();
    // The same bytes, in a new file.
    let hooks = path_in(&bed, HOOKS);
    let aside = hooks.with_extension("new");
    fs::copy(&hooks, &aside).unwrap();
    fs::rename(&aside, &hooks).unwrap();
    assert_quiet(&bed.answer_event(AFTER));
    assert_quiet(&bed.answer_event(LS));
    let ran = bed.run_hookbox(&["restore", "--yes"]);
    assert!(ran.stdout.contains("nothing to restore"), "{ran}");
}

#[test]
fn commands_of_the_user_between_the_events_are_not_differences() {
    let bed = TestBed::with_config(&format_gate("none"));
    bed.run_hookbox(&["install", "claude-code", "--yes"]);
    assert_quiet(&bed.answer_event(LS));
    assert_eq!(at_a_terminal(&bed, &["disable", "none"]).code, 0);
    assert_quiet(&bed.answer_event(AFTER));
    assert_eq!(bed.run_hookbox(&["install", "gemini-cli", "--yes"]).code, 0);
    assert_quiet(&bed.answer_event(LS));
    assert_eq!(bed.run_hookbox(&["uninstall", "claude-code", "--yes"]).code, 0);
    assert_quiet(&bed.answer_event(AFTER));
}

#[test]
fn a_used_allowance_is_not_a_difference_and_a_forged_one_is() {
    let bed = TestBed::with_config(&format_gate("denies"));
    assert!(bed.answer_event(LS).stdout.contains("because"));
    run_with_keys(&bed, &["allow", "--once"], "y\n");
    let other = in_session(LS, "other");
    assert_quiet(&bed.answer_event(&other.replace("\"ls\"", "\"ls -a\"")));
    assert!(bed.answer_event(LS).stdout.contains("allowed once by the user"));
    assert_quiet(&bed.answer_event(&other.replace("\"ls\"", "\"ls -a\"")));

    let forged = r#"[{"call":"x","hooks":[],"until":99999999999999,"once":false}]"#;
    let file = ".local/state/hookbox/allowed.json";
    fs::write(path_in(&bed, file), forged).unwrap();
    assert_reported(&bed.answer_event(AFTER), file);
    assert_eq!(bed.run_hookbox(&["restore", "--yes"]).code, 0);
    assert_eq!(read_bytes(&bed, file), b"[]");
    assert_quiet(&bed.answer_event(AFTER));
}

#[test]
fn a_command_that_an_agent_runs_is_a_difference_and_an_agent_accepts_none() {
    let bed = create_session();
    let run_as_agent =
        |words: &[&str]| bed.run_with_input(bed.build_command(words).env("CLAUDECODE", "1"), b"");
    assert_eq!(run_as_agent(&["install", "gemini-cli", "--yes"]).code, 0);
    assert_reported(&bed.answer_event(AFTER), ".local/state/hookbox/installed.json");
    for words in [&["restore", "--accept", "--yes"][..], &["restore", "--yes"]] {
        let ran = run_as_agent(words);
        assert!(ran.code == 2 && ran.stderr.contains("nothing was "), "{ran}");
    }
    assert_denied(&bed.answer_event(LS));
}

#[test]
fn an_edit_of_the_user_is_accepted_and_a_declined_change_stays_denied() {
    let bed = create_session();
    fs::write(path_in(&bed, HOOKS), "# edited\n").unwrap();
    assert_reported(&bed.answer_event(LS), HOOKS);
    let ran = run_with_keys(&bed, &["restore"], "n\n");
    assert!(ran.code == 1 && ran.stderr.contains("hooks.toml stays as it is"), "{ran}");
    assert_denied(&bed.answer_event(LS));
    let ran = bed.run_hookbox(&["restore", "--accept", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("this needs the user at a terminal"), "{ran}");
    let ran = run_with_keys(&bed, &["restore", "--accept"], "y\n");
    assert!(ran.code == 0 && ran.stdout.contains("-# no hooks\n+# edited\n"), "{ran}");
    assert!(ran.stdout.ends_with("accepted  [HOME]/.config/hookbox/hooks.toml\n"), "{ran}");
    assert_eq!(read_bytes(&bed, HOOKS), b"# edited\n");
    assert_quiet(&bed.answer_event(LS));
}

#[test]
fn a_dry_run_shows_the_change_and_writes_nothing() {
    let bed = create_session();
    fs::write(path_in(&bed, HOOKS), "# edited\n").unwrap();
    let ran = bed.run_hookbox(&["restore", "--dry-run"]);
    assert!(ran.code == 1 && ran.stdout.contains("-# no hooks\n+# edited\n"), "{ran}");
    assert_eq!(read_bytes(&bed, HOOKS), b"# edited\n");
    assert_reported(&bed.answer_event(AFTER), HOOKS);
}

#[test]
fn a_session_takes_the_files_as_they_are_at_its_start_and_denies_changes_after_it() {
    let bed = create_session();
    let (second, third) = (in_session(LS, "second"), in_session(LS, "third"));
    assert_quiet(&bed.answer_event(&second));
    delete_entries(&bed);
    assert_denied(&bed.answer_event(LS));
    assert_denied(&bed.answer_event(&second));
    assert_quiet(&bed.answer_event(&third));
    // A session that goes on has the pending change still.
    bed.answer_event(START);
    assert_denied(&bed.answer_event(LS));
    fs::write(path_in(&bed, HOOKS), "# edited between two runs of a session\n").unwrap();
    assert_quiet(&bed.answer_event(&in_session(START, "third")));
    assert_quiet(&bed.answer_event(&third));
}

#[test]
fn explain_shows_the_denial_as_a_step_and_notes_nothing() {
    let bed = create_session();
    delete_entries(&bed);
    let event = bed.expand_placeholders(LS);
    for _ in 0..2 {
        let ran = bed.run_with_input(&mut bed.build_command(&["explain"]), event.as_bytes());
        assert!(ran.stdout.contains("  1. hookbox-changes  self-protection\n"), "{ran}");
        assert!(
            ran.stdout.contains("2. hookbox-changes  self-protection\n     deny hookbox-changes\n"),
            "{ran}"
        );
    }
    assert_reported(&bed.answer_event(LS), SETTINGS);
}

#[test]
fn explain_shows_a_refused_write_as_a_step() {
    let bed = create_bed();
    let ran =
        bed.run_hookbox(&["explain", "--agent", "claude-code", "--command", "rm -rf ~/.config/hookbox"]);
    assert!(ran.stdout.contains("  1. hookbox-files  self-protection\n"), "{ran}");
}

#[test]
fn unusable_notes_and_folders_do_not_stop_an_event() {
    let bed = create_session();
    for note in fs::read_dir(path_in(&bed, NOTES)).unwrap() {
        fs::write(note.unwrap().path(), "damaged").unwrap();
    }
    assert_quiet(&bed.answer_event(LS));
    fs::remove_dir_all(path_in(&bed, NOTES)).unwrap();
    fs::write(path_in(&bed, NOTES), "not a folder").unwrap();
    assert_quiet(&bed.answer_event(LS));
    let bed = TestBed::with_config("# no hooks\n");
    bed.write_file("[HOME]/.local/state", "not a folder");
    assert_quiet(&bed.answer_event(LS));
}

#[test]
fn without_a_record_nothing_can_be_restored_and_the_files_can_be_accepted() {
    let bed = TestBed::with_config("# no hooks\n");
    assert_quiet(&bed.answer_event(LS));
    fs::write(path_in(&bed, HOOKS), "# edited\n").unwrap();
    assert_denied(&bed.answer_event(LS));
    let ran = bed.run_hookbox(&["restore", "--yes"]);
    assert!(ran.code == 0 && ran.stderr.contains("not recorded yet: "), "{ran}");
    assert_denied(&bed.answer_event(LS));
    let ran = run_with_keys(&bed, &["restore", "--accept"], "");
    assert!(ran.code == 0 && ran.stdout.contains(" for the first time\n"), "{ran}");
    assert_quiet(&bed.answer_event(LS));
}

#[test]
fn the_notes_and_copies_are_private_and_the_number_of_notes_is_bounded() {
    let bed = create_session();
    for folder in ["sessions", "known-good"] {
        let folder = path_in(&bed, &format!(".local/state/hookbox/{folder}"));
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        for file in fs::read_dir(folder).unwrap() {
            assert_eq!(file.unwrap().metadata().unwrap().mode() & 0o777, 0o600);
        }
    }
    for number in 0..300 {
        fs::write(path_in(&bed, &format!("{NOTES}/{number}.json")), "{}").unwrap();
    }
    bed.answer_event(&in_session(LS, "new"));
    assert!(fs::read_dir(path_in(&bed, NOTES)).unwrap().count() <= 256);
}

#[test]
fn a_file_that_is_too_long_for_a_copy_is_reported_and_not_restored() {
    let bed = create_bed();
    let long = format!("# {}\n", "a".repeat(1 << 20));
    fs::write(path_in(&bed, HOOKS), &long).unwrap();
    assert_eq!(run_with_keys(&bed, &["restore", "--accept"], "y\n").code, 0);
    assert_quiet(&bed.answer_event(LS));
    fs::write(path_in(&bed, HOOKS), "# short\n").unwrap();
    assert_denied(&bed.answer_event(LS));
    let ran = bed.run_hookbox(&["restore", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("hookbox has no copy of it"), "{ran}");
}
