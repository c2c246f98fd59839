//! `hookbox allow`: a person lets one call pass that hooks have stopped. Nothing else passes by that.

use std::{fs, thread};

use crate::{LS, TestBed, format_gate, guests, shell_gate, switches::at_a_terminal, trust::run_with_keys};

const KEPT: &str = "[HOME]/.local/state/hookbox/allowed.json";

/// The hook `denies` has denied Claude Code an `ls` in the project.
fn create_denied_bed() -> TestBed {
    let bed = TestBed::with_config(&format_gate("denies"));
    assert!(denies_event(&bed, LS));
    bed
}

fn denies_event(bed: &TestBed, event: &str) -> bool {
    bed.answer_event(event).stdout.contains("because (no)")
}

#[test]
fn what_was_denied_last_passes_once_and_is_denied_again() {
    let bed = create_denied_bed();
    let ran = run_with_keys(&bed, &["allow", "--once"], "y\n");
    assert!(
        ran.stdout.contains("\n  in [PROJECT]\n  Bash\n    command: ls\n  denies deny no: because\n"),
        "{ran}"
    );
    assert!(ran.stderr.contains("Allow exactly this call once, within an hour? [y/N]"), "{ran}");
    let said =
        "allowed once, within an hour: `denies` will not be asked about it; have the agent try again\n";
    assert!(ran.stdout.ends_with(said), "{ran}");
    let answer = bed.answer_event(LS);
    assert!(
        !answer.stdout.contains("because")
            && answer.stdout.contains("allowed once by the user: `denies` not asked"),
        "{answer}"
    );
    assert!(denies_event(&bed, LS));
}

/// Relative paths of a call are from the folder that the agent works in.
#[test]
fn what_is_allowed_in_one_folder_is_denied_in_another() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.write_file("[PROJECT]/.git/HEAD", "ref: refs/heads/main\n");
    bed.write_file("[PROJECT]/below/file", "");
    let below = LS.replace("[PROJECT]", "[PROJECT]/below");
    assert!(denies_event(&bed, &below));
    let ran = run_with_keys(&bed, &["allow", "--for", "1h"], "y\n");
    assert!(ran.stdout.contains("\n  in [PROJECT]/below\n"), "{ran}");
    assert!(!denies_event(&bed, &below) && denies_event(&bed, LS));
}

