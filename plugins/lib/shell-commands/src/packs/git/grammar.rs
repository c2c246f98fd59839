//! Options of these programs that take a value.

use crate::packs::{Grammar, Style};

pub(in crate::packs) const GRAMMARS: &[Grammar] = &[GIT, RM, HG, SVN, GH, GLAB];

const GIT: Grammar = Grammar {
    names: &["git"],
    style: Style::Shortened,
    is_global: false,
    rows: &[
        ("", "Cc", &["git-dir", "work-tree", "namespace", "super-prefix", "config-env", "attr-source"]),
        (
            "branch",
            "u",
            &[
                "set-upstream-to",
                "contains",
                "no-contains",
                "merged",
                "no-merged",
                "points-at",
                "sort",
                "format",
            ],
        ),
        ("checkout", "bB", &["orphan", "conflict", "pathspec-from-file"]),
        ("checkout-index", "", &["prefix", "stage"]),
        ("clean", "e", &["exclude"]),
        (
            "commit",
            "mFCctu",
            &["message", "file", "reuse-message", "reedit-message", "template", "author", "date", "fixup"],
        ),
        ("prune", "", &["expire"]),
        ("push", "o", &["repo", "push-option", "receive-pack", "exec"]),
        ("read-tree", "", &["index-output", "prefix", "exclude-per-directory"]),
        ("reflog", "", &["expire", "expire-unreachable"]),
        ("reset", "", &["pathspec-from-file"]),
        ("restore", "s", &["source", "conflict", "pathspec-from-file"]),
        ("rm", "", &["pathspec-from-file"]),
        ("stash", "m", &["message", "pathspec-from-file"]),
        ("submodule", "b", &["branch", "reference", "depth", "jobs", "name"]),
        ("switch", "cC", &["create", "force-create", "orphan", "conflict"]),
        ("tag", "mFu", &["message", "file", "local-user", "sort", "format", "contains", "points-at"]),
        ("update-ref", "m", &[]),
        ("worktree", "bB", &["reason"]),
    ],
};

const RM: Grammar =
    Grammar { names: &["rm", "grm", "unlink"], style: Style::Shortened, is_global: true, rows: &[] };

const HG: Grammar = Grammar {
    names: &["hg"],
    style: Style::Shortened,
    is_global: true,
    rows: &[
        ("", "R", &["repository", "cwd", "config", "encoding", "encodingmode", "color", "pager"]),
        ("update", "rdt", &["rev", "date", "tool"]),
        ("revert", "drIX", &["date", "rev", "include", "exclude"]),
        ("purge", "IX", &["include", "exclude"]),
        ("push", "rbBe", &["rev", "branch", "bookmark", "ssh", "remotecmd"]),
        ("strip", "rB", &["rev", "bookmark"]),
    ],
};

const SVN: Grammar = Grammar {
    names: &["svn"],
    style: Style::Whole,
    is_global: true,
    rows: &[(
        "",
        "rmFc",
        &[
            "username",
            "password",
            "config-dir",
            "config-option",
            "revision",
            "message",
            "file",
            "depth",
            "changelist",
            "targets",
            "encoding",
            "with-revprop",
            "editor-cmd",
        ],
    )],
};

/// GitHub's client. The options of `gh api` come behind the verb, and so do those of the others that take a value.
const GH: Grammar = Grammar {
    names: &["gh"],
    style: Style::Whole,
    is_global: true,
    rows: &[
        ("", "R", &["repo", "hostname"]),
        (
            "api",
            "XHfFqtp",
            &["method", "header", "raw-field", "field", "jq", "template", "input", "cache", "preview"],
        ),
        ("codespace", "co", &["codespace", "org", "user", "days", "repo-owner"]),
        (
            "repo create",
            "dhglptr",
            &["description", "homepage", "gitignore", "license", "source", "team", "template", "remote"],
        ),
        (
            "repo edit",
            "dh",
            &["description", "homepage", "visibility", "default-branch", "add-topic", "remove-topic"],
        ),
        (
            "release create",
            "tnFT",
            &["title", "notes", "notes-file", "target", "discussion-category", "notes-start-tag"],
        ),
        ("secret", "eoba", &["env", "org", "body", "env-file", "repos", "visibility", "app"]),
        ("variable", "eob", &["env", "org", "body", "env-file", "repos", "visibility"]),
        ("gist create", "df", &["desc", "filename"]),
        ("pr merge", "btFA", &["body", "subject", "body-file", "author-email", "match-head-commit"]),
    ],
};

/// GitLab's client.
const GLAB: Grammar = Grammar {
    names: &["glab"],
    style: Style::Whole,
    is_global: true,
    rows: &[
        ("", "Rg", &["repo", "group", "hostname"]),
        ("api", "XHfF", &["method", "header", "raw-field", "field", "input"]),
    ],
};
