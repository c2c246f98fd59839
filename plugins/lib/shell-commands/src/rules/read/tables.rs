//! Commands that are there to read, and which of their words name the files.

/// A command that prints what it reads, whole or in part.
pub(super) struct Reader {
    names: &'static [&'static str],
    /// Short options with a value.
    pub(super) short: &'static str,
    /// Long options with a value.
    pub(super) long: &'static [&'static str],
    /// Number of operands in front of the files: a pattern, a program.
    pub(super) before: usize,
    /// Options that replace these operands, so that all operands are files.
    pub(super) script: &'static [&'static str],
}

/// The reader of this name.
pub(super) fn find(name: &str) -> Option<&'static Reader> {
    READERS.iter().find(|reader| reader.names.contains(&name))
}

const fn plain(names: &'static [&'static str], short: &'static str, long: &'static [&'static str]) -> Reader {
    Reader { names, short, long, before: 0, script: &[] }
}

/// Long options with a value of those that search.
const GREP: &[&str] = &[
    "regexp",
    "file",
    "after-context",
    "before-context",
    "context",
    "max-count",
    "include",
    "exclude",
    "exclude-dir",
    "exclude-from",
    "glob",
    "type",
    "type-not",
    "label",
    "binary-files",
    "color",
    "colour",
    "iglob",
    "max-depth",
    "replace",
    "threads",
    "sort",
    "sortr",
];

const READERS: &[Reader] = &[
    plain(
        &[
            "cat",
            "tac",
            "rev",
            "expand",
            "unexpand",
            "most",
            "zcat",
            "bzcat",
            "xzcat",
            "zstdcat",
            "lzcat",
            "uuencode",
            "comm",
            "cmp",
            "glow",
            "mdcat",
            "pygmentize",
            "ccat",
            "lolcat",
            "look",
            "nano",
            "pico",
            "micro",
            "emacs",
        ],
        "",
        &[],
    ),
    plain(
        &[
            "wc",
            "md5sum",
            "sha1sum",
            "sha224sum",
            "sha256sum",
            "sha384sum",
            "sha512sum",
            "shasum",
            "b2sum",
            "cksum",
        ],
        "a",
        &["files0-from"],
    ),
    plain(&["nl"], "bdfhilnsvw", &[]),
    plain(&["strings"], "nteTs", &["bytes", "radix", "encoding"]),
    plain(&["fmt"], "wgp", &["width", "goal", "prefix"]),
    plain(&["hd"], "ens", &[]),
    plain(&["view", "vi", "vim", "nvim"], "cTsSuU", &["cmd"]),
    plain(&["basenc"], "w", &["wrap"]),
    plain(&["less", "zless"], "bhjkoOpPtTxyz", &["pattern"]),
    plain(&["more", "zmore", "pg"], "n", &["lines"]),
    plain(&["head", "tail"], "nc", &["lines", "bytes", "pid", "sleep-interval", "max-unchanged-stats"]),
    plain(
        &["bat", "batcat"],
        "lrHm",
        &[
            "language",
            "line-range",
            "highlight-line",
            "theme",
            "style",
            "paging",
            "color",
            "file-name",
            "map-syntax",
        ],
    ),
    plain(
        &["pr"],
        "DNSWhilosw",
        &["header", "indent", "length", "width", "page-width", "date-format", "pages"],
    ),
    plain(&["column"], "cosEHlNOpRTWi", &["separator", "output-separator", "output-width", "table-columns"]),
    plain(&["paste"], "d", &["delimiters"]),
    plain(&["join"], "12aejotv", &[]),
    plain(&["fold"], "w", &["width"]),
    plain(&["sort"], "kotST", &["key", "output", "field-separator", "buffer-size", "temporary-directory"]),
    plain(&["shuf"], "nio", &["head-count", "output"]),
    plain(&["uniq"], "fsw", &["skip-fields", "skip-chars", "check-chars"]),
    plain(&["cut"], "bcdf", &["bytes", "characters", "delimiter", "fields", "output-delimiter"]),
    plain(&["od"], "AjNSt", &["address-radix", "skip-bytes", "read-bytes", "format"]),
    plain(&["hexdump"], "efns", &["length", "skip", "format", "format-file"]),
    plain(&["xxd"], "cglnosR", &[]),
    plain(&["base32", "base64"], "wob", &["wrap", "break", "output"]),
    plain(
        &["diff", "sdiff", "colordiff", "diff3", "vimdiff", "delta", "difft", "icdiff"],
        "CFILSUWxX",
        &["context", "unified", "label", "exclude", "exclude-from", "ignore-matching-lines", "width"],
    ),
    plain(&["iconv"], "fto", &["from-code", "to-code", "output"]),
    plain(&["split", "csplit"], "abClnft", &["lines", "bytes", "number", "prefix", "suffix-length"]),
    plain(
        &["gzip", "bzip2", "xz", "zstd", "lz4", "brotli", "pigz", "compress"],
        "STDo",
        &["suffix", "output"],
    ),
    plain(&["pbcopy", "xclip", "wl-copy", "tee", "envsubst", "xmllint"], "st", &["selection", "xpath"]),
    Reader {
        names: &["grep", "egrep", "fgrep", "ggrep", "zgrep", "zegrep", "pcregrep"],
        short: "efABCmdD",
        long: GREP,
        before: 1,
        script: &["e", "f", "--regexp", "--file"],
    },
    Reader {
        names: &["rg", "ag", "ack", "ugrep"],
        short: "efABCEMmdDGjgrtT",
        long: GREP,
        before: 1,
        script: &["e", "f", "--regexp", "--file"],
    },
    Reader {
        names: &["sed"],
        short: "efl",
        long: &["expression", "file", "line-length"],
        before: 1,
        script: &["e", "f", "--expression", "--file"],
    },
    Reader {
        names: &["awk", "gawk", "mawk", "nawk", "goawk"],
        short: "Ffv",
        long: &["field-separator", "file", "assign", "source", "include"],
        before: 1,
        script: &["f", "--file", "--source"],
    },
    Reader {
        names: &["jq", "yq", "gojq", "jaq", "dasel", "xq", "tomlq"],
        short: "fLoI",
        long: &["from-file", "indent", "tab"],
        before: 1,
        script: &["f", "--from-file"],
    },
];

/// Commands whose last operand is what the others are copied to.
pub(super) const COPIERS: &[&str] = &["cp", "install", "ln", "rsync", "scp"];

/// Options of programs that take a secret from the standard input.
pub(crate) const TAKERS: &[&str] = &["--password-stdin", "--with-token", "--passphrase-fd"];

/// Commands that print a size or a digest of their input.
pub(super) const QUIET: &[&str] = &[
    "wc",
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "shasum",
    "b2sum",
    "cksum",
    "sum",
    "test",
    "[",
    "stat",
    "file",
    "ls",
    "true",
    ":",
];

/// Programs, or any, and their options whose value is a file that they work with.
pub(super) const LOADERS: &[(&[&str], &[&str])] = &[
    (&[], &["--env-file", "--env-path", "--envfile", "--dotenv", "--kubeconfig", "--identity-file"]),
    (&["ssh", "scp", "sftp", "ssh-copy-id"], &["-i", "-F"]),
    (&["curl"], &["--cert", "--key", "--cacert", "-E", "--netrc-file"]),
    (&["openssl"], &["-in", "-key", "-inkey", "-CAkey", "-CA", "-signkey", "-cert", "-passin"]),
    (&["ssh-keygen"], &["-f"]),
    (&["dotenv", "dotenvx"], &["-f", "-e", "-c"]),
];
