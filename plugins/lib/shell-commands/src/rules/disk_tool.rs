//! Tools for disks: which of their options and verbs write, and which only look.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// Beginnings of the names of programs that make file systems, behind which nothing, a dot, an underscore or the kind follows.
const FORMATTERS: &[&str] = &["mkfs", "newfs"];
/// Names of other such programs.
const OTHER_FORMATTERS: &[&str] = &[
    "fdformat",
    "make_ext4fs",
    "make_f2fs",
    "mkdosfs",
    "mke2fs",
    "mkexfatfs",
    "mkntfs",
    "mkreiserfs",
    "mkudffs",
    "nwipe",
    "scrub",
];
/// Programs that erase a disk whose name may have no folder, and the words that mean it: a verb at the beginning, or an option anywhere.
const ERASERS: &[(&str, &[&str])] = &[
    ("asr", &["-erase", "--erase"]),
    ("bcachefs", &["format"]),
    ("dmraid", &["-E", "-rE", "--erase_metadata"]),
    ("gpart", &["delete", "destroy"]),
    ("gpt", &["destroy", "remove"]),
    ("mdadm", &["--zero-superblock"]),
    ("nvme", &["format", "sanitize", "write-zeroes"]),
    ("sg_format", &["-F", "--format"]),
    ("sg_sanitize", &["-B", "-C", "-O", "--block", "--crypto", "--overwrite"]),
    ("zpool", &["destroy", "labelclear"]),
];

/// Returns true if a program of this name makes a file system, or overwrites a disk in another way, whatever its options are.
pub(super) fn is_formatter(name: &str) -> bool {
    let is_made = |begin: &&str| {
        name.strip_prefix(*begin).is_some_and(|kind| kind.is_empty() || kind.starts_with(['.', '_']))
    };
    FORMATTERS.iter().any(is_made) || OTHER_FORMATTERS.contains(&name)
}

/// Returns the word by which a command erases a disk.
pub(super) fn erasing_word(name: &str, call: &Call) -> Option<String> {
    // `format C:`
    let is_drive =
        |arg: &&Arg| matches!(arg.as_str().as_bytes(), [drive, b':'] if drive.is_ascii_alphabetic());
    if matches!(name, "format" | "format.com") {
        return call.args().iter().find(is_drive).map(Arg::plain);
    }
    let (_, words) = ERASERS.iter().find(|(known, _)| *known == name)?;
    let mut args = call.args().iter().enumerate();
    let is_erasing =
        |at: usize, arg: &Arg| (at == 0 || arg.as_str().starts_with('-')) && words.contains(&arg.as_str());
    args.find(|(at, arg)| is_erasing(*at, arg)).map(|(_, arg)| arg.plain())
}

/// Condition under which a tool does not change the disk.
enum ReadOnlyCondition {
    /// Never.
    Never,
    /// With one of these options; without, it writes.
    With(&'static [&'static str]),
    /// Unless it is given one of these options.
    Without(&'static [&'static str]),
    /// The first operand is one of these.
    Verb(&'static [&'static str]),
    /// All options are among these, and there is at least one.
    Only(&'static [&'static str]),
}

