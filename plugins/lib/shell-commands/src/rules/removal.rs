//! Removing what must stay.

use crate::{
    arg::{Arg, UNKNOWN},
    call::{Call, Grammar, Options},
    target::{Target, classify},
    wrapper::search,
};

/// Programs that remove a folder with all that is in it, whatever their options are.
const WHOLE: &[&str] = &["del-cli", "gtrash", "rimraf", "rmtrash", "trash", "trash-put", "trash-rm"];

/// Programs that remove what they have copied if one of these options is given.
const MOVERS: &[(&[&str], &[&str])] = &[
    (&["7z", "7za", "7zz"], &["-sdel"]),
    (&["rsync"], &["--remove-source-files"]),
    (&["tar", "gtar"], &["--remove-files"]),
    (&["zip"], &["-m", "-rm", "-mr", "--move"]),
];

fn recursive_removal(call: &Call) -> Option<Options> {
    let is_always_recursive = call.is(WHOLE);
    if !call.is(&["rm", "grm", "srm"]) && !is_always_recursive {
        return None;
    }
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    (is_always_recursive || options.has_letter("rR") || options.has_long("--recursive")).then_some(options)
}

pub(super) fn remove(call: &Call) -> Option<String> {
    let options = recursive_removal(call)?;
    let hit = options.operands.iter().find_map(|operand| classify(operand.as_str(), call));
    match hit {
        Some(target) => Some(format!("removes {}", target.describe())),
        None if options.has_long("--no-preserve-root") && !options.has_long("--n") => {
            Some("removes recursively without the protection of /".to_owned())
        }
        None => None,
    }
}

/// `rm -rf "$DIR"`: empty or `/`, who knows.
pub(super) fn unknown_target(call: &Call) -> Option<String> {
    let options = recursive_removal(call)?;
    let unknown = |operand: &Arg| operand.as_str().starts_with(UNKNOWN);
    options
        .operands
        .iter()
        .any(unknown)
        .then(|| "removes a folder that is only known when it runs".to_owned())
}

/// `rm -rf "$X"/*`: what is left of the path if the variable is not set.
pub(super) fn unset_variable(call: &Call) -> Option<String> {
    let options = recursive_removal(call)?;
    let hit = options
        .operands
        .iter()
        .filter(|operand| operand.may_be_unset)
        .find_map(|operand| classify(operand.as_str().strip_prefix(UNKNOWN)?, call))?;
    (hit != Target::Here).then(|| format!("removes {} if the variable in front is not set", hit.describe()))
}

/// Programs that remove or empty each file that they are given.
const EMPTYING: &[&str] = &["grm", "gshred", "gtruncate", "rm", "shred", "srm", "truncate", "unlink"];
/// Scripts of `sed` that delete each line.
const SED_ALL: &[&str] = &["d", "1,$d", "1,$ d", "/.*/d", "/^/d"];

/// `git ls-files | xargs rm`: every file that a list names.
pub(super) fn remove_listed(call: &Call) -> Option<String> {
    let empties = call.is(EMPTYING)
        || call.is(WHOLE)
        || (call.is(&["sed", "gsed"])
            && SED_ALL.iter().any(|script| call.has_arg(script))
            && is_in_place(call));
    // `ls` names no file in a folder of the folder: `ls | xargs rm` is `rm *`.
    let is_deep = recursive_removal(call).is_some();
    let is_listed = call.args().iter().any(|arg| arg.origin.everything && (is_deep || !arg.origin.files));
    (empties && is_listed).then(|| "removes each file of the whole folder".to_owned())
}

fn is_in_place(call: &Call) -> bool {
    call.args().iter().any(|arg| arg.as_str().starts_with("-i") || arg.as_str().starts_with("--in-place"))
}

pub(super) fn find_delete(call: &Call) -> Option<String> {
    if !call.is(&["find", "gfind"]) {
        return None;
    }
    let search = search(call);
    if !search.deletes {
        return None;
    }
    let targets = search.starts.iter().filter_map(|start| classify(start.as_str(), call));
    let hit = |target: &Target| !search.is_narrow || matches!(target, Target::Root | Target::System(_));
    targets.into_iter().find(hit).map(|target| format!("deletes everything in {}", target.describe()))
}

/// Moving a folder away is removing it.
pub(super) fn move_away(call: &Call) -> Option<String> {
    let mover = MOVERS.iter().find(|(names, _)| call.is(names));
    if mover.is_some_and(|(_, options)| options.iter().any(|option| call.has_arg(option))) {
        let targets = call.args().iter().filter_map(|arg| classify(arg.as_str(), call));
        let hit = targets.into_iter().find(|target| *target != Target::Here)?;
        return Some(format!("removes what it copies, and that is {}", hit.describe()));
    }
    if !call.is(&["mv", "gmv"]) {
        return None;
    }
    let options =
        Options::parse(call.args(), Grammar { short: "tS", long: &["target-directory"], anywhere: true });
    let into = options.value(&["t", "--target-directory"]);
    let sources = options.operands.len().saturating_sub(usize::from(into.is_none()));
    let hit = options.operands.iter().take(sources).find_map(|operand| classify(operand.as_str(), call))?;
    (hit != Target::Here).then(|| format!("moves {} away", hit.describe()))
}

/// `rsync`'s options with a value.
pub(crate) const RSYNC: Grammar<'static> = Grammar {
    short: "eBfMT@",
    long: &[
        "address",
        "backup-dir",
        "block-size",
        "bwlimit",
        "checksum-choice",
        "checksum-seed",
        "chmod",
        "chown",
        "compare-dest",
        "compress-choice",
        "compress-level",
        "config",
        "contimeout",
        "copy-as",
        "copy-dest",
        "debug",
        "early-input",
        "exclude",
        "exclude-from",
        "files-from",
        "filter",
        "groupmap",
        "iconv",
        "include",
        "include-from",
        "info",
        "link-dest",
        "log-file",
        "log-file-format",
        "max-alloc",
        "max-delete",
        "max-size",
        "min-size",
        "modify-window",
        "only-write-batch",
        "out-format",
        "outbuf",
        "partial-dir",
        "password-file",
        "port",
        "protocol",
        "read-batch",
        "remote-option",
        "rsh",
        "rsync-path",
        "skip-compress",
        "sockopts",
        "stop-after",
        "stop-at",
        "suffix",
        "temp-dir",
        "timeout",
        "usermap",
        "write-batch",
    ],
    anywhere: true,
};

/// A copy that deletes what the source does not have.
pub(super) fn sync(call: &Call) -> Option<String> {
    if !call.is(&["rsync"]) {
        return None;
    }
    let options = Options::parse(call.args(), RSYNC);
    let deletes = options.given.iter().any(|(name, _)| name.starts_with("--del"));
    let [_, .., target] = options.operands.as_slice() else { return None };
    let target = classify(target.as_str(), call).filter(|_| deletes && !is_trial(&options))?;
    Some(format!("deletes what is in {}", target.describe()))
}

/// Returns true if `rsync` only prints what it would do: `-n`, unless `--no-n` reverses it.
pub(crate) fn is_trial(options: &Options) -> bool {
    let is_back = |(name, _): &(String, Option<Arg>)| matches!(name.as_str(), "--no-n" | "--no-dry-run");
    (options.has_letter("n") || options.has_long("--dry-run")) && !options.given.iter().any(is_back)
}
