//! Configuration that is being written while it is read, and what is left of it when that fails.

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use crate::{LS, TestBed, format_gate};

const HOOKS: &str = "[HOME]/.config/hookbox/hooks.toml";
/// Runs while the file is written again and again.
const RUNS: usize = 40;

/// Writes the file until told to end: emptied, then written in two parts, with a pause after each step.
fn write_again_and_again(path: &Path, text: &str, pause: Duration, end: &AtomicBool) {
    let (first, second) = text.split_at(text.find("[[hook]]").unwrap());
    while !end.load(Ordering::Relaxed) {
        let mut file = File::create(path).unwrap();
        thread::sleep(pause);
        file.write_all(first.as_bytes()).unwrap();
        thread::sleep(pause);
        file.write_all(second.as_bytes()).unwrap();
        drop(file);
        thread::sleep(pause);
    }
}

/// The hooks of the file, behind a comment that is longer than what is written at once.
fn write_guarded_hooks(bed: &TestBed) -> String {
    bed.write_file(HOOKS, &format_gate("denies"));
    format!("# {}\n{}", "long ".repeat(2000), fs::read_to_string(bed.resolve_path(HOOKS)).unwrap())
}

#[test]
fn no_run_passes_while_the_file_of_its_guard_is_written_in_place() {
    for pause in [Duration::ZERO, Duration::from_millis(3), Duration::from_millis(40)] {
        let bed = TestBed::new();
        let text = write_guarded_hooks(&bed);
        let (path, end) = (bed.resolve_path(HOOKS), AtomicBool::new(false));
        let passed = thread::scope(|scope| {
            scope.spawn(|| write_again_and_again(&path, &text, pause, &end));
            let run = || (0..RUNS / 8).filter(|_| !bed.answer_event(LS).stdout.contains("\"deny\"")).count();
            let running: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
            let passed: usize = running.into_iter().map(|running| running.join().unwrap()).sum();
            end.store(true, Ordering::Relaxed);
            passed
        });
        assert_eq!(passed, 0, "with pauses of {pause:?}");
    }
}

/// As some editors save a file: the old one is moved aside, then the new one is written.
#[test]
fn no_run_passes_while_the_file_of_its_guard_is_moved_aside() {
    let bed = TestBed::new();
    let text = write_guarded_hooks(&bed);
    let (path, end) = (bed.resolve_path(HOOKS), AtomicBool::new(false));
    let passed = thread::scope(|scope| {
        scope.spawn(|| {
            while !end.load(Ordering::Relaxed) {
                fs::rename(&path, path.with_extension("toml~")).unwrap();
                thread::sleep(Duration::from_millis(5));
                fs::write(&path, &text).unwrap();
                thread::sleep(Duration::from_millis(20));
            }
        });
        let passed = (0..10).filter(|_| !bed.answer_event(LS).stdout.contains("\"deny\"")).count();
        end.store(true, Ordering::Relaxed);
        passed
    });
    assert_eq!(passed, 0);
}

#[test]
fn a_file_that_has_just_been_written_counts_as_it_is() {
    let bed = TestBed::with_config("# none");
    fs::write(bed.resolve_path(HOOKS), bed.expand_placeholders(&format_gate("denies"))).unwrap();
    assert!(bed.answer_event(LS).stdout.contains("\"deny\""));
}

#[test]
fn a_file_that_is_there_and_empty_denies_and_says_what_to_write() {
    for nothing in ["", "\n", " \t\r\n"] {
        let bed = TestBed::with_config(nothing);
        let ran = bed.answer_event(LS);
        assert!(ran.stdout.contains("\"deny\"") && ran.stdout.contains("the file is empty"), "{ran}");
        let check = bed.run_hookbox(&["check"]);
        assert_eq!(check.code, 1);
        assert!(check.stderr.contains("`# no hooks` if there are to be none"), "{check}");
    }
    let bed = TestBed::with_config("# no hooks\n");
    assert!(!bed.answer_event(LS).stdout.contains("deny"));
}

#[test]
fn an_agent_file_that_is_not_an_object_denies_and_is_reported() {
    let bash = r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","transcript_path":"",
        "tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;
    for text in ["[]", "[\"a\"]", "null", "1", "\"x\"", "true"] {
        let bed = TestBed::new();
        bed.write_file("[PROJECT]/own.json", text);
        for agent in ["claude-code", "codex", "gemini-cli", "llxprt"] {
            let source = ["--agent", agent, "--source", "[PROJECT]/own.json"];
            let check = bed.run_hookbox(&[&["check"], &source[..]].concat());
            assert!(check.code == 1 && check.stderr.contains("not a JSON object"), "{agent} {text}: {check}");
            let import = bed.run_hookbox(&["import", agent, "[PROJECT]/own.json"]);
            assert_eq!(import.code, 1, "{agent} {text}: {import}");
        }
        let ran = bed.run_with_input(
            &mut bed.build_command(&["run", "--agent", "claude-code", "--source", "[PROJECT]/own.json"]),
            bash.as_bytes(),
        );
        assert!(ran.stdout.contains("\"deny\""), "{text}: {ran}");
    }
}

const CLAUDE: &str = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}"#;

#[test]
fn an_import_that_fails_writes_nothing() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/broken.json", "{");
    let import = |file: &str| bed.run_hookbox(&["import", "claude-code", file, "--output", HOOKS]);
    for file in ["[PROJECT]/broken.json", "[PROJECT]/no-such.json"] {
        assert_eq!(import(file).code, 1);
        assert!(!bed.resolve_path(HOOKS).exists(), "{file}");
    }
    // A folder in which nothing can be made.
    bed.write_file("[PROJECT]/claude.json", CLAUDE);
    let ran =
        bed.run_hookbox(&["import", "claude-code", "[PROJECT]/claude.json", "--output", "/proc/hooks.toml"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("/proc/hooks.toml cannot be written: "), "{ran}");
}

#[test]
fn an_import_writes_a_new_file_and_replaces_none() {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/claude.json", CLAUDE);
    let import = || bed.run_hookbox(&["import", "claude-code", "[PROJECT]/claude.json", "--output", HOOKS]);
    let first = import();
    assert_eq!((first.code, first.stdout.as_str()), (0, ""), "{first}");
    let text = fs::read_to_string(bed.resolve_path(HOOKS)).unwrap();
    assert_eq!(
        text,
        bed.expand_placeholders(&bed.run_hookbox(&["import", "claude-code", "[PROJECT]/claude.json"]).stdout)
    );
    fs::write(bed.resolve_path(HOOKS), "# the user's own").unwrap();
    let second = import();
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("hooks.toml exists; name a new file"), "{second}");
    assert_eq!(fs::read_to_string(bed.resolve_path(HOOKS)).unwrap(), "# the user's own");
    let names: Vec<_> = fs::read_dir(bed.resolve_path(HOOKS).parent().unwrap()).unwrap().collect();
    assert_eq!(names.len(), 1);
}