/// The tools, their short options with a value, and when they only look.
const TOOLS: &[(&str, &str, ReadOnlyCondition)] = &[
    ("badblocks", "bcdeiopt", ReadOnlyCondition::Without(&["w", "n"])),
    ("blkdiscard", "olp", ReadOnlyCondition::Never),
    ("cfdisk", "", ReadOnlyCondition::Never),
    ("cgdisk", "", ReadOnlyCondition::Never),
    (
        "cryptsetup",
        "chslkdyi",
        ReadOnlyCondition::Verb(&[
            "benchmark",
            "close",
            "convert",
            "isLuks",
            "luksClose",
            "luksDump",
            "luksHeaderBackup",
            "luksOpen",
            "luksSuspend",
            "luksResume",
            "luksUUID",
            "open",
            "plainOpen",
            "refresh",
            "remove",
            "resize",
            "status",
            "tcryptDump",
            "tcryptOpen",
            "token",
        ]),
    ),
    (
        "fdisk",
        "bBCHSLotuwW",
        ReadOnlyCondition::With(&["l", "x", "s", "--list", "--list-details", "--getsz"]),
    ),
    ("flash_erase", "", ReadOnlyCondition::Never),
    ("flash_eraseall", "", ReadOnlyCondition::Never),
    ("flashcp", "", ReadOnlyCondition::Never),
    ("gdisk", "", ReadOnlyCondition::With(&["l"])),
    (
        "hdparm",
        "",
        ReadOnlyCondition::Without(&[
            "--dco-restore",
            "--make-bad-sector",
            "--repair-sector",
            "--sanitize-block-erase",
            "--sanitize-crypto-scramble",
            "--sanitize-overwrite",
            "--security-erase",
            "--security-erase-enhanced",
            "--trim-sector-ranges",
            "--trim-sector-ranges-stdin",
            "--write-sector",
        ]),
    ),
    ("mkswap", "ULpv", ReadOnlyCondition::Never),
    ("nandwrite", "", ReadOnlyCondition::Never),
    ("parted", "a", ReadOnlyCondition::With(&["l", "--list"])),
    ("pdisk", "", ReadOnlyCondition::With(&["l"])),
    ("pvcreate", "u", ReadOnlyCondition::With(&["t", "--test"])),
    ("pvremove", "", ReadOnlyCondition::With(&["t", "--test"])),
    (
        "sfdisk",
        "NoOuwWXY",
        ReadOnlyCondition::With(&[
            "d",
            "F",
            "J",
            "l",
            "n",
            "s",
            "T",
            "V",
            "--dump",
            "--json",
            "--list",
            "--list-free",
            "--list-types",
            "--no-act",
            "--show-size",
            "--verify",
        ]),
    ),
    (
        "sgdisk",
        "aAbBcCdhijlmnNrRStTuU",
        ReadOnlyCondition::Only(&[
            "b",
            "D",
            "E",
            "f",
            "F",
            "i",
            "L",
            "O",
            "p",
            "P",
            "v",
            "--backup",
            "--display-alignment",
            "--end-of-largest",
            "--first-aligned-in-largest",
            "--first-in-largest",
            "--info",
            "--list-types",
            "--pretend",
            "--print",
            "--print-mbr",
            "--verify",
        ]),
    ),
    ("shred", "ns", ReadOnlyCondition::Never),
    ("wipefs", "otOb", ReadOnlyCondition::Without(&["a", "o", "--all", "--offset"])),
    (
        "zpool",
        "oORt",
        ReadOnlyCondition::Verb(&[
            "clear", "events", "export", "get", "history", "import", "iostat", "list", "offline", "online",
            "scrub", "set", "status", "sync", "trim", "upgrade", "version", "wait",
        ]),
    ),
];

/// Commands of `parted` that only read.
const PARTED_LOOKS: &[&str] = &["align-check", "help", "print", "quit", "select", "unit", "version"];

/// Returns true if a tool that was passed a disk writes to it.
pub(super) fn writes(name: &str, call: &Call) -> bool {
    let Some((_, short, looks)) = TOOLS.iter().find(|(known, ..)| *known == name) else { return false };
    let options = Options::parse(call.args(), Grammar { short, long: &[], anywhere: true });
    let given = |known: &&str| options.given.iter().any(|(name, _)| name == known);
    let trial = ["n", "--no-act", "--dry-run"].iter().any(given);
    match looks {
        ReadOnlyCondition::Never => true,
        ReadOnlyCondition::With(_) if name == "parted" && parted_looks(&options) => false,
        ReadOnlyCondition::With(options) => !options.iter().any(given),
        ReadOnlyCondition::Without(options) => options.iter().any(given) && !(trial && name == "wipefs"),
        ReadOnlyCondition::Verb(verbs) => {
            let verb = options.operands.first().map_or("", Arg::as_str);
            !verbs.contains(&verb)
        }
        ReadOnlyCondition::Only(looking) => {
            options.given.is_empty()
                || options.given.iter().any(|(name, _)| !looking.contains(&name.as_str()))
        }
    }
}

/// Returns true if all commands among the words behind the disk only read.
fn parted_looks(options: &Options) -> bool {
    let words = options.operands.get(1..).unwrap_or_default();
    let is_looking = |word: &Arg| {
        PARTED_LOOKS.contains(&word.as_str())
            || matches!(
                word.as_str(),
                "B" | "KB" | "MB" | "GB" | "MiB" | "GiB" | "s" | "%" | "free" | "devices" | "all" | "list"
            )
    };
    !words.is_empty() && words.iter().all(is_looking)
}
