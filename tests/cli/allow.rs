//! `hookbox allow`: a person lets one call pass that hooks have stopped. Nothing else passes by that.

use std::{
    fs::{self, File},
    io::Write,
    process::{Command, Stdio},
    thread,
};

use nix::pty::openpty;

use crate::{LS, Ran, TestBed, gate, guests, shell_gate, switches::at_a_terminal};

const KEPT: &str = "[HOME]/.local/state/hookbox/allowed.json";

/// The command at a terminal where this is typed.
fn typed(bed: &TestBed, arguments: &[&str], keys: &str) -> Ran {
    let terminal = openpty(None, None).unwrap();
    let mut command: Command = bed.command(arguments);
    command.stdin(Stdio::from(terminal.slave));
    let child = command.spawn().unwrap();
    File::from(terminal.master.try_clone().unwrap()).write_all(keys.as_bytes()).unwrap();
    bed.end(child)
}

/// The hook `denies` has denied Claude Code an `ls` in the project.
fn denied() -> TestBed {
    let bed = TestBed::with(&gate("denies"));
    assert!(denies(&bed, LS));
    bed
}

fn denies(bed: &TestBed, event: &str) -> bool {
    bed.answer(event).stdout.contains("because (no)")
}

#[test]
fn what_was_denied_last_passes_once_and_is_denied_again() {
    let bed = denied();
    let ran = typed(&bed, &["allow", "--once"], "y\n");
    assert!(
        ran.stdout.contains("\n  in [PROJECT]\n  Bash\n    command: ls\n  denies deny no: because\n"),
        "{ran}"
    );
    assert!(ran.stderr.contains("Allow exactly this call once, within an hour? [y/N]"), "{ran}");
    let said =
        "allowed once, within an hour: `denies` will not be asked about it; have the agent try again\n";
    assert!(ran.stdout.ends_with(said), "{ran}");
    let answer = bed.answer(LS);
    assert!(
        !answer.stdout.contains("because")
            && answer.stdout.contains("allowed once by the user: `denies` not asked"),
        "{answer}"
    );
    assert!(denies(&bed, LS));
}

/// Relative paths of a call are from the folder that the agent works in.
#[test]
fn what_is_allowed_in_one_folder_is_denied_in_another() {
    let bed = TestBed::with(&gate("denies"));
    bed.write("[PROJECT]/.git/HEAD", "ref: refs/heads/main\n");
    bed.write("[PROJECT]/below/file", "");
    let below = LS.replace("[PROJECT]", "[PROJECT]/below");
    assert!(denies(&bed, &below));
    let ran = typed(&bed, &["allow", "--for", "1h"], "y\n");
    assert!(ran.stdout.contains("\n  in [PROJECT]/below\n"), "{ran}");
    assert!(!denies(&bed, &below) && denies(&bed, LS));
}

