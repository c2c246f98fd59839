//! Colours: on a terminal, unless someone says no, and nowhere else.

use std::{fs::File, io::Read, process::Stdio};

use nix::pty::openpty;

use crate::{LS, TestBed, gate};

const ESCAPE: char = '\x1b';

/// What `hookbox check` shows on a terminal.
fn on_a_terminal(bed: &TestBed) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(terminal.slave.try_clone().unwrap());
    let mut command = bed.command(&["check"]);
    command.stdin(Stdio::null()).stdout(end()).stderr(end());
    let mut child = command.spawn().unwrap();
    drop((command, terminal.slave));
    // The end of a terminal that nobody holds any more is an error here.
    let mut shown = Vec::new();
    drop(File::from(terminal.master).read_to_end(&mut shown));
    assert_eq!(child.wait().unwrap().code(), Some(1));
    String::from_utf8(shown).unwrap()
}

fn broken() -> TestBed {
    TestBed::with(&(gate("none") + &gate("denies").replace("on =", "onn =")))
}

#[test]
fn a_terminal_gets_colours() {
    let shown = on_a_terminal(&broken().with_variable("TERM", "xterm"));
    assert!(
        shown.contains("\x1b[32mok\x1b[0m") && shown.contains("\x1b[1m\x1b[31merror\x1b[0m"),
        "{shown:?}"
    );
}

#[test]
fn a_terminal_gets_none_where_they_are_not_wanted() {
    for (term, no_color) in [("xterm", "1"), ("dumb", "")] {
        let bed = broken().with_variable("TERM", term).with_variable("NO_COLOR", no_color);
        let shown = on_a_terminal(&bed);
        assert!(shown.contains("ok    none") && !shown.contains(ESCAPE), "{term}: {shown:?}");
    }
}

#[test]
fn a_file_or_a_pipe_gets_none_whatever_the_environment_says() {
    let bed = broken().with_variable("CLICOLOR_FORCE", "1").with_variable("TERM", "xterm-256color");
    for arguments in
        [&["check"][..], &["list"], &["doctor"], &["explain", "-"], &["--help"], &["run", "--help"]]
    {
        let ran = bed.hookbox(arguments);
        assert!(!ran.to_string().contains(ESCAPE), "{arguments:?}: {ran}");
    }
    assert!(!bed.answer(LS).to_string().contains(ESCAPE));
}

#[test]
fn what_a_hook_says_cannot_disturb_a_terminal() {
    let bed = TestBed::with(&gate("logs_a_lot"));
    let event = bed.write("[HOME]/event.json", &LS.replace("\"ls\"", "\"\\u001b[2Jls\""));
    let ran = bed.hookbox(&["explain", &event.display().to_string()]);
    assert!(ran.stdout.contains("log warn: [31mred") && !ran.stdout.contains(ESCAPE), "{ran}");
}
