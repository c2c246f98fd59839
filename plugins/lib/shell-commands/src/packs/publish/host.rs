//! Visibility of a repository at its host, and access to it. Deletions are in the pack `git`.

use crate::packs::Rule;

const RELEASES: &str = "publishes a release and notifies its followers";
const DRAFT_IT: &str = "prepare notes and files, or make it a draft: `--draft`";
const SHOWS: &str = "changes who can see the repository";
const LET_PERSON: &str = "let the user do it on the settings page, after a review of the history";
const LETS_IN: &str = "changes keys, secrets or people that have power over the repository";
const NAME_THE_LINE: &str = "tell the person which line to run";

pub(super) const GORELEASER: &[Rule] = &[Rule::ask(
    "release-publish",
    &["release|r !--snapshot !--skip=*publish* !--skip-publish", "publish", "continue", "announce"],
    RELEASES,
    DRAFT_IT,
)];

pub(super) const GH: &[Rule] = &[
    Rule::ask(
        "release-publish",
        &["release create|new !-d|--draft", "release edit --draft=false", "release upload"],
        RELEASES,
        DRAFT_IT,
    ),
    Rule::ask(
        "hub-visibility",
        &[
            "repo edit --visibility",
            "repo create|new --public",
            "gist create|new -p|--public",
            "repo edit --allow-forking",
            "api -X|--method=PATCH|patch -f|-F|--field|--raw-field=private=*|visibility=*",
        ],
        SHOWS,
        LET_PERSON,
    ),
    Rule::ask(
        "hub-access",
        &[
            "secret|variable set",
            "ssh-key|gpg-key add",
            "repo deploy-key add",
            "api -X|--method=PUT|put ** *collaborators/*|*/branches/*/protection|*/memberships/*",
        ],
        LETS_IN,
        NAME_THE_LINE,
    ),
    Rule::ask(
        "hub-merge-unchecked",
        &["pr merge --admin"],
        "merges without the checks and reviews that the branch asks for",
        "`gh pr merge --auto` merges once they are done",
    ),
];

pub(super) const GLAB: &[Rule] = &[
    Rule::ask("release-publish", &["release create|upload"], RELEASES, DRAFT_IT),
    Rule::ask(
        "hub-visibility",
        &["repo|project create --public|-P", "snippet create --visibility=public"],
        SHOWS,
        LET_PERSON,
    ),
    Rule::ask(
        "hub-access",
        &[
            "variable set|new|create|update",
            "ssh-key|gpg-key|deploy-key add",
            "repo|project members add|remove",
            "token create|rotate",
        ],
        LETS_IN,
        NAME_THE_LINE,
    ),
];
