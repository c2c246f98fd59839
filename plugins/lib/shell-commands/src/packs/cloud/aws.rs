//! Amazon's clouds, by the verbs that all services share.

use super::{Grammar, Program, Rule, Style, everywhere};

pub(super) const AWS: Program = Program {
    names: &["aws"],
    rules: &[Rule::ask(
        "aws-delete",
        &[
            "* delete-*|batch-delete-*|bulk-delete-*|force-delete-*|destroy-*|terminate-*|purge-*|deregister-* \
             !--dry-run|--generate-cli-skeleton !--endpoint-url=<here>",
            "ec2 release-address|release-hosts !--dry-run",
            "kms schedule-key-deletion|disable-key",
            "organizations close-account|leave-organization|remove-account-*",
            "route53 change-resource-record-sets --change-batch=*DELETE*",
            "sns unsubscribe",
        ],
        "deletes what the account holds",
        "list or describe it first (`aws … describe-…`), and let the person delete it",
    )],
};

pub(super) const GRAMMAR: Grammar = everywhere(
    &["aws"],
    Style::Whole,
    &[(
        "",
        "",
        &[
            "acl",
            "ca-bundle",
            "change-batch",
            "cidr",
            "cli-binary-format",
            "cli-connect-timeout",
            "cli-read-timeout",
            "color",
            "endpoint-url",
            "exclude",
            "include",
            "output",
            "profile",
            "query",
            "region",
        ],
    )],
);
