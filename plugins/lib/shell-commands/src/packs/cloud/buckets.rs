//! Buckets of objects.

use super::{Grammar, Program, Rule, Style, everywhere};

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "bucket-delete",
        shapes,
        "deletes objects of a bucket",
        "list them first; a dry run (`--dryrun`, `--dry-run`, `-n`) shows what would go",
    )
}

pub(super) const AWS: Program = Program {
    names: &["aws"],
    rules: &[delete(&[
        "s3 rm|rb !--dryrun !--endpoint-url=<here>",
        "s3 sync --delete !--dryrun !--endpoint-url=<here>",
    ])],
};

pub(super) const GCLOUD: Program = Program {
    names: &["gcloud"],
    rules: &[delete(&[
        "** storage rm",
        "** storage rsync --delete-unmatched-destination-objects !--dry-run",
    ])],
};

pub(super) const GSUTIL: Program =
    Program { names: &["gsutil"], rules: &[delete(&["rm|rb", "rsync -d !-n", "lifecycle set"])] };

pub(super) const GSUTIL_GRAMMAR: Grammar = everywhere(
    &["gsutil"],
    Style::Whole,
    &[("", "houi", &[]), ("rsync", "jx", &[]), ("cp", "jzshn", &[]), ("mb", "blcp", &[])],
);

pub(super) const AZCOPY: Program = Program {
    names: &["azcopy"],
    rules: &[delete(&[
        "remove|rm|r !--dry-run",
        "sync|sc|s --delete-destination !--dry-run !--delete-destination=false",
    ])],
};

pub(super) const AZCOPY_GRAMMAR: Grammar = everywhere(
    &["azcopy"],
    Style::Whole,
    &[(
        "",
        "",
        &[
            "delete-destination",
            "include-pattern",
            "exclude-pattern",
            "include-path",
            "exclude-path",
            "from-to",
        ],
    )],
);

pub(super) const MINIO: Program = Program {
    names: &["mc", "mcli"],
    rules: &[delete(&[
        "rm|rb|undo !--fake|--dry-run",
        "mirror --remove !--fake|--dry-run",
        "admin bucket|policy|user|group|service delete|remove|rm|disable|unset|detach|stop",
        "admin user|group svcacct|* rm|remove",
    ])],
};

pub(super) const MINIO_GRAMMAR: Grammar = everywhere(
    &["mc", "mcli"],
    Style::Whole,
    &[("", "C", &["config-dir", "older-than", "newer-than", "version-id", "exclude", "rewind"])],
);

pub(super) const S3CMD: Program = Program {
    names: &["s3cmd", "s4cmd"],
    rules: &[delete(&["del|rm|rb|expire !-n|--dry-run", "sync --delete-removed !-n|--dry-run"])],
};

pub(super) const S3CMD_GRAMMAR: Grammar = everywhere(
    &["s3cmd", "s4cmd"],
    Style::Whole,
    &[("", "cDm", &["access_key", "config", "exclude", "host", "include", "region", "secret_key"])],
);

pub(super) const S5CMD: Program =
    Program { names: &["s5cmd"], rules: &[delete(&["rm|rb !--dry-run", "sync --delete !--dry-run"])] };

pub(super) const S5CMD_GRAMMAR: Grammar = everywhere(
    &["s5cmd"],
    Style::Whole,
    &[("", "r", &["endpoint-url", "profile", "credentials-file", "log", "numworkers", "exclude"])],
);

pub(super) const B2: Program = Program {
    names: &["b2"],
    rules: &[delete(&[
        "rm|delete-bucket|delete-file-version !--dry-run|--dryRun",
        "bucket|file|key delete|hide !--dry-run",
        "sync --delete !--dry-run|--dryRun",
    ])],
};

pub(super) const RCLONE: Program = Program {
    names: &["rclone"],
    rules: &[delete(&[
        "delete|deletefile|purge|rmdirs|cleanup|sync|move|dedupe !-n|--dry-run|-i|--interactive",
    ])],
};

pub(super) const RCLONE_GRAMMAR: Grammar = everywhere(
    &["rclone"],
    Style::Whole,
    &[(
        "",
        "",
        &[
            "backup-dir",
            "bwlimit",
            "checkers",
            "config",
            "exclude",
            "exclude-from",
            "filter",
            "filter-from",
            "include",
            "log-file",
            "log-level",
            "max-age",
            "min-age",
            "transfers",
        ],
    )],
);
