//! Records of events on the machine.

use super::Rule;

pub(super) const fn log_removal(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "log-removal",
        shapes,
        "removes or hides what happened on the machine",
        "read the log, and leave it as it is",
    )
}

pub(super) const JOURNALCTL: &[Rule] = &[log_removal(&["--vacuum-size|--vacuum-time|--vacuum-files"])];
pub(super) const HISTORY: &[Rule] = &[log_removal(&["-c|-d", "clear"])];
pub(super) const HISTORY_OFF: &[Rule] = &[log_removal(&[
    "HISTFILE",
    "HISTFILE=",
    "HISTFILE=/dev/null",
    "HISTSIZE=0",
    "HISTFILESIZE=0",
    "+o history",
])];
pub(super) const DMESG: &[Rule] = &[log_removal(&["-C|--clear|-c|--read-clear|-D|--console-off"])];
pub(super) const WEVTUTIL: &[Rule] = &[log_removal(&["cl|clear-log"])];
