//! Programs that list files, and those that write files which their words name.

use shell_commands::facts::SimpleCommand;

use super::{Program, any, checked, listed};
use crate::{
    decide::{self, Context},
    options::Given,
};

pub(super) const PROGRAMS: &[Program] = &[
    any(&["ls", "stat", "du", "df", "basename", "dirname", "realpath", "readlink", "pathchk", "dir", "vdir"]),
    // Without `-o` and `-R`, which write files.
    listed(
        &["tree"],
        "-a -d -f -i -l -p -s -h -u -g -D -F -C -n -L: -I: -P: -J -X --noreport --dirsfirst --gitignore --prune --du -q -r -t --filelimit:",
    ),
    // Without `-C`, which writes a file.
    listed(&["file"], "-b -i -L -h -k -N -r -s --brief --mime --mime-type --mime-encoding --dereference"),
    listed(
        &["diff"],
        "-u -U: -r -q -N -w -b -B -i -y -W: -a -c -C: -e -n -s -t -T -E -Z -0 --brief --unified= --color= --side-by-side --recursive --new-file --suppress-common-lines --strip-trailing-cr --exclude: -x:",
    ),
    checked(&["mkdir"], "-p -v --parents --verbose", |command, given, context| {
        writes_all(command, given, 0, context)
    }),
    checked(&["touch"], "-a -c -m -d: -t: --no-create --date:", |command, given, context| {
        writes_all(command, given, 0, context)
    }),
    checked(&["tee"], "-a -i --append", |command, given, context| writes_all(command, given, 0, context)),
    // Not recursively: what a folder holds is not known.
    checked(&["cp"], "-f -i -n -p -v -u --force --no-clobber --verbose --update", is_safe_copy),
    checked(&["mv"], "-f -i -n -v -u --force --no-clobber --verbose --update", |command, given, context| {
        writes_all(command, given, 0, context) && is_safe_copy(command, given, context)
    }),
    checked(&["chmod"], "-v -c -f", |command, given, context| {
        given.operands.first().is_some_and(|mode| is_plain_mode(&mode.text))
            && writes_all(command, given, 1, context)
    }),
];

/// Returns true if every operand behind the first ones may be written.
fn writes_all(command: &SimpleCommand, given: &Given<'_>, skipped: usize, context: &Context<'_>) -> bool {
    given.operands.iter().skip(skipped).all(|operand| may_write(command, &operand.text, context))
}

fn may_write(command: &SimpleCommand, path: &str, context: &Context<'_>) -> bool {
    let path = match (&command.folder, path.starts_with('/')) {
        (_, true) => path.to_owned(),
        (Some(folder), false) => format!("{folder}/{path}"),
        (None, false) => return false,
    };
    let is_plain = !path.split('/').any(|part| part == "..");
    is_plain && decide::may_write(&path, context)
}

/// Returns true if the target may be written, as a file and as a folder for each source.
fn is_safe_copy(command: &SimpleCommand, given: &Given<'_>, context: &Context<'_>) -> bool {
    let Some((target, sources)) = given.operands.split_last() else { return false };
    let is_project = matches!(target.text.as_str(), "." | "./");
    let lands = |source: &str| {
        let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        !matches!(name, "" | "." | "..") && may_write(command, &format!("{}/{name}", target.text), context)
    };
    !sources.is_empty()
        && (is_project || may_write(command, &target.text, context))
        && sources.iter().all(|source| lands(&source.text))
}

/// Returns true for modes such as `644` and `u+x`, without set-user-id bits.
fn is_plain_mode(mode: &str) -> bool {
    let is_octal = (3..=4).contains(&mode.len())
        && mode.chars().all(|c| ('0'..='7').contains(&c))
        && (mode.len() == 3 || mode.starts_with('0'));
    let symbolic = mode.trim_start_matches(['u', 'g', 'o', 'a']);
    let is_symbolic = symbolic.len() > 1
        && symbolic.starts_with(['+', '-', '='])
        && symbolic.chars().skip(1).all(|c| "rwxX".contains(c));
    is_octal || is_symbolic
}
