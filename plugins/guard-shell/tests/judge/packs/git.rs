//! Work that git, its relatives and its hosts throw away.

use crate::support::{all, all_with, verdict_at};

#[test]
fn files_are_not_discarded_unasked() {
    all(
        "ask git-discard-file",
        &[
            "git checkout -- src/main.rs",
            "git checkout -- Makefile",
            "git checkout HEAD -- src/main.rs",
            "git checkout main -- file.txt",
            "git checkout HEAD~2 src/main.rs",
            "git checkout src/main.rs",
            "git checkout ./Makefile",
            "git checkout src/",
            "git checkout -q -- a b",
            "git checkout -- *",
            "git -C sub checkout -- a.rs",
            "git --no-pager -c core.pager=cat checkout -- a.rs",
            "git checkout --pathspec-from-file=list",
            "git restore src/main.rs",
            "git restore -- src/main.rs",
            "git restore --source HEAD~1 src/main.rs",
            "git restore -s HEAD~1 src/main.rs",
            "git restore --staged --worktree src/main.rs",
            "git restore -SW src/main.rs",
            "git restore --work src/main.rs",
            "git restore '*.rs'",
            "git rm -f src/main.rs",
            "git rm -rf old",
            "git diff --name-only | xargs git checkout --",
            "git submodule foreach 'git checkout -- a'",
        ],
    );
}

#[test]
fn the_whole_tree_is_not_discarded_unasked() {
    all(
        "ask git-discard",
        &[
            "git checkout HEAD -- .",
            "git checkout HEAD .",
            "git checkout -q HEAD -- ./",
            "git checkout --no-patch -- .",
            "git restore --source=HEAD~1 .",
            "git restore -SW :/",
            "git reset --h",
            "git reset --merge",
            "git read-tree --reset -u HEAD",
            "git checkout-index -f -a",
            "git -c clean.requireForce=false clean -d",
            "git rm -r .",
            "git submodule deinit -f --all",
            "git submodule update --init --force",
            "git submodule foreach --recursive git clean -xfd",
            "git worktree remove --force ../other",
            "git worktree remove ../other -f",
        ],
    );
}

#[test]
fn branches_are_not_deleted_or_moved_unasked() {
    all(
        "ask git-branch-delete",
        &[
            "git branch -D old",
            "git branch -Dr origin/old",
            "git branch -d -f old",
            "git branch --delete --force old",
            "git branch -q -D a b",
            "git update-ref -d refs/heads/old",
            "git update-ref -m why -d refs/stash",
        ],
    );
    all(
        "deny git-branch-delete",
        &["git branch -D main", "git branch -D a release/1.2", "git update-ref -d refs/heads/main"],
    );
    all("ask git-branch-move", &["git branch -f old HEAD~3", "git branch --force main origin/main"]);
    all_with(
        r#"{"protected-branches": ["live"]}"#,
        "ask git-branch-delete",
        &["git branch -D main", "git branch -D release/1.2"],
    );
}

#[test]
fn branches_on_the_remote_are_not_deleted_unasked() {
    all(
        "ask git-remote-delete",
        &[
            "git push --delete origin old",
            "git push origin --delete old",
            "git push origin -d old",
            "git push -vd origin old",
            "git push origin :old",
            "git push -u origin a :refs/tags/v1",
            "git push --prune origin",
            "git push -o ci.skip origin :old",
        ],
    );
    all("deny git-remote-delete", &["git push origin :main", "git push --delete origin master"]);
}

#[test]
fn what_restores_lost_commits_is_not_removed_unasked() {
    all(
        "ask git-recovery-loss",
        &[
            "git gc --prune=now",
            "git gc --aggressive --prune=all",
            "git gc --p=now",
            "git -c gc.pruneExpire=now gc",
            "git prune",
            "git prune --expire=now",
            "git prune --expire now",
            "git reflog expire --expire=now --all",
            "git reflog expire --all --expire-unreachable=now",
            "git reflog expire --expire now --all",
            "git reflog delete HEAD@{1}",
            "git filter-branch -f -- --all",
            "git filter-branch --force --index-filter true HEAD",
            "git filter-repo --path x --force",
            "git lfs prune",
        ],
    );
}

