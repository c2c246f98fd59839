//! Signals that end a process which does not expect them.

use std::{fs, process::Child};

use rustix::process::{Pid, Signal, kill_process};

use crate::{LS, TestBed, processes::wait_until, shell_gate};

#[test]
fn a_signal_that_would_end_it_ends_it_as_a_refusal() {
    // 16 is STKFLT, which not every shell knows by its name.
    let names = "16 ABRT ALRM BUS HUP INT IO PROF PWR QUIT SYS TERM TRAP USR1 USR2 VTALRM XCPU";
    for name in names.split(' ') {
        let bed = TestBed::with_config(&shell_gate(
            &format!("kill -{name} $PPID; exec sleep 60"),
            "timeout = \"60s\"",
        ));
        let ran = bed.answer_event(LS);
        assert_eq!(ran.code, 2, "{name}: {ran}");
    }
}

#[test]
fn a_stack_that_is_too_small_ends_it_as_a_refusal() {
    let bed = TestBed::with_config(&shell_gate("exit 2", ""));
    for size in [16, 32, 64, 128] {
        let mut command =
            bed.build_shell_command(&format!("ulimit -s {size} && exec \"$0\" run --agent claude-code"));
        let ran = bed.run_with_input(&mut command, bed.expand_placeholders(LS).as_bytes());
        assert!(ran.code == 2 || ran.stdout.contains("\"deny\""), "{size} KiB: {ran}");
    }
}

/// Does it expect SIGTERM, which comes last, and with that every signal?
fn expects_signals(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    let caught = u64::from_str_radix(caught.trim(), 16).unwrap();
    caught & (1 << (Signal::TERM.as_raw() - 1)) != 0
}

#[test]
fn a_signal_before_the_event_is_read_ends_with_a_refusal() {
    let bed = TestBed::new();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut child = bed.build_command(&["run", "--agent", "claude-code"]).spawn().unwrap();
        wait_until("it expects no signals", || expects_signals(&child));
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{signal:?}");
    }
}
