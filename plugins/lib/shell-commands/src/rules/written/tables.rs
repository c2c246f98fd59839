//! Commands that are there to write, and which of their words name the files.

use crate::rules::removal::RSYNC;

/// Commands that write each of their operands: their short options with a value, their long ones, and how many operands
/// stand before the files.
pub(super) const ALL: &[(&str, &str, &[&str], usize)] = &[
    ("chattr", "pv", &[], 0),
    ("chflags", "", &[], 1),
    ("chgrp", "", &["reference"], 0),
    ("chmod", "", &["reference"], 0),
    ("chown", "", &["reference", "from"], 0),
    ("ed", "p", &[], 0),
    ("emacs", "Lfldtu", &["eval", "execute", "funcall", "load"], 0),
    ("ex", "cT", &[], 0),
    ("fallocate", "lo", &["length", "offset"], 0),
    ("gvim", "cTsSuU", &["cmd"], 0),
    ("micro", "", &["config-dir"], 0),
    ("nano", "CJQTXYors", &[], 0),
    ("nvim", "cTsSuU", &["cmd"], 0),
    ("pico", "", &[], 0),
    ("rm", "", &[], 0),
    ("rmdir", "", &[], 0),
    ("rvim", "cTsSuU", &["cmd"], 0),
    ("setfacl", "mMxX", &["modify", "remove", "set", "restore"], 0),
    ("setfattr", "nvx", &["name", "remove", "value"], 0),
    ("shred", "ns", &["iterations", "size", "random-source"], 0),
    ("sponge", "", &[], 0),
    ("srm", "", &[], 0),
    ("tee", "", &["output-error"], 0),
    ("touch", "drt", &["date", "reference", "time"], 0),
    ("truncate", "rs", &["reference", "size"], 0),
    ("unlink", "", &[], 0),
    ("vi", "cTsSuU", &["cmd"], 0),
    ("vim", "cTsSuU", &["cmd"], 0),
    ("vimdiff", "cTsSuU", &["cmd"], 0),
];
/// Commands whose last operand, or the folder behind `-t`, is written.
pub(super) const LAST: &[(&str, &str, &[&str])] = &[
    ("cp", "St", &["suffix", "target-directory"]),
    ("install", "gmoSt", &["group", "mode", "owner", "suffix", "target-directory", "strip-program"]),
    ("link", "", &[]),
    ("ln", "St", &["suffix", "target-directory"]),
    ("mv", "St", &["suffix", "target-directory"]),
    ("rsync", RSYNC.short, RSYNC.long),
    ("scp", "cDFiJloPSX", &[]),
];
/// Commands that write what an option names: the option's letter, or nothing, and its long name.
pub(super) const NAMED: &[(&str, &[(&str, &str)])] = &[
    ("aria2c", &[("o", "out"), ("d", "dir")]),
    (
        "curl",
        &[
            ("o", "output"),
            ("", "output-dir"),
            ("c", "cookie-jar"),
            ("D", "dump-header"),
            ("", "trace"),
            ("", "trace-ascii"),
            ("", "stderr"),
            ("", "hsts"),
            ("", "alt-svc"),
            ("", "etag-save"),
            ("", "libcurl"),
        ],
    ),
    ("hookbox", &[("o", "output")]),
    ("patch", &[("o", "output"), ("d", "directory"), ("r", "reject-file"), ("B", "prefix")]),
    ("sort", &[("o", "output")]),
    (
        "wget",
        &[
            ("O", "output-document"),
            ("P", "directory-prefix"),
            ("o", "output-file"),
            ("a", "append-output"),
            ("", "save-cookies"),
            ("", "hsts-file"),
            ("", "warc-file"),
            ("", "rejected-log"),
        ],
    ),
];