#[test]
fn a_repository_s_own_folder_is_not_removed_unasked() {
    all(
        "ask git-repository-delete",
        &[
            "rm -rf .git",
            "rm -rf ./.git/",
            "rm -r --force src .git",
            "rm --recursive sub/.git",
            "rm -rf -- .git",
            "rm -rf .git/objects",
            "rm -f .git/refs/heads/main",
            "rm .git/packed-refs",
            "unlink .git/HEAD",
            "cd sub && sudo rm -fR .git",
        ],
    );
    all("deny git-repository-delete", &["rm -rf ../other/.git"]);
    all("none", &["rm -rf /tmp/clone/.git", "rm -f .git/index.lock", "rm -f .gitignore", "rm -rf .github"]);
}

#[test]
fn where_a_discarded_file_lies_makes_the_rule_milder_or_stricter() {
    let at = |folder, command| verdict_at(folder, "/code/project", command);
    assert_eq!(at("/code/project/sub", "git checkout -- a"), "ask git-discard-file");
    assert_eq!(at("/tmp/clone", "git checkout -- a"), "none");
    assert_eq!(at("/tmp/clone", "git restore a b"), "none");
    assert_eq!(at("/code/other", "git checkout -- a"), "deny git-discard-file");
}

#[test]
fn other_systems_discard_and_delete_nothing_unasked() {
    all(
        "ask hg-discard",
        &["hg update -C", "hg up --clean tip", "hg --cwd sub revert --all", "hg revert -C a", "hg purge"],
    );
    all("ask hg-strip", &["hg strip tip", "hg --config extensions.strip= strip -r 3", "hg rollback"]);
    all("ask hg-force-push", &["hg push -f", "hg push --force default"]);
    all("ask svn-discard", &["svn revert a.c", "svn revert -R .", "svn cleanup --remove-unversioned"]);
    all("ask svn-delete", &["svn delete -m gone https://host/repo/trunk", "svn rm --force a"]);
    all(
        "none",
        &["hg update", "hg status", "hg push", "hg revert -n --all", "svn up", "svn status", "svn delete a"],
    );
}

#[test]
fn hosts_delete_nothing_unasked() {
    all(
        "deny hub-repository-delete",
        &[
            "gh repo delete owner/repo --yes",
            "gh -R owner/repo repo delete",
            "glab repo delete group/repo",
            "glab project delete x",
            "tea repos delete x",
        ],
    );
    all(
        "ask hub-delete",
        &[
            "gh release delete v1.0.0 --cleanup-tag",
            "gh -R owner/repo release delete v1",
            "gh release --repo owner/repo delete v1",
            "gh release delete-asset v1 a.zip",
            "gh issue delete 12",
            "gh gist delete 1234",
            "gh secret delete TOKEN --env production",
            "gh secret remove TOKEN",
            "gh variable delete X",
            "gh ssh-key delete 1",
            "gh repo deploy-key delete 1",
            "gh project item-delete 1 --id x",
            "gh api -X DELETE repos/o/r/releases/1",
            "gh api -XDELETE repos/o/r",
            "gh api repos/o/r --method=DELETE",
            "gh api --method delete repos/o/r/git/refs/heads/x",
            "gh api graphql -f query='mutation { deleteIssue(input: {issueId: 1}) { clientMutationId } }'",
            "glab release delete v1",
            "glab -R group/repo variable delete X",
            "glab api -X DELETE projects/1/variables/X",
            "glab ci delete 1",
            "gitlab-runner unregister --all-runners",
            "tea releases delete v1",
        ],
    );
    all(
        "ask hub-repository-change",
        &[
            "gh repo archive o/r --yes",
            "gh repo rename new-name",
            "gh repo sync --force",
            "glab repo transfer x --target-namespace y",
        ],
    );
}

