//! Backups, which are missed once the rest is gone.

use super::{Grammar, Program, Rule, Style};

const fn backup(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "backup-delete",
        shapes,
        "deletes backups, or what keeps them readable",
        "show what would go, with the program's dry run, and let the person delete it",
    )
}

pub(super) const BORG: Program = Program {
    names: &["borg", "borgmatic"],
    rules: &[backup(&[
        "delete|rdelete|repo-delete|prune|recreate !-n|--dry-run|--cache-only",
        "key change-passphrase|remove",
        "break-lock",
    ])],
};

pub(super) const RESTIC: Program = Program {
    names: &["restic", "rustic"],
    rules: &[backup(&[
        "forget|prune !-n|--dry-run",
        "key remove",
        "unlock --remove-all",
        "rewrite --forget !-n|--dry-run",
    ])],
};

pub(super) const OTHERS: Program = Program {
    names: &[
        "duplicity",
        "duply",
        "kopia",
        "pgbackrest",
        "barman",
        "wal-g",
        "bup",
        "tarsnap",
        "duplicati-cli",
    ],
    rules: &[backup(&[
        "remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full --force",
        "* purge|purgeFull|purgeIncr --force",
        "snapshot delete|expire --delete|--unsafe-ignore-source",
        "stanza-delete|expire !--dry-run",
        "delete !--dry-run",
        "rm",
        "-d -f",
    ])],
};

pub(super) const BORG_GRAMMAR: Grammar = Grammar {
    names: &["borg", "borgmatic"],
    style: Style::Shortened,
    is_global: true,
    rows: &[(
        "",
        "raPHdwmyc",
        &[
            "repo",
            "glob-archives",
            "match-archives",
            "prefix",
            "keep-daily",
            "keep-weekly",
            "keep-monthly",
            "keep-yearly",
            "keep-last",
            "keep-within",
            "lock-wait",
            "remote-path",
            "rsh",
            "config",
            "target",
        ],
    )],
};

pub(super) const RESTIC_GRAMMAR: Grammar = Grammar {
    names: &["restic", "rustic"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "rpolHdwmy",
        &[
            "repo",
            "repository-file",
            "password-file",
            "password-command",
            "cacert",
            "cache-dir",
            "option",
            "limit-download",
            "limit-upload",
            "host",
            "tag",
            "path",
            "keep-last",
            "keep-daily",
            "keep-weekly",
            "keep-monthly",
            "keep-yearly",
            "keep-within",
            "keep-tag",
            "group-by",
            "key-hint",
        ],
    )],
};
