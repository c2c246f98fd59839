//! The other clouds.

use super::{Grammar, Program, Rule, Style, everywhere};

const INSTEAD: &str = "list or describe it first, and let the person delete it";

pub(super) const GCLOUD: Program = Program {
    names: &["gcloud"],
    rules: &[Rule::ask(
        "gcloud-delete",
        &[
            "** delete|destroy|undeploy|bulk-delete|delete-instances|delete-files|abandon-instances !--dry-run|--validate-only",
            "** restore-backup",
            "services disable",
            "** transaction remove",
        ],
        "deletes what the project holds",
        INSTEAD,
    )],
};

pub(super) const GCLOUD_GRAMMAR: Grammar = everywhere(
    &["gcloud"],
    Style::Whole,
    &[(
        "",
        "",
        &[
            "access-token-file",
            "account",
            "billing-project",
            "configuration",
            "description",
            "filter",
            "flags-file",
            "format",
            "impersonate-service-account",
            "limit",
            "location",
            "message",
            "name",
            "page-size",
            "project",
            "region",
            "sort-by",
            "trace-token",
            "verbosity",
            "zone",
        ],
    )],
);

pub(super) const AZ: Program = Program {
    names: &["az"],
    rules: &[Rule::ask(
        "az-delete",
        &[
            "** delete|delete-batch|bulk-delete|purge !--dryrun|--dry-run|--what-if|-h",
            "storage remove !-h",
            "acr repository untag !-h",
            "deployment * create --mode=Complete|complete !--what-if|-w|-h",
        ],
        "deletes what the subscription holds",
        INSTEAD,
    )],
};

pub(super) const AZ_GRAMMAR: Grammar = everywhere(
    &["az"],
    Style::Whole,
    &[(
        "",
        "gnlo",
        &["location", "mode", "name", "output", "query", "resource-group", "subscription", "tags", "body"],
    )],
);

const fn delete(shapes: &'static [&'static str]) -> Rule {
    Rule::ask("cloud-delete", shapes, "deletes what the account holds", INSTEAD)
}

/// Clouds whose programs have the form `cloud things delete name`.
pub(super) const OTHERS: Program = Program {
    names: &[
        "atlas",
        "civo",
        "confluent",
        "doctl",
        "exo",
        "hcloud",
        "linode-cli",
        "neon",
        "neonctl",
        "oci",
        "openstack",
        "pscale",
        "rosa",
        "scw",
        "turso",
        "upctl",
        "vultr-cli",
        "yc",
    ],
    rules: &[delete(&[
        "** delete|destroy|terminate|purge|bulk-delete !--dry-run",
        "* rm|remove",
        "* * rm|del|d|remove",
    ])],
};

pub(super) const OTHERS_GRAMMAR: Grammar = everywhere(
    OTHERS.names,
    Style::Whole,
    &[(
        "",
        "",
        &[
            "access-token",
            "api-key",
            "api-url",
            "config",
            "context",
            "format",
            "output",
            "profile",
            "project",
            "region",
            "token",
        ],
    )],
);

/// Clouds whose programs join the words of a verb.
pub(super) const DASHED: Program = Program {
    names: &["ibmcloud"],
    rules: &[delete(&["** *-delete|*-rm|delete|rm|service-instance-delete"])],
};

/// Clouds whose programs call an API by its name.
pub(super) const CAMEL: Program = Program {
    names: &["aliyun", "tccli"],
    rules: &[delete(&["* Delete*|Release*|Terminate*|Isolate*|Destroy* !--dryrun|--DryRun"])],
};
