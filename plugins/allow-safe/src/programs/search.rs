//! Programs that search.

use shell_commands::facts::SimpleCommand;

use super::{Program, listed, own};
use crate::{decide::Context, wrappers::lists_inner_command};

/// Tests and actions of `find` without a value.
const PLAIN: &[&str] = &[
    "!",
    "(",
    ")",
    ",",
    "-a",
    "-and",
    "-daystart",
    "-depth",
    "-empty",
    "-executable",
    "-false",
    "-follow",
    "-ls",
    "-mount",
    "-not",
    "-o",
    "-or",
    "-print",
    "-print0",
    "-prune",
    "-quit",
    "-readable",
    "-true",
    "-writable",
    "-xdev",
    "-H",
    "-L",
    "-P",
    "-nouser",
    "-noleaf",
    "-nogroup",
];
/// Tests and actions of `find` with a value.
const VALUED: &[&str] = &[
    "-amin",
    "-anewer",
    "-atime",
    "-cmin",
    "-cnewer",
    "-ctime",
    "-gid",
    "-group",
    "-ilname",
    "-iname",
    "-inum",
    "-ipath",
    "-iregex",
    "-links",
    "-lname",
    "-maxdepth",
    "-mindepth",
    "-mmin",
    "-mtime",
    "-name",
    "-newer",
    "-newermt",
    "-path",
    "-perm",
    "-printf",
    "-regex",
    "-regextype",
    "-samefile",
    "-size",
    "-type",
    "-uid",
    "-user",
    "-wholename",
    "-xtype",
];

/// Beginnings of options of ugrep.
const OF_UGREP: &[&str] = &["--conf", "--filt", "--pag", "--que", "--sav", "--vie", "---", "-Q"];

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: &["grep", "egrep", "fgrep"], options: super::Options::Any, check: is_safe_grep },
    // Without `--pre`, `--hostname-bin` and `-z`, which start programs.
    listed(
        &["rg"],
        "-A: -B: -C: -F -H -I -L -N -S -U -P -c -e: -g: -h -i -l -m: -n -o -q -r: -s -t: -T: -u -v -w -x -j: -M: -0 -p --after-context: --before-context: \
         --context: --fixed-strings --with-filename --no-filename --no-line-number --smart-case --multiline --count --count-matches --regexp: --glob: --iglob: \
         --hidden --ignore-case --files --files-with-matches --files-without-match --max-count: --max-depth: --line-number --only-matching --type: --type-not: \
         --invert-match --word-regexp --no-heading --heading --no-ignore --no-ignore-vcs --color: --sort: --stats --json --type-list --column --trim --vimgrep",
    ),
    // Without `-x` and `-X`, which start programs.
    listed(
        &["fd", "fdfind"],
        "-H -I -u -s -i -g -F -a -l -p -L -0 -d: -t: -e: -E: -c: -S: --hidden --no-ignore --type: --extension: --exclude: --max-depth: --glob --absolute-path \
         --full-path --size: --changed-within: --changed-before:",
    ),
    own(&["find"], is_safe_find),
];

/// Returns true if a command uses no option of ugrep, which some systems call grep, that starts a program or writes its settings.
fn is_safe_grep(command: &SimpleCommand, _: &crate::options::Given<'_>, _: &Context<'_>) -> bool {
    let is_doubtful = |text: &str| OF_UGREP.iter().any(|option| text.starts_with(option));
    command.words.iter().all(|word| !is_doubtful(&word.text))
}

/// Returns true if every word of `find` is listed, and the facts list the commands that it starts.
fn is_safe_find(command: &SimpleCommand, _: &crate::options::Given<'_>, context: &Context<'_>) -> bool {
    let words = command.words.get(1..).unwrap_or_default();
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.certain) {
        at += 1;
        let text = word.text.as_str();
        if VALUED.contains(&text) {
            if !words.get(at).is_some_and(|value| value.certain) {
                return false;
            }
            at += 1;
        } else if matches!(text, "-exec" | "-execdir") {
            let inner = words.get(at..).unwrap_or_default();
            let Some(end) =
                inner.iter().position(|word| word.certain && matches!(word.text.as_str(), ";" | "+"))
            else {
                return false;
            };
            if text == "-execdir"
                || !lists_inner_command(command, inner.get(..end).unwrap_or_default(), context)
            {
                return false;
            }
            at += end + 1;
        } else if !PLAIN.contains(&text) && text.starts_with(['-', '!', '(', ')', ',']) {
            return false;
        }
    }
    at == words.len()
}
