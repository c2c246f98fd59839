//! A hook that cocode calls once in a session, over processes.

use std::fs;

use crate::{Ran, TestBed};

const HOOKS: &str = r#"
[[hooks]]
event = "SessionStart"
once = true
name = "greet"
[hooks.shell]
command = 'echo ran >> "$HOME/log"'

[[hooks]]
event = "SessionStart"
[hooks.shell]
command = 'echo each >> "$HOME/log"'
"#;

fn create_bed() -> TestBed {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/hooks.toml", HOOKS);
    bed
}

fn format_event(session: &str) -> String {
    format!(r#"{{"event":"SessionStart","session_id":"{session}","cwd":"[PROJECT]","env":{{}}}}"#)
}

fn run_session(bed: &TestBed, command: &str, session: &str) -> Ran {
    let words = [command, "--agent", "cocode", "--source", "[PROJECT]/hooks.toml"];
    bed.run_with_input(
        &mut bed.build_command(&words),
        bed.expand_placeholders(&format_event(session)).as_bytes(),
    )
}

fn run(bed: &TestBed, session: &str) {
    let ran = run_session(bed, "run", session);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{ran}");
}

/// How often the hook that runs once has run, and the other.
fn count_calls(bed: &TestBed) -> (usize, usize) {
    let log = fs::read_to_string(bed.resolve_path("[HOME]/log")).unwrap();
    let count = |word| log.lines().filter(|line| *line == word).count();
    (count("ran"), count("each"))
}

#[test]
fn it_runs_once_in_a_session_although_each_event_is_a_process() {
    let bed = create_bed();
    for _ in 0..3 {
        run(&bed, "a");
    }
    assert_eq!(count_calls(&bed), (1, 3));
    run(&bed, "b");
    run(&bed, "b");
    assert_eq!(count_calls(&bed), (2, 5));
}

#[test]
fn a_dry_run_shows_that_it_has_run_and_does_not_count() {
    let bed = create_bed();
    for expected in ["2 of 2", "2 of 2"] {
        let explained = run_session(&bed, "explain", "a").stdout;
        assert!(explained.contains(&format!("chain    {expected} hooks match")), "{explained}");
    }
    run(&bed, "a");
    let explained = run_session(&bed, "explain", "a").stdout;
    assert!(explained.contains("chain    1 of 2 hooks match"), "{explained}");
}

#[test]
fn a_hook_that_was_changed_is_another_one_and_one_without_a_session_runs_each_time() {
    let bed = create_bed();
    run(&bed, "a");
    bed.write_file("[PROJECT]/hooks.toml", &HOOKS.replace("echo ran", "echo  ran"));
    run(&bed, "a");
    assert_eq!(count_calls(&bed), (2, 2));
    run(&bed, "");
    run(&bed, "");
    assert_eq!(count_calls(&bed), (4, 4));
}

#[test]
fn processes_that_end_at_the_same_time_do_not_lose_each_others_sessions() {
    let bed = create_bed();
    for _ in 0..2 {
        std::thread::scope(|scope| {
            for session in 0..8 {
                let bed = &bed;
                scope.spawn(move || run(bed, &format!("s{session}")));
            }
        });
    }
    assert_eq!(count_calls(&bed), (8, 16));
}

#[test]
fn what_is_kept_is_bounded_and_old_or_damaged_records_are_forgotten() {
    let bed = create_bed();
    let file = "[HOME]/.local/state/hookbox/once.json";
    for damaged in ["", "{", "[]", r#"{"a": 7}"#] {
        bed.write_file(file, damaged);
        run(&bed, "a");
    }
    assert_eq!(count_calls(&bed), (4, 4));
    run(&bed, "a");
    assert_eq!(count_calls(&bed), (4, 5));
    // A year ago.
    let kept = fs::read_to_string(bed.resolve_path(file)).unwrap();
    let (before, time) = kept.rsplit_once(':').unwrap();
    let time: u64 = time.trim_end_matches('}').parse().unwrap();
    let old = format!("{before}:{}}}}}", time - 365 * 24 * 60 * 60 * 1000);
    // More than is read.
    let many: Vec<_> =
        (0..12_000).map(|n| format!(r#""s{n}":{{"{}":{}}}"#, "k".repeat(60), time + n)).collect();
    bed.write_file(file, &old);
    run(&bed, "b");
    let kept = fs::read_to_string(bed.resolve_path(file)).unwrap();
    assert!(kept.contains(r#""b""#) && !kept.contains(r#""a""#), "{kept}");
    bed.write_file(file, &format!("{{{}}}", many.join(",")));
    assert!(fs::metadata(bed.resolve_path(file)).unwrap().len() < 1 << 20);
    for session in ["x", "y"] {
        run(&bed, &session.repeat(200));
        run(&bed, &session.repeat(200));
    }
    assert!(fs::metadata(bed.resolve_path(file)).unwrap().len() < 1 << 20);
    run(&bed, &"z".repeat(257));
    run(&bed, &"z".repeat(257));
    assert_eq!(count_calls(&bed).0, 4 + 1 + 2 + 2);
}
