//! Permanent deletions at the hosts of repositories.

use crate::packs::Rule;

const REPOSITORY: &str = "deletes a repository with its issues, pull requests and releases";
const NO_REPOSITORY: &str = "archive it, or let the user delete it on its settings page";
const THING: &str = "deletes it on the host for everybody";
const NO_THING: &str = "tell the person what should go, with its address";

pub(super) const GH: &[Rule] = &[
    Rule::deny("hub-repository-delete", &["repo delete"], REPOSITORY, NO_REPOSITORY),
    Rule::ask(
        "hub-delete",
        &[
            "release delete|delete-asset",
            "issue|gist|label|run|codespace|cs|ssh-key|gpg-key|secret|variable delete",
            "secret|variable remove",
            "project delete|item-delete|field-delete",
            "repo deploy-key|autolink delete",
            "codespace|cs delete|rebuild --full",
            "api -X|--method=DELETE|delete|Delete",
            "api graphql -f|--raw-field|-F|--field=query=*delete*(*",
        ],
        THING,
        NO_THING,
    ),
    Rule::ask(
        "hub-repository-change",
        &["repo archive|rename", "repo sync --force", "workflow disable"],
        "changes the repository for everybody who uses it",
        NO_THING,
    ),
];

pub(super) const GLAB: &[Rule] = &[
    Rule::deny("hub-repository-delete", &["repo|project delete"], REPOSITORY, NO_REPOSITORY),
    Rule::ask(
        "hub-delete",
        &[
            "release|variable|issue|incident|label|milestone|schedule|ssh-key|gpg-key|deploy-key|snippet delete",
            "mr|ci|pipe|pipeline|iteration delete",
            "mr delete|del",
            "securefile|token|cluster remove|revoke|delete|rm",
            "runner delete|unregister",
            "api -X|--method=DELETE|delete|Delete",
        ],
        THING,
        NO_THING,
    ),
    Rule::ask(
        "hub-repository-change",
        &["repo|project archive|transfer"],
        "changes the repository for everybody who uses it",
        NO_THING,
    ),
];

pub(super) const GITLAB_RUNNER: &[Rule] =
    &[Rule::ask("hub-delete", &["unregister", "verify --delete"], THING, NO_THING)];

pub(super) const TEA: &[Rule] = &[
    Rule::deny("hub-repository-delete", &["repos|repo|r delete|rm", "delete"], REPOSITORY, NO_REPOSITORY),
    Rule::ask(
        "hub-delete",
        &["releases|release|labels|label|milestones|milestone|ms|webhooks|branches delete|rm|d"],
        THING,
        NO_THING,
    ),
];
