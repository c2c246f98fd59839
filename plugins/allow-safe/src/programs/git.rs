//! Subcommands of git that change nothing and start no program of the command line.

use shell_commands::facts::SimpleCommand;

use super::{Program, own};
use crate::{
    decide::Context,
    options::{Given, read_options},
};

/// Options of `diff`, `log` and `show`. Without `--output`, `--ext-diff`, `--textconv`, `-O`, `--no-index` and `--show-signature`.
const DIFF: &str = "-p -u -U: -s -w -b -z -M= -C= -B= -R -a -S: -G: --patch --no-patch --stat= --numstat --shortstat --dirstat= --summary --name-only --name-status \
    --color= --no-color --word-diff= --unified= --minimal --patience --histogram --cached --staged --quiet --exit-code --check --raw --no-renames \
    --find-renames= --ignore-all-space --ignore-space-change --ignore-blank-lines --diff-filter= --full-index --no-ext-diff --no-textconv --merge-base \
    --relative= --abbrev= --compact-summary --ignore-submodules= --submodule= --function-context -W --pickaxe-regex";
/// Options of commands that list commits.
const LOG: &str = "-n: -0 -i -E -F -g -c -m -q --oneline --graph --all --decorate= --no-decorate --max-count= --skip= --since= --until= --after= --before= --author= \
    --committer= --grep= --format= --pretty= --date= --reverse --merges --no-merges --first-parent --follow --abbrev-commit --no-abbrev-commit \
    --branches= --tags= --remotes= --topo-order --date-order --left-right --cherry-pick --show-pulls --full-history --count --no-walk= --not -L:";

/// A subcommand: its name, its options besides those of [`DIFF`] and [`LOG`], and whether these are allowed too.
struct Verb {
    name: &'static str,
    options: &'static str,
    shares: &'static [&'static str],
    operands: Operands,
}

/// The operands of a subcommand.
#[derive(PartialEq)]
enum Operands {
    /// Any.
    Any,
    /// None, unless an option of the list turns them into patterns.
    None,
    /// None but one of these words in front.
    Words(&'static [&'static str]),
}

const fn verb(
    name: &'static str,
    options: &'static str,
    shares: &'static [&'static str],
    operands: Operands,
) -> Verb {
    Verb { name, options, shares, operands }
}

const VERBS: &[Verb] = &[
    verb(
        "status",
        "-s -b -v -u= -z --short --branch --porcelain= --long --untracked-files= --ignored= --show-stash --no-renames --ahead-behind",
        &[],
        Operands::Any,
    ),
    verb("diff", "", &[DIFF], Operands::Any),
    verb("log", "", &[DIFF, LOG], Operands::Any),
    verb("show", "", &[DIFF, LOG], Operands::Any),
    verb("shortlog", "-s -n -e -c --summary --numbered --email", &[LOG], Operands::Any),
    verb("whatchanged", "", &[DIFF, LOG], Operands::Any),
    verb("rev-list", "--objects", &[LOG], Operands::Any),
    verb("diff-tree", "-r -t --no-commit-id --root", &[DIFF], Operands::Any),
    verb(
        "rev-parse",
        "-q --short= --verify --abbrev-ref= --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir --is-inside-work-tree --is-bare-repository --symbolic --symbolic-full-name --all --branches --tags --remotes",
        &[],
        Operands::Any,
    ),
    verb(
        "ls-files",
        "-c -d -m -o -i -s -u -z -t -v -x: --cached --deleted --modified --others --ignored --stage --unmerged --exclude-standard --exclude= --full-name --error-unmatch",
        &[],
        Operands::Any,
    ),
    verb(
        "ls-tree",
        "-d -r -t -l -z --name-only --name-status --long --full-name --full-tree",
        &[],
        Operands::Any,
    ),
    verb(
        "blame",
        "-L: -l -t -s -e -w -M= -C= -p --porcelain --line-porcelain --date= --since=",
        &[],
        Operands::Any,
    ),
    verb("cat-file", "-t -s -e -p", &[], Operands::Any),
    verb(
        "describe",
        "--all --tags --long --always --abbrev= --match= --exact-match --dirty= --contains",
        &[],
        Operands::Any,
    ),
    verb("merge-base", "-a --all --is-ancestor --fork-point", &[], Operands::Any),
    verb("name-rev", "--name-only --tags --always", &[], Operands::Any),
    verb("show-ref", "-s -q --head --heads --tags --verify --hash=", &[], Operands::Any),
    verb("for-each-ref", "--format= --sort= --count= --contains= --merged= --no-merged=", &[], Operands::Any),
    verb("check-ignore", "-v -n -q --verbose --non-matching --no-index", &[], Operands::Any),
    verb("count-objects", "-v -H", &[], Operands::None),
    verb(
        "branch",
        "-a -r -v -vv -l --all --remotes --verbose --list --show-current --contains: --no-contains: --merged= --no-merged= --points-at: --sort= --format= --no-color --color= --no-column",
        &[],
        Operands::None,
    ),
    verb(
        "tag",
        "-l -n= --list --contains: --no-contains: --merged= --no-merged= --points-at: --sort= --format=",
        &[],
        Operands::None,
    ),
    verb("remote", "-v --verbose", &[], Operands::Words(&["get-url"])),
    verb("stash", "--oneline", &[], Operands::Words(&["list"])),
    verb("reflog", "", &[LOG], Operands::Words(&["show"])),
    verb("worktree", "--porcelain", &[], Operands::Words(&["list"])),
    // Without `-O`, which starts a pager.
    verb(
        "grep",
        "-i -w -v -h -H -l -L -c -n -E -F -P -G -e: -A: -B: -C: -o -q -I -a -r -p -W --cached --untracked --line-number --ignore-case --name-only --files-with-matches --count --heading --break --function-context --word-regexp --max-depth: --color= --and --or --not --all-match",
        &[],
        Operands::Any,
    ),
];

pub(super) const PROGRAMS: &[Program] = &[own(&["git"], is_safe_git)];

/// Returns true if git runs in the project's own folder: a folder below could be a repository that someone else prepared.
fn is_safe_git(command: &SimpleCommand, _: &Given<'_>, context: &Context<'_>) -> bool {
    let words = command.words.get(1..).unwrap_or_default();
    // `--no-pager` and `--no-optional-locks` are the options in front of the subcommand that start nothing.
    let is_plain = |text: &str| matches!(text, "--no-pager" | "--no-optional-locks" | "-P");
    let options = words.iter().take_while(|word| word.certain && is_plain(&word.text)).count();
    let Some((name, rest)) = words.get(options..).and_then(<[_]>::split_first) else { return false };
    let Some(verb) = VERBS.iter().find(|verb| name.certain && verb.name == name.text) else { return false };
    if command.folder.as_deref() != Some(context.workspace) {
        return false;
    }
    let known = [&[verb.options], verb.shares].concat().join(" ");
    let Some(given) = read_options(rest, &known) else { return false };
    let has_pattern = given.has("--list") || given.has("-l");
    match verb.operands {
        Operands::Any => true,
        Operands::None => given.operands.is_empty() || has_pattern,
        Operands::Words(allowed) => {
            given.operands.first().map_or(verb.name != "stash" && verb.name != "worktree", |first| {
                allowed.contains(&first.text.as_str())
            })
        }
    }
}
