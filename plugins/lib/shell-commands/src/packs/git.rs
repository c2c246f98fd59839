//! Work that git, its relatives and its hosts throw away.

mod grammar;
mod hub;
mod other;

pub(super) use self::grammar::GRAMMARS;
use super::{About, Pack, Program, Rule};

pub(super) const PACK: Pack = Pack {
    name: "git",
    is_default: true,
    programs: &[
        Program { names: &["git"], rules: RULES },
        Program { names: &["rm", "grm", "unlink"], rules: REPOSITORY },
        Program { names: &["hg"], rules: other::HG },
        Program { names: &["svn"], rules: other::SVN },
        Program { names: &["gh"], rules: hub::GH },
        Program { names: &["glab"], rules: hub::GLAB },
        Program { names: &["gitlab-runner"], rules: hub::GITLAB_RUNNER },
        Program { names: &["tea", "hub"], rules: hub::TEA },
    ],
    places: &[],
    checks: &[],
};

const RULES: &[Rule] = &[
    Rule::ask(
        "git-force-push",
        &["push -f|--force|--force-with-lease|--mirror !-n|--dry-run", "push ** +* !-n|--dry-run"],
        "may overwrite commits on the remote",
        "push to a branch of your own, or `git pull --rebase` and push without force",
    )
    .about(About::Branches),
    Rule::ask(
        "git-remote-delete",
        &[
            "push -d|--delete !-n|--dry-run",
            "push ** :* !-n|--dry-run",
            "push --prune !-n|--dry-run",
        ],
        "deletes branches or tags on the remote",
        "leave them, or tell the person which are merged: `git branch -r --merged`",
    )
    .about(About::Branches),
    Rule::ask(
        "git-discard",
        &[
            "reset --hard|--merge",
            "clean -f|--force !-n|--dry-run",
            "clean -c=clean.requireForce=*|clean.requireforce=* !-n|--dry-run",
            "checkout -f|--force",
            "checkout ** .|./|:/|:|..|../|\\*|:(*|:!*|:^* !-p|--patch",
            "checkout-index -f|--force",
            "read-tree --reset !-n|--dry-run",
            "switch -f|--force|--discard-changes",
            "restore !-S|--staged !-p|--patch ** .|./|:/|:|..|../|\\*|:(*|:!*|:^*",
            "restore -W|--worktree !-p|--patch ** .|./|:/|:|..|../|\\*|:(*|:!*|:^*",
            "rm -r !--cached !-n|--dry-run ** .|./|:/|:|..|../|\\*|:(*|:!*|:^*",
            "stash drop|clear",
            "submodule deinit -f|--force",
            "submodule update -f|--force",
            "worktree remove -f|--force",
        ],
        "throws uncommitted work away",
        "`git stash push -u` keeps it where it can be found again",
    ),
    Rule::ask(
        "git-discard-file",
        &[
            "checkout -- * !-p|--patch",
            "checkout * -- * !-p|--patch",
            "checkout * * !-p|--patch|--orphan|-b|-B",
            "checkout --pathspec-from-file",
            // One word alone may be a branch; with such an end it is a file.
            "checkout ./*|*/|*.c|*.cc|*.cpp|*.cs|*.css|*.go|*.h|*.html|*.java|*.js|*.json|*.jsx|*.kt|*.lock|*.md \
             !-b|-B|--orphan|-p|--patch|-t|--track|--detach|-d",
            "checkout *.php|*.py|*.rb|*.rs|*.scss|*.sh|*.sql|*.svelte|*.swift|*.toml|*.ts|*.tsx|*.txt|*.vue|*.yaml|*.yml \
             !-b|-B|--orphan|-p|--patch|-t|--track|--detach|-d",
            "restore !-S|--staged !-p|--patch !--ours|--theirs *",
            "restore -W|--worktree !-p|--patch *",
            "restore --pathspec-from-file !-S|--staged",
            "rm -f|--force !--cached !-n|--dry-run *",
        ],
        "throws away what is not committed in these files",
        "`git diff` shows what would go, and `git stash push -- <file>` keeps it where it can be found again",
    )
    .about(About::Paths),
    Rule::ask(
        "git-branch-delete",
        &["branch -D", "branch -d|--delete -f|--force", "update-ref -d|--delete"],
        "deletes branches although nothing else may hold their commits",
        "`git branch -d` deletes only what is merged",
    )
    .about(About::Branches),
    Rule::ask(
        "git-branch-move",
        &["branch -f|--force !-d|--delete|-D|-m|--move|-M"],
        "moves a branch, and what it held may be held by nothing else",
        "make a new branch: `git branch <name> <commit>`",
    ),
    Rule::ask(
        "git-recovery-loss",
        &[
            "gc --prune=now|all|0",
            "gc -c=gc.pruneExpire=now|gc.pruneexpire=now|gc.pruneExpire=all|gc.pruneExpire=0 !--no-prune",
            "prune !-n|--dry-run !--expire",
            "prune --expire=now|all|0 !-n|--dry-run",
            "reflog expire --expire|--expire-unreachable=now|all|0 !-n|--dry-run",
            "reflog delete !-n|--dry-run",
            "filter-branch -f|--force",
            "filter-repo -f|--force !--dry-run",
            "lfs prune !-d|--dry-run",
        ],
        "removes what lost commits could be restored from",
        "leave it: git cleans up by itself after weeks",
    ),
    Rule::off(
        "history-rewrite",
        &[
            "rebase|filter-branch|filter-repo|replace",
            "commit --amend",
            "reflog expire|delete",
            "update-ref -d",
            "gc --prune",
            "lfs migrate",
        ],
        "rewrites history",
        "make a new commit",
    ),
];

/// `rm` in a repository's own folder. Locks and the index are often in the way, and are made again.
const REPOSITORY: &[Rule] = &[Rule::ask(
    "git-repository-delete",
    &[
        "-r|-R|--recursive ** .git|.git/|*/.git|*/.git/",
        "** *.git/objects*|*.git/refs*|*.git/logs*",
        "** *.git/packed-refs|*.git/HEAD|*.git/worktrees*",
    ],
    "removes a repository's history, and what is in no other copy of it",
    "move the folder aside, or tell the person what is wrong with the repository",
)
.about(About::Paths)];
