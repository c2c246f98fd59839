//! Infrastructure as code: what tears a whole stack down, or changes it unseen.

use super::{Grammar, Program, Rule, Style, everywhere};

const fn destroy(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "stack-destroy",
        shapes,
        "tears down all that the stack has deployed",
        "`terraform plan -destroy` or `pulumi destroy --preview-only` shows what would go; let the person destroy it",
    )
}

const fn apply(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "stack-apply",
        shapes,
        "changes what is deployed without anybody seeing the plan",
        "show the plan (`terraform plan -out plan.tfplan`, `pulumi preview`, `cdk diff`), then apply that",
    )
}

const fn state(shapes: &'static [&'static str]) -> Rule {
    Rule::ask(
        "stack-state",
        shapes,
        "changes the record of what is deployed",
        "a `moved` or `removed` block in the configuration says the same, and the plan shows it",
    )
}

pub(super) const TERRAFORM: Program = Program {
    names: &["terraform", "tofu", "opentofu"],
    rules: &[
        destroy(&["destroy !-help|-h", "apply -destroy !-help|-h"]),
        apply(&["apply -auto-approve !-auto-approve=false !-destroy"]),
        state(&STATE),
    ],
};

const STATE: [&str; 5] = [
    "state rm|mv|push|replace-provider !-dry-run",
    "force-unlock",
    "workspace delete -force",
    "workspace delete -lock=false",
    "taint",
];

pub(super) const TERRAGRUNT: Program = Program {
    names: &["terragrunt"],
    rules: &[
        destroy(&[
            "destroy|destroy-all",
            "run|run-all|graph|graph-run|stack ** destroy",
            "** apply|apply-all -destroy",
        ]),
        apply(&[
            "apply-all !-destroy",
            "run-all|stack ** apply !-destroy",
            "run -all ** apply !-destroy",
            "** apply -auto-approve !-destroy",
        ]),
        state(&STATE),
    ],
};

pub(super) const TERRAFORM_GRAMMAR: Grammar = everywhere(
    &["terraform", "tofu", "opentofu", "terragrunt"],
    Style::SingleDash,
    &[(
        "",
        "",
        &[
            "backend-config",
            "backup",
            "config",
            "lock-timeout",
            "out",
            "parallelism",
            "plugin-dir",
            "queue-exclude-dir",
            "queue-include-dir",
            "replace",
            "state",
            "state-out",
            "target",
            "terragrunt-config",
            "terragrunt-working-dir",
            "var",
            "var-file",
            "working-dir",
        ],
    )],
);

pub(super) const PULUMI: Program = Program {
    names: &["pulumi"],
    rules: &[
        destroy(&["destroy|down|dn !--preview-only", "stack rm|remove"]),
        apply(&["up|update -y|--yes", "up|update -f|--skip-preview"]),
        state(&["state delete|edit|move|rename|unprotect|repair|upgrade", "stack import", "cancel"]),
    ],
};

pub(super) const PULUMI_GRAMMAR: Grammar = everywhere(
    &["pulumi"],
    Style::Whole,
    &[
        ("", "Cv", &["cwd", "color", "tracing", "profiling", "verbose", "stack"]),
        (
            "destroy",
            "smtp",
            &["config-file", "exclude", "message", "parallel", "stack", "target", "suppress-permalink"],
        ),
        ("stack", "s", &["stack"]),
        ("state", "s", &["stack"]),
        (
            "up",
            "csmtp",
            &[
                "config",
                "config-file",
                "exclude",
                "message",
                "parallel",
                "plan",
                "replace",
                "stack",
                "target",
            ],
        ),
    ],
);

pub(super) const CDK: Program = Program {
    names: &["cdk", "cdktf"],
    rules: &[destroy(&["destroy"]), apply(&["deploy --require-approval=never", "deploy --auto-approve"])],
};

pub(super) const CDK_GRAMMAR: Grammar = everywhere(
    &["cdk", "cdktf"],
    Style::Whole,
    &[(
        "",
        "acipr",
        &[
            "app",
            "context",
            "output",
            "profile",
            "region",
            "require-approval",
            "role-arn",
            "toolkit-stack-name",
        ],
    )],
);

pub(super) const SERVERLESS: Program =
    Program { names: &["serverless", "sls", "osls", "sst"], rules: &[destroy(&["remove"])] };

pub(super) const SERVERLESS_GRAMMAR: Grammar = everywhere(
    &["serverless", "sls", "osls", "sst"],
    Style::Whole,
    &[("", "csr", &["aws-profile", "config", "param", "region", "service", "stage"])],
);

pub(super) const KOPS: Program = Program { names: &["kops"], rules: &[destroy(&["delete -y|--yes"])] };

/// Programs with one such verb.
pub(super) const NAMED: Program = Program {
    names: &["amplify", "chalice", "copilot", "eb", "eksctl", "nitric", "sam", "zappa"],
    rules: &[destroy(&["delete|terminate|undeploy|down !--dry-run", "app|env|job|pipeline|svc|task delete"])],
};
