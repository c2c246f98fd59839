//! Programs that read structured files, archives and binaries.

use super::{Program, checked, listed};
use crate::scripts::is_harmless_jq;

pub(super) const PROGRAMS: &[Program] = &[
    // Without `-f`, `-L`, `--slurpfile` and `--rawfile`, which read other files.
    checked(
        &["jq"],
        "-r -c -n -s -e -S -R -a -j -M -C --raw-output --compact-output --null-input --slurp --exit-status --sort-keys --raw-input --tab --color-output --monochrome-output",
        |_, given, _| given.operands.first().is_some_and(|filter| is_harmless_jq(&filter.text)),
    ),
    checked(&["nm"], "-a -C -D -g -n -S -u --demangle= --dynamic --defined-only", has_no_list),
    checked(
        &["objdump"],
        "-a -d -D -f -h -p -r -s -t -T -x -C -j: -M: --start-address= --stop-address= --no-show-raw-insn",
        has_no_list,
    ),
    checked(&["readelf", "size"], "-a -h -l -S -s -d -r -n -V -W -A -e -x:", has_no_list),
    // A name with a colon is a file of another machine.
    checked(&["tar"], "-t -v -z -j -J -f: --list --verbose --gzip --file:", |_, given, _| {
        let files = given.options.iter().filter_map(|(_, value)| *value);
        (given.has("-t") || given.has("--list")) && files.into_iter().all(|file| !file.contains(':'))
    }),
    checked(&["unzip"], "-l -v -Z -1 -t", |_, given, _| {
        given.has("-l") || given.has("-v") || given.has("-Z")
    }),
    listed(&["zipinfo"], "-1 -l -m -s -v"),
    checked(&["pip", "pip3"], "", |_, given, _| {
        matches!(given.operands.first().map(|verb| verb.text.as_str()), Some("list" | "freeze" | "show"))
    }),
];

/// Returns true if no operand is `@file`, a file with further options.
pub(super) fn has_no_list(
    _: &shell_commands::facts::SimpleCommand,
    given: &crate::options::Given<'_>,
    _: &crate::decide::Context<'_>,
) -> bool {
    given.operands.iter().all(|word| !word.text.starts_with('@'))
}