#[test]
fn what_cannot_be_seen_in_a_call_is_shown_by_its_number() {
    let bed = TestBed::with_config(&format_gate("denies"));
    assert!(denies_event(&bed, &LS.replace(r#""ls""#, r#""ls \u202e\u200b\u001b[2K""#)));
    let ran = run_with_keys(&bed, &["allow", "--once"], "n\n");
    assert!(ran.stdout.contains("\n    command: ls \\u{202e}\\u{200b}\\u{1b}[2K\n"), "{ran}");
}

/// Without the escapes the page would show another tool and another folder than those of the call.
#[test]
fn what_cannot_be_seen_in_the_name_of_a_tool_or_a_folder_is_shown_by_its_number() {
    let bed = TestBed::with_config(&format_gate("denies"));
    bed.write_file("[PROJECT]/.git/HEAD", "ref: refs/heads/main\n");
    bed.write_file("[PROJECT]/a\u{202e}b/file", "");
    let call = LS.replace("\"Bash\"", r#""Ba\u200bsh\u00a0""#).replace("[PROJECT]", r"[PROJECT]/a\u202eb");
    assert!(denies_event(&bed, &call));
    let ran = run_with_keys(&bed, &["allow", "--once"], "n\n");
    let shown = "\n  in [PROJECT]/a\\u{202e}b\n  Ba\\u{200b}sh\\u{a0}\n    command: ls\n";
    assert!(ran.stdout.contains(shown), "{ran}");
}

#[test]
fn a_call_that_the_user_cannot_allow_is_reported_before_the_question() {
    let bed = TestBed::with_config(&format_gate("denies"));
    assert!(denies_event(&bed, &LS.replace(r#""ls""#, r#""rm -rf [HOME]/.config""#)));
    let ran = run_with_keys(&bed, &["allow", "--once"], "y\n");
    let why = "would be stopped all the same, by `hookbox-files`: `[HOME]/.config` would be changed";
    assert!(ran.code == 2 && ran.stderr.contains(why) && !ran.stderr.contains("[y/N]"), "{ran}");
    assert!(!bed.resolve_path(KEPT).exists());
}

#[test]
fn another_argument_project_or_tool_is_denied() {
    let bed = create_denied_bed();
    fs::create_dir_all(bed.resolve_path("[HOME]/other/.git")).unwrap();
    run_with_keys(&bed, &["allow", "--once"], "y\n");
    for (from, to) in [
        (r#""command":"ls""#, r#""command":"ls -a""#),
        (r#""command":"ls""#, r#""command":"ls","timeout":1"#),
        ("[PROJECT]", "[HOME]/other"),
        ("\"Bash\"", "\"Shell\""),
    ] {
        assert!(denies_event(&bed, &LS.replace(from, to)), "{to}");
    }
    // The call itself still passes.
    assert!(!denies_event(&bed, LS));
}

#[test]
fn for_a_time_it_passes_as_often_as_it_comes() {
    let bed = create_denied_bed();
    let ran = run_with_keys(&bed, &["allow", "--for", "10m"], "yes\n");
    assert!(ran.stdout.contains("allowed for 10m: "), "{ran}");
    assert!(!denies_event(&bed, LS) && !denies_event(&bed, LS));
    // The time is over.
    let kept = fs::read_to_string(bed.resolve_path(KEPT)).unwrap();
    let until = kept.split("\"until\":").nth(1).unwrap().split(',').next().unwrap();
    fs::write(bed.resolve_path(KEPT), kept.replace(until, "1")).unwrap();
    assert!(denies_event(&bed, LS));
    for (time, said) in [("0s", "is zero"), ("25h", "1 day at most")] {
        let ran = run_with_keys(&bed, &["allow", "--for", time], "y\n");
        assert!(ran.code == 2 && ran.stderr.contains(said), "{ran}");
    }
}

#[test]
fn an_earlier_call_is_named_as_the_log_names_it() {
    let bed = create_denied_bed();
    assert!(denies_event(&bed, &LS.replace("\"ls\"", "\"pwd\"")));
    let log = bed.run_hookbox(&["log"]).stdout;
    let first = log.split(' ').next().unwrap();
    let ran = run_with_keys(&bed, &["allow", "--once", first], "y\n");
    assert!(ran.stdout.contains("command: ls\n"), "{ran}");
    assert!(!denies_event(&bed, LS) && denies_event(&bed, &LS.replace("\"ls\"", "\"pwd\"")));
    let ran = run_with_keys(&bed, &["allow", "--once", "zzzz"], "y\n");
    assert!(
        ran.code == 2
            && ran.stderr.contains("the log has no `zzzz`; `hookbox log --denied` lists the blocked calls"),
        "{ran}"
    );
}

#[test]
fn anything_but_a_yes_allows_nothing() {
    for keys in ["\n", "n\n", "yesterday\n", "\u{4}"] {
        let bed = create_denied_bed();
        let ran = run_with_keys(&bed, &["allow", "--once"], keys);
        assert!(ran.stdout.ends_with("nothing was allowed\n"), "{ran}");
        assert!(!bed.resolve_path(KEPT).exists() && denies_event(&bed, LS), "{keys:?}");
    }
}

#[test]
fn no_agent_allows_itself_anything() {
    let bed = create_denied_bed();
    let ran = bed.run_with_input(&mut bed.build_command(&["allow", "--once"]), b"y\n");
    assert!(
        ran.code == 2 && ran.stderr.contains("nothing was allowed: this needs the user at a terminal"),
        "{ran}"
    );
    let bed = bed.with_variable("CLAUDECODE", "1");
    let ran = run_with_keys(&bed, &["allow", "--once"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("CLAUDECODE shows that an agent runs this"), "{ran}");
    assert!(!bed.resolve_path(KEPT).exists() && denies_event(&bed, LS));
}

#[test]
fn one_of_several_concurrent_processes_uses_the_allowance_for_one_call() {
    for _ in 0..5 {
        let bed = create_denied_bed();
        run_with_keys(&bed, &["allow", "--once"], "y\n");
        let denied = thread::scope(|scope| {
            let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| denies_event(&bed, LS))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).filter(|denied| *denied).count()
        });
        assert_eq!(denied, 3);
    }
}

#[test]
fn a_file_that_is_damaged_or_not_the_users_alone_allows_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let bed = create_denied_bed();
    run_with_keys(&bed, &["allow", "--for", "1h"], "y\n");
    let good = fs::read_to_string(bed.resolve_path(KEPT)).unwrap();
    assert!(!denies_event(&bed, LS));
    for damage in ["", "{", "[1]", &good.replace("\"once\"", "\"one\""), &good[..good.len() - 1]] {
        fs::write(bed.resolve_path(KEPT), damage).unwrap();
        assert!(denies_event(&bed, LS), "{damage}");
    }
    fs::write(bed.resolve_path(KEPT), good).unwrap();
    fs::set_permissions(bed.resolve_path(KEPT), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(denies_event(&bed, LS));
}

#[test]
fn the_next_hook_that_blocks_the_call_is_allowed_in_addition_to_the_first() {
    let bed = TestBed::with_config(&(format_gate("denies") + &shell_gate("echo too >&2; exit 2", "")));
    assert!(denies_event(&bed, LS));
    run_with_keys(&bed, &["allow", "--once"], "y\n");
    let second = bed.answer_event(LS);
    assert!(second.stdout.contains("too") && !second.stdout.contains("because"), "{second}");
    let ran = run_with_keys(&bed, &["allow", "--once"], "y\n");
    assert!(ran.stdout.contains("`denies`, `sh` will not be asked"), "{ran}");
    let third = bed.answer_event(LS);
    assert!(!third.stdout.contains("too") && !third.stdout.contains("because"), "{third}");
}

#[test]
fn a_hook_of_a_project_may_be_passed_by_too() {
    let bed = TestBed::with_config("# no hooks\n");
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &format_gate("denies").replace("[GUESTS]", "plugins"));
    bed.write_bytes("[PROJECT]/.hookbox/plugins/denies.wasm", &guests::build_component("denies"));
    let denies = |bed: &TestBed| bed.answer_event(LS).stdout.contains("project hook 1: ");
    assert!(denies(&bed));
    run_with_keys(&bed, &["allow", "--once"], "y\n");
    assert!(!denies(&bed));
    assert!(denies(&bed));
}

#[test]
fn a_broken_configuration_cannot_be_allowed() {
    let bed = TestBed::with_config("hook = 1\n");
    assert!(bed.answer_event(LS).stdout.contains("bad-configuration"));
    let ran = run_with_keys(&bed, &["allow", "--once"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("run `hookbox check`"), "{ran}");
}

#[test]
fn what_cannot_be_shown_whole_cannot_be_allowed() {
    let bed = TestBed::with_config(&format_gate("denies"));
    assert!(denies_event(&bed, &LS.replace("\"ls\"", &format!("\"ls {}; rm x\"", "a ".repeat(2_000)))));
    let ran = run_with_keys(&bed, &["allow", "--once"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("is too long to be shown whole"), "{ran}");
}

#[test]
fn allow_reports_that_the_log_has_no_blocked_call() {
    let bed = TestBed::with_config(&format_gate("none"));
    bed.answer_event(LS);
    let ran = at_a_terminal(&bed, &["allow", "--once"]);
    assert!(ran.code == 2 && ran.stderr.contains("the log has no recently blocked tool call"), "{ran}");
    let ran = at_a_terminal(&bed, &["allow"]);
    assert!(ran.code == 2 && ran.stderr.contains("--once"), "{ran}");
}
