//! Programs that describe the machine.

use super::{Program, checked, listed};
use crate::options::Given;

pub(super) const PROGRAMS: &[Program] = &[
    checked(&["arch"], "", has_no_operand),
    listed(
        &["uname", "nproc", "whoami", "id", "groups", "tty", "uptime", "free", "logname"],
        "-a -s -n -r -m -p -i -o -v -u -g -G -h -b -k --all",
    ),
    // An operand, `-s` and `-f` set the name or the clock.
    checked(&["hostname"], "-f -s -i -I", has_no_operand),
    checked(
        &["date"],
        "-u -R -I= -d: -r: --utc --iso-8601= --rfc-3339= --date: --reference:",
        |_, given, _| given.operands.iter().all(|word| word.text.starts_with('+')),
    ),
    listed(&["cal", "lscpu", "locale", "getconf"], "-a -m -y"),
    listed(&["lsblk", "lsusb", "lspci"], "-a -f -l -n -p -t -v"),
    // Without the words and columns that print the environment.
    checked(&["ps"], "-e -f -A -p: -o: -C: -u: -l -H --no-headers --sort= --forest", |_, given, _| {
        given.operands.is_empty()
            && given
                .options
                .iter()
                .filter_map(|(_, value)| *value)
                .all(|value| !value.to_lowercase().contains("env"))
    }),
    checked(&["ps"], "", |_, given, _| {
        given.operands.iter().all(|word| matches!(word.text.as_str(), "aux" | "ax" | "axu" | "x"))
    }),
    listed(&["pgrep"], "-a -f -l -c -x -o -n -u: -P:"),
    // Without `-K`, which ends connections.
    listed(&["ss", "netstat"], "-t -u -l -n -p -a -s -4 -6 -r -i"),
    checked(&["printenv"], "", |_, given, _| {
        !given.operands.is_empty()
            && given.operands.iter().all(|word| {
                matches!(word.text.as_str(), "HOME" | "LANG" | "PATH" | "PWD" | "SHELL" | "TERM" | "USER")
            })
    }),
];

fn has_no_operand(
    _: &shell_commands::facts::SimpleCommand,
    given: &Given<'_>,
    _: &crate::decide::Context<'_>,
) -> bool {
    given.operands.is_empty()
}
