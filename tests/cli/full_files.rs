//! Files that may not grow, a cache that keeps nothing, and a machine without `/proc`.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use crate::{LS, Ran, TestBed, format_gate, guests};

/// `hookbox run` from a shell, after this line.
fn run_after(bed: &TestBed, line: &str) -> Ran {
    let line = format!("{line} exec \"$0\" run --agent claude-code --report report.jsonl");
    bed.run_with_input(&mut bed.build_shell_command(&line), bed.expand_placeholders(LS).as_bytes())
}

fn list_names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// `ulimit -f` sends a signal that ends who does not expect it.
#[test]
fn a_file_that_may_not_grow_keeps_no_deny_from_the_agent() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    let ran = run_after(&bed, "ulimit -f 0;");
    assert_eq!(ran.code, 0, "{ran}");
    assert!(ran.stdout.contains("\"deny\"") && !ran.stdout.contains("not compiled"), "{ran}");
    assert!(
        ran.stderr.contains("hookbox: the report cannot be written to report.jsonl: File too large"),
        "{ran}"
    );
    assert!(ran.stderr.contains("each event compiles them anew"), "{ran}");
}

#[test]
fn what_cannot_be_written_to_its_end_leaves_nothing_behind() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    for _ in 0..3 {
        // Enough for a memo, and not for native code.
        let ran = run_after(&bed, "ulimit -f 4;");
        assert!(ran.stdout.contains("\"deny\""), "{ran}");
    }
    let names = list_names(&bed.resolve_path("[HOME]/.cache/hookbox/compiled"));
    let temporary: Vec<_> =
        names.iter().filter(|name| Path::new(name).extension().is_some_and(|end| end == "tmp")).collect();
    assert_eq!(temporary, Vec::<&String>::new());
    assert!(
        !names.iter().any(|name| Path::new(name).extension().is_some_and(|end| end == "cwasm")),
        "{names:?}"
    );
}

#[test]
fn settings_that_cannot_be_written_to_their_end_stay_as_they_were() {
    let bed = TestBed::new();
    let text = format!("{{\"note\": \"{}\"}}", "x".repeat(5000));
    bed.write_file("[HOME]/.claude/settings.json", &text);
    let line = "ulimit -f 4; exec \"$0\" install claude-code --yes";
    let ran = bed.run_with_input(&mut bed.build_shell_command(line), b"");
    assert_eq!(ran.code, 1, "{ran}");
    assert!(ran.stderr.contains("settings.json cannot be written: File too large"), "{ran}");
    assert_eq!(fs::read_to_string(bed.resolve_path("[HOME]/.claude/settings.json")).unwrap(), text);
    assert_eq!(list_names(&bed.resolve_path("[HOME]/.claude")), ["settings.json"]);
}

#[test]
fn an_unusable_cache_is_reported() {
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    bed.write_file("[HOME]/.cache/hookbox/compiled", "not a folder");
    let ran = bed.answer_event(LS);
    assert!(ran.stdout.contains("\"deny\""), "{ran}");
    assert!(ran.stderr.contains("each event compiles its plugins anew"), "{ran}");
}

/// What these words say where no file may grow beyond 4 KiB: enough for all but native code.
fn in_little_room(bed: &TestBed, words: &str) -> Ran {
    bed.run_with_input(&mut bed.build_shell_command(&format!("ulimit -f 8; exec \"$0\" {words}")), b"")
}

#[test]
fn check_doctor_and_add_report_that_native_code_cannot_be_stored() {
    let full = "compiled plugins cannot be kept in [HOME]/.cache/hookbox/compiled: File too large";
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    let ran = in_little_room(&bed, "check");
    assert!(ran.code == 0 && ran.stderr.contains(&format!("warning: {full}")), "{ran}");
    assert!(ran.stdout.ends_with("1 hook checked: 0 errors, 1 warning, 0 that cannot run\n"), "{ran}");
    let ran = in_little_room(&bed, "doctor");
    assert!(ran.code == 1 && ran.stdout.contains(&format!("wrong   cache: {full}")), "{ran}");
    let bed = TestBed::new().with_own_cache();
    bed.write_bytes("[PROJECT]/denies.wasm", &guests::build_component("denies"));
    let ran = in_little_room(&bed, "plugin add denies.wasm --yes");
    assert!(ran.code == 0 && ran.stdout.contains(&format!("\nwarning   {full}")), "{ran}");
    assert!(
        ran.stdout.contains("each event compiles them anew until that folder can be written to"),
        "{ran}"
    );
}

#[test]
fn check_doctor_and_add_report_that_the_cache_is_not_used() {
    let unused = "the cache [HOME]/.cache/hookbox/compiled is not used: ";
    let in_the_way = |bed: TestBed| {
        let bed = bed.with_own_cache();
        bed.write_file("[HOME]/.cache/hookbox/compiled", "not a folder");
        bed
    };
    let bed = in_the_way(TestBed::with_config(&format_gate("denies")));
    let ran = bed.run_hookbox(&["check"]);
    assert!(ran.code == 0 && ran.stderr.contains(&format!("warning: {unused}")), "{ran}");
    let ran = bed.run_hookbox(&["doctor"]);
    assert_eq!(ran.stdout.matches(unused).count(), 1, "{ran}");
    let bed = in_the_way(TestBed::new());
    bed.write_bytes("[PROJECT]/denies.wasm", &guests::build_component("denies"));
    let ran = bed.run_hookbox(&["plugin", "add", "denies.wasm", "--yes"]);
    assert!(ran.code == 0 && ran.stdout.contains(&format!("\nwarning   {unused}")), "{ran}");
    assert!(ran.stdout.contains("; each event compiles its plugins anew\n"), "{ran}");
}

/// Takes away each file system that is mounted at `/proc`: in a container there may be two.
const HIDE_PROC: &str = "while umount -l /proc 2>/dev/null; do :; done";

/// Can this user leave `/proc` out of sight? In most places only root can.
fn may_hide_proc() -> bool {
    let hidden =
        Command::new("unshare").args(["-m", "sh", "-c", "umount -l /proc"]).stderr(Stdio::null()).status();
    hidden.is_ok_and(|status| status.success())
}

#[test]
fn without_proc_hooks_run_all_the_same() {
    if !may_hide_proc() {
        return;
    }
    let bed = TestBed::with_config(&format_gate("denies")).with_own_cache();
    let hidden = |words: &str| {
        let line = format!("exec unshare -m sh -c '{HIDE_PROC}; exec \"$0\" {words}' \"$0\"");
        bed.run_with_input(&mut bed.build_shell_command(&line), bed.expand_placeholders(LS).as_bytes())
    };
    // A relative path may lead into a project: the compiler beside it is not asked.
    let line = format!(
        "cd \"$(dirname \"$0\")\" && exec unshare -m sh -c '{HIDE_PROC}; exec ./hookbox run --agent claude-code --home [HOME] --cache-home [CACHE]'"
    );
    let relative =
        bed.run_with_input(&mut bed.build_shell_command(&line), bed.expand_placeholders(LS).as_bytes());
    assert!(relative.stdout.contains("or start hookbox by its absolute path"), "{relative}");
    for _ in 0..2 {
        let ran = hidden("run --agent claude-code");
        assert!(ran.stdout.contains("\"deny\"") && !ran.stdout.contains("compile"), "{ran}");
        assert_eq!(ran.stderr, "");
    }
}