#[test]
fn what_only_looks_or_can_be_taken_back_passes() {
    all(
        "none",
        &[
            "git checkout main",
            "git checkout -b fix",
            "git checkout -bfix",
            "git checkout -b fix origin/main",
            "git checkout --orphan pages",
            "git checkout -t origin/feature.x",
            "git checkout --detach v1.2.3",
            "git checkout release/1.2",
            "git checkout v1.0.x",
            "git checkout docs/next",
            "git checkout -",
            "git checkout \"$BRANCH\"",
            "git checkout main --",
            "git checkout -p src/main.rs",
            "git checkout --quiet FETCH_HEAD",
            "git switch main",
            "git switch -c fix",
            "git switch -cfix",
            "git restore --staged src/main.rs",
            "git restore -S .",
            "git restore -p src/main.rs",
            "git reset --keep HEAD~1",
            "git reset HEAD -- a",
            "git clean -fdn",
            "git clean --dry-run -f",
            "git stash",
            "git stash push -m drop",
            "git stash list",
            "git rm --cached -r -f .",
            "git rm old.rs",
            "git branch -d merged",
            "git branch -M main",
            "git branch -u origin/main",
            "git branch --contains HEAD",
            "git push -u origin HEAD:refs/heads/fix",
            "git push --dry-run origin :old",
            "git push --dry-run --force",
            "git push --no-force origin fix",
            "git push origin v1.0",
            "git fetch --prune",
            "git remote prune origin",
            "git gc",
            "git gc --auto",
            "git gc --prune=2.weeks.ago",
            "git prune -n",
            "git reflog",
            "git reflog expire --all --dry-run --expire=now",
            "git lfs prune --dry-run",
            "git worktree add ../fix",
            "git worktree remove ../fix",
            "git worktree prune",
            "git submodule update --init --recursive",
            "git commit -m 'git checkout -- .'",
            "git rebase --abort",
            "git checkout --help",
            "gh repo view o/r",
            "gh repo clone o/r",
            "gh repo delete --help",
            "gh release list",
            "gh pr view 1",
            "gh pr create --title 'repo delete' --body x",
            "gh api repos/o/r",
            "gh api -X GET repos/o/r",
            "gh api graphql -f query='query { viewer { login } }'",
            "gh secret list",
            "gh issue close 12",
            "glab repo list",
            "glab api projects/1",
            "gitlab-runner list",
        ],
    );
}

#[test]
fn a_cancelled_dry_run_does_not_count_as_a_dry_run() {
    all(
        "ask git-force-push",
        &["git push --dry-run --no-dry-run -f origin fix", "git push --no-dry-run -f --dry-run origin fix"],
    );
    all("ask git-discard", &["git clean -nf --no-dry-run"]);
    all(
        "ask kubernetes-delete",
        &["kubectl delete ns web --dry-run=client --dry-run=none", "kubectl delete ns web --dry-run=none"],
    );
    all("none", &["kubectl delete ns web --dry-run=client", "git clean -nf", "git push -n -f origin fix"]);
}

#[test]
fn all_files_are_meant_by_a_pattern_that_git_reads_itself() {
    all(
        "ask git-discard",
        &[
            "git checkout '*'",
            "git checkout -- '*'",
            "git checkout HEAD -- \\*",
            "git restore '*'",
            "git checkout HEAD -- ':(top)'",
            "git restore ':!x'",
            "git rm -rq '*'",
        ],
    );
}

#[test]
fn a_program_of_git_s_own_folder_is_its_command() {
    all("ask git-discard", &["/usr/lib/git-core/git-reset --hard", "git-reset --hard", "sudo git-clean -fd"]);
    all("ask git-force-push", &["$(git --exec-path)/git-push --force", "/usr/libexec/git-core/git-push -f"]);
    all("ask git-recovery-loss", &["git-filter-repo --force --path x"]);
    all("none", &["git-lfs pull", "/usr/lib/git-core/git-reset", "git-status"]);
}

#[test]
fn the_history_of_a_repository_without_a_working_tree_is_not_removed_unasked() {
    all("ask git-repository-delete", &["rm -rf backup.git/objects", "rm -r mirror.git/refs/heads"]);
    all("none", &["rm -rf backup.gitlab/objects", "rm -f .git/index.lock"]);
}
