//! Permissions in a cloud, and public visibility.

use super::{Program, Rule};

const DOES: &str = "changes who has access";
const INSTEAD: &str = "show the person the policy and the line that would set it";

pub(super) const AWS: Program = Program {
    names: &["aws"],
    rules: &[Rule::ask(
        "cloud-access",
        &[
            "iam attach-*-policy|detach-*-policy|put-*-policy|create-access-key|create-login-profile",
            "iam update-login-profile|update-assume-role-policy|create-policy-version|deactivate-mfa-device",
            "iam set-default-policy-version|add-user-to-group|remove-user-from-group|update-access-key",
            "s3api put-bucket-acl|put-object-acl --acl=public-*",
            "ec2 authorize-security-group-ingress --cidr=0.0.0.0/0|::/0 !--dry-run",
            "sns|sqs|lambda|events|ecr add-permission|remove-permission|set-repository-policy",
            "rds modify-db-instance|modify-db-cluster --publicly-accessible",
        ],
        DOES,
        INSTEAD,
    )],
};

pub(super) const GCLOUD: Program = Program {
    names: &["gcloud", "gsutil"],
    rules: &[Rule::ask(
        "cloud-access",
        &[
            "** add-iam-policy-binding|remove-iam-policy-binding|set-iam-policy",
            "** service-accounts keys create",
            "acl|defacl ch|set",
            "iam ch|set",
        ],
        DOES,
        INSTEAD,
    )],
};

pub(super) const AZ: Program = Program {
    names: &["az"],
    rules: &[Rule::ask(
        "cloud-access",
        &[
            "role assignment|definition create|delete|update",
            "ad sp create-for-rbac",
            "ad app|sp credential reset|delete",
            "keyvault set-policy|delete-policy",
        ],
        DOES,
        INSTEAD,
    )],
};

pub(super) const HEROKU: Program = Program {
    names: &["heroku"],
    rules: &[Rule::ask(
        "cloud-access",
        &[
            "access:add|access:remove|access:update|members:add|members:remove|members:set",
            "access|members add|remove|update|set",
            "apps:leave|leave|apps:transfer|clients:rotate|clients:update|clients:destroy",
            "apps leave|transfer",
            "clients rotate|update|destroy",
            "authorizations:revoke|authorizations:rotate",
        ],
        DOES,
        INSTEAD,
    )],
};
