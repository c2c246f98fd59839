//! Losses in Mercurial and Subversion. Jujutsu is not here: `jj undo` reverses all its operations.

use crate::packs::{About, Rule};

pub(super) const HG: &[Rule] = &[
    Rule::ask(
        "hg-discard",
        &[
            "update|up|checkout|co|goto -C|--clean",
            "revert -C|--no-backup !-n|--dry-run",
            "revert -a|--all !-n|--dry-run",
            "purge|clean !-p|--print",
            "shelve -d|--delete",
            "shelve --cleanup",
        ],
        "throws uncommitted work away",
        "`hg shelve` keeps it where it can be found again",
    ),
    Rule::ask(
        "hg-strip",
        &["strip|rollback", "debugstrip", "prune"],
        "takes changesets out of the repository",
        "`hg backout` undoes a changeset by a new one",
    ),
    Rule::ask(
        "hg-force-push",
        &["push -f|--force"],
        "makes new heads on the remote for everybody",
        "`hg pull --rebase` and push without force",
    ),
];

pub(super) const SVN: &[Rule] = &[
    Rule::ask(
        "svn-discard",
        &["revert *", "cleanup --remove-unversioned|--remove-ignored|--vacuum-pristines"],
        "throws uncommitted work away, which nothing keeps",
        "`svn diff` into a file keeps it",
    )
    .about(About::Paths),
    Rule::ask(
        "svn-delete",
        &["delete|del|remove|rm --force", "delete|del|remove|rm ** *://*", "propdel|pdel|pd --revprop"],
        "deletes in the repository immediately, or uncommitted work",
        "`svn rm` without force in a working copy, and a look at `svn status`",
    ),
];
