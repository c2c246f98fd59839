//! Tools for disks: which of their options and verbs write, and which only look.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

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
    ("newfs", "", ReadOnlyCondition::With(&["N"])),
    ("parted", "a", ReadOnlyCondition::With(&["l", "--list"])),
    ("pvcreate", "u", ReadOnlyCondition::With(&["t", "--test"])),
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