#[test]
fn what_cannot_be_seen_in_a_call_is_shown_by_its_number() {
    let bed = TestBed::with(&gate("denies"));
    assert!(denies(&bed, &LS.replace(r#""ls""#, r#""ls \u202e\u200b\u001b[2K""#)));
    let ran = typed(&bed, &["allow", "--once"], "n\n");
    assert!(ran.stdout.contains("\n    command: ls \\u{202e}\\u{200b}\\u{1b}[2K\n"), "{ran}");
}

#[test]
fn what_no_person_can_allow_is_told_before_anybody_is_asked() {
    let bed = TestBed::with(&gate("denies"));
    assert!(denies(&bed, &LS.replace(r#""ls""#, r#""rm -rf [HOME]/.config""#)));
    let ran = typed(&bed, &["allow", "--once"], "y\n");
    let why = "would be stopped all the same, by `hookbox-files`: `[HOME]/.config` would be changed";
    assert!(ran.code == 2 && ran.stderr.contains(why) && !ran.stderr.contains("[y/N]"), "{ran}");
    assert!(!bed.path(KEPT).exists());
}

#[test]
fn another_argument_project_or_tool_is_denied() {
    let bed = denied();
    fs::create_dir_all(bed.path("[HOME]/other/.git")).unwrap();
    typed(&bed, &["allow", "--once"], "y\n");
    for (from, to) in [
        (r#""command":"ls""#, r#""command":"ls -a""#),
        (r#""command":"ls""#, r#""command":"ls","timeout":1"#),
        ("[PROJECT]", "[HOME]/other"),
        ("\"Bash\"", "\"Shell\""),
    ] {
        assert!(denies(&bed, &LS.replace(from, to)), "{to}");
    }
    // The call itself still passes.
    assert!(!denies(&bed, LS));
}

#[test]
fn for_a_time_it_passes_as_often_as_it_comes() {
    let bed = denied();
    let ran = typed(&bed, &["allow", "--for", "10m"], "yes\n");
    assert!(ran.stdout.contains("allowed for 10m: "), "{ran}");
    assert!(!denies(&bed, LS) && !denies(&bed, LS));
    // The time is over.
    let kept = fs::read_to_string(bed.path(KEPT)).unwrap();
    let until = kept.split("\"until\":").nth(1).unwrap().split(',').next().unwrap();
    fs::write(bed.path(KEPT), kept.replace(until, "1")).unwrap();
    assert!(denies(&bed, LS));
    for (time, said) in [("0s", "is zero"), ("25h", "1 day at most")] {
        let ran = typed(&bed, &["allow", "--for", time], "y\n");
        assert!(ran.code == 2 && ran.stderr.contains(said), "{ran}");
    }
}

#[test]
fn an_earlier_call_is_named_as_the_log_names_it() {
    let bed = denied();
    assert!(denies(&bed, &LS.replace("\"ls\"", "\"pwd\"")));
    let log = bed.hookbox(&["log"]).stdout;
    let first = log.split(' ').next().unwrap();
    let ran = typed(&bed, &["allow", "--once", first], "y\n");
    assert!(ran.stdout.contains("command: ls\n"), "{ran}");
    assert!(!denies(&bed, LS) && denies(&bed, &LS.replace("\"ls\"", "\"pwd\"")));
    let ran = typed(&bed, &["allow", "--once", "zzzz"], "y\n");
    assert!(
        ran.code == 2 && ran.stderr.contains("the log has no `zzzz`; `hookbox log --denied` shows"),
        "{ran}"
    );
}

#[test]
fn anything_but_a_yes_allows_nothing() {
    for keys in ["\n", "n\n", "yesterday\n", "\u{4}"] {
        let bed = denied();
        let ran = typed(&bed, &["allow", "--once"], keys);
        assert!(ran.stdout.ends_with("nothing was allowed\n"), "{ran}");
        assert!(!bed.path(KEPT).exists() && denies(&bed, LS), "{keys:?}");
    }
}

#[test]
fn no_agent_allows_itself_anything() {
    let bed = denied();
    let ran = bed.feed(&mut bed.command(&["allow", "--once"]), b"y\n");
    assert!(
        ran.code == 2 && ran.stderr.contains("nothing was allowed: this needs the user at a terminal"),
        "{ran}"
    );
    let bed = bed.with_variable("CLAUDECODE", "1");
    let ran = typed(&bed, &["allow", "--once"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("CLAUDECODE shows that an agent runs this"), "{ran}");
    assert!(!bed.path(KEPT).exists() && denies(&bed, LS));
}

#[test]
fn of_two_processes_at_once_one_passes() {
    for _ in 0..5 {
        let bed = denied();
        typed(&bed, &["allow", "--once"], "y\n");
        let denied = thread::scope(|scope| {
            let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| denies(&bed, LS))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).filter(|denied| *denied).count()
        });
        assert_eq!(denied, 3);
    }
}

#[test]
fn a_file_that_is_damaged_or_not_the_users_alone_allows_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let bed = denied();
    typed(&bed, &["allow", "--for", "1h"], "y\n");
    let good = fs::read_to_string(bed.path(KEPT)).unwrap();
    assert!(!denies(&bed, LS));
    for damage in ["", "{", "[1]", &good.replace("\"once\"", "\"one\""), &good[..good.len() - 1]] {
        fs::write(bed.path(KEPT), damage).unwrap();
        assert!(denies(&bed, LS), "{damage}");
    }
    fs::write(bed.path(KEPT), good).unwrap();
    fs::set_permissions(bed.path(KEPT), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(denies(&bed, LS));
}

#[test]
fn the_hook_that_stops_it_next_is_allowed_beside_the_first() {
    let bed = TestBed::with(&(gate("denies") + &shell_gate("echo too >&2; exit 2", "")));
    assert!(denies(&bed, LS));
    typed(&bed, &["allow", "--once"], "y\n");
    let second = bed.answer(LS);
    assert!(second.stdout.contains("too") && !second.stdout.contains("because"), "{second}");
    let ran = typed(&bed, &["allow", "--once"], "y\n");
    assert!(ran.stdout.contains("`denies`, `sh` will not be asked"), "{ran}");
    let third = bed.answer(LS);
    assert!(!third.stdout.contains("too") && !third.stdout.contains("because"), "{third}");
}

#[test]
fn a_hook_of_a_project_may_be_passed_by_too() {
    let bed = TestBed::with("# no hooks\n");
    bed.write("[PROJECT]/.hookbox/hooks.toml", &gate("denies").replace("[GUESTS]", "plugins"));
    bed.write_bytes("[PROJECT]/.hookbox/plugins/denies.wasm", &guests::component("denies"));
    let denies = |bed: &TestBed| bed.answer(LS).stdout.contains("project hook 1: ");
    assert!(denies(&bed));
    typed(&bed, &["allow", "--once"], "y\n");
    assert!(!denies(&bed));
    assert!(denies(&bed));
}

#[test]
fn a_broken_configuration_cannot_be_allowed() {
    let bed = TestBed::with("hook = 1\n");
    assert!(bed.answer(LS).stdout.contains("bad-configuration"));
    let ran = typed(&bed, &["allow", "--once"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("run `hookbox check`"), "{ran}");
}

#[test]
fn what_cannot_be_shown_whole_cannot_be_allowed() {
    let bed = TestBed::with(&gate("denies"));
    assert!(denies(&bed, &LS.replace("\"ls\"", &format!("\"ls {}; rm x\"", "a ".repeat(2_000)))));
    let ran = typed(&bed, &["allow", "--once"], "y\n");
    assert!(ran.code == 2 && ran.stderr.contains("is too long to be shown whole"), "{ran}");
}

#[test]
fn without_anything_that_was_stopped_that_is_told() {
    let bed = TestBed::with(&gate("none"));
    bed.answer(LS);
    let ran = at_a_terminal(&bed, &["allow", "--once"]);
    assert!(ran.code == 2 && ran.stderr.contains("the log has no recently blocked tool call"), "{ran}");
    let ran = at_a_terminal(&bed, &["allow"]);
    assert!(ran.code == 2 && ran.stderr.contains("--once"), "{ran}");
}
