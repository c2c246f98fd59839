//! Work that git throws away.

use super::{About, Grammar, Pack, Program, Rule, Style};

pub(super) const PACK: Pack = Pack {
    name: "git",
    is_default: true,
    programs: &[Program { names: &["git"], rules: RULES }],
    places: &[],
    checks: &[],
};

const RULES: &[Rule] = &[
    Rule::ask(
        "git-force-push",
        &[
            "push -f|--force|--force-with-lease|--force-if-includes|--mirror !-n|--dry-run",
            "push ** +* !-n|--dry-run",
        ],
        "may overwrite commits on the remote",
        "push to a branch of your own, or `git pull --rebase` and push without force",
    )
    .about(About::Branches),
    Rule::ask(
        "git-discard",
        &[
            "reset --hard|--merge",
            "clean -f|--force !-n|--dry-run",
            "checkout -f|--force",
            "checkout .|./|:/|:|..|\\*",
            "switch -f|--force|--discard-changes",
            "restore !-S|--staged ** .|./|:/|:|..",
            "restore -W|--worktree ** .|./|:/|:|..",
            "stash drop|clear",
        ],
        "throws uncommitted work away",
        "`git stash push -u` keeps it where it can be found again",
    ),
    Rule::off(
        "history-rewrite",
        &[
            "rebase|filter-branch|filter-repo|replace",
            "commit --amend",
            "reflog expire|delete",
            "update-ref -d",
            "gc --prune",
        ],
        "rewrites history",
        "make a new commit",
    ),
];

pub(super) const GRAMMARS: &[Grammar] = &[Grammar {
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
        ("clean", "e", &["exclude"]),
        (
            "commit",
            "mFCctu",
            &["message", "file", "reuse-message", "reedit-message", "template", "author", "date", "fixup"],
        ),
        ("push", "o", &["repo", "push-option", "receive-pack", "exec"]),
        ("reset", "", &["pathspec-from-file"]),
        ("restore", "s", &["source", "conflict", "pathspec-from-file"]),
        ("stash", "m", &["message", "pathspec-from-file"]),
        ("switch", "cC", &["create", "force-create", "orphan", "conflict"]),
        ("tag", "mFu", &["message", "file", "local-user", "sort", "format", "contains", "points-at"]),
        ("update-ref", "m", &[]),
    ],
}];
