//! Colours: on a terminal, unless someone says no, and nowhere else.

use std::{fs::File, io::Read, process::Stdio};

use nix::pty::openpty;

use crate::{LS, TestBed, format_gate};

const ESCAPE: char = '\x1b';

/// What the command shows on a terminal.
fn on_a_terminal(bed: &TestBed, arguments: &[&str]) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = bed.build_command(arguments);
    command.stdin(Stdio::null()).stdout(end()).stderr(end());
    let mut child = command.spawn().unwrap();
    drop((command, terminal.slave));
    // The end of a terminal that nobody holds any more is an error here.
    let mut shown = Vec::new();
    drop(File::from(terminal.master).read_to_end(&mut shown));
    child.wait().unwrap();
    String::from_utf8(shown).unwrap()
}

fn create_broken_bed() -> TestBed {
    TestBed::with_config(&(format_gate("none") + &format_gate("denies").replace("on =", "onn =")))
}

#[test]
fn a_terminal_gets_colours() {
    let shown = on_a_terminal(&create_broken_bed().with_variable("TERM", "xterm"), &["check"]);
    assert!(
        shown.contains("\x1b[32mok\x1b[0m") && shown.contains("\x1b[1m\x1b[31merror\x1b[0m"),
        "{shown:?}"
    );
}

#[test]
fn a_terminal_gets_none_where_they_are_not_wanted() {
    for (term, no_color) in [("xterm", "1"), ("dumb", "")] {
        let bed = create_broken_bed().with_variable("TERM", term).with_variable("NO_COLOR", no_color);
        let shown = on_a_terminal(&bed, &["check"]);
        assert!(shown.contains("ok    none") && !shown.contains(ESCAPE), "{term}: {shown:?}");
    }
}

#[test]
fn a_file_or_a_pipe_gets_none() {
    let bed = create_broken_bed().with_variable("TERM", "xterm-256color");
    for arguments in
        [&["check"][..], &["list"], &["doctor"], &["explain", "-"], &["--help"], &["run", "--help"]]
    {
        let ran = bed.run_hookbox(arguments);
        assert!(!ran.to_string().contains(ESCAPE), "{arguments:?}: {ran}");
    }
    assert!(!bed.answer_event(LS).to_string().contains(ESCAPE));
}

#[test]
fn what_a_hook_an_event_or_a_project_says_cannot_disturb_a_terminal() {
    let bed = TestBed::with_config(&format_gate("logs_a_lot")).with_variable("TERM", "xterm");
    let hostile = r"\u001b]0;title\u0007";
    let event =
        LS.replace("\"ls\"", &format!("\"{hostile}\"")).replace("\"Bash\"", &format!("\"{hostile}\""));
    bed.write_file("[PROJECT]/event.json", &event);
    let config =
        format!("[[hook]]\nname = \"x\"\non = \"tool.before\"\nwasm = {{ path = \"{hostile}.wasm\" }}\n");
    bed.write_file("[PROJECT]/.hookbox/hooks.toml", &config);
    for arguments in [&["explain", "event.json"][..], &["list"], &["check"], &["doctor"]] {
        let shown = on_a_terminal(&bed, arguments);
        let ours = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];
        let others = ours.iter().fold(shown.clone(), |text, style| text.replace(style, ""));
        assert!(!others.contains([ESCAPE, '\x07']), "{arguments:?}: {shown:?}");
    }
}

#[test]
fn a_compilation_at_a_terminal_is_reported_in_one_line() {
    let shown = on_a_terminal(&TestBed::with_config(&format_gate("none")).with_own_cache(), &["check"]);
    let lines: Vec<_> = shown.lines().filter(|line| line.contains("compiling")).collect();
    assert!(lines.len() == 1 && lines[0].starts_with("\rcompiling none …"), "{shown:?}");
}

#[test]
fn run_at_a_terminal_reports_that_it_waits_for_an_event() {
    let bed = TestBed::new();
    let terminal = openpty(None, None).unwrap();
    let mut command = bed.build_command(&["run", "--agent", "claude-code", "--agent-timeout", "300ms"]);
    command.stdin(Stdio::from(terminal.slave));
    let ran = bed.wait_for(command.spawn().unwrap());
    assert_eq!(ran.code, 2, "{ran}");
    let said: Vec<_> = ran.stderr.lines().collect();
    assert_eq!(
        said[0],
        "waiting for an event: JSON on standard input, ended by Ctrl-D (within 10 s, else it is refused)"
    );
    assert!(said[1].starts_with("VALIDATION_FAILURE: the event cannot be read: "), "{ran}");
}
