//! The working folder under its other names.

use guard_shell::judge;

use crate::support::{all, policy};

#[test]
fn the_working_folder_is_known_under_every_name() {
    all(
        "deny rm-root",
        &[
            "rm -rf ~+",
            "rm -rf ~+/*",
            "rm -rf ~+/../project",
            "rm -rf ../project",
            "rm -rf ../proj*",
            "rm -rf $PWD/*",
            "rm -rf /code/project/*",
            "rm -rf ./../project/",
            "rm -rf ../../code/project",
            "cd src && rm -rf ../../project",
            "cd .. && rm -rf project",
            "cd /tmp && rm -rf /code/project",
            "find ../project -delete",
            "rsync -a --delete /tmp/e/ .",
            "rsync -a --delete dist/ .",
            "rsync -a --delete /tmp/e/ /code/project/",
            "rsync -a --delete /tmp/e/ ../project",
        ],
    );
    let decision = judge("rsync -a --delete /tmp/e/ /home/dev/project/", "/home/dev/project", &policy("{}"));
    assert_eq!(decision.unwrap().code, "rm-root");
}

#[test]
fn removing_files_inside_or_next_to_the_project_is_allowed() {
    all(
        "none",
        &[
            "rm -rf ~+/target",
            "rm -rf ~-/target",
            "rm -rf ./build ../project/target",
            "rm -rf ../other",
            "rm -rf ../proj*-old",
            "rm -rf $PWD/target/*",
            "rm -rf ../project2",
            "cd src && rm -rf ../target",
            "cd src && rm -rf ../../project/target",
            "cd .. && rm -rf other",
            "rsync -a --delete /tmp/e/ out/",
            "rsync -a --delete dist/ ../site/",
            "rsync -an --delete /tmp/e/ .",
            "rsync -a --dry-run --delete /tmp/e/ .",
            "rsync -a /tmp/e/ .",
            "rsync -a --delete . host:backup/",
        ],
    );
}

#[test]
fn a_search_that_leaves_out_little_deletes_everything() {
    all(
        "deny rm-root",
        &[
            "find . ! -name x -delete",
            "find . -not -name x -delete",
            "find . -mindepth 1 ! -path './.git/*' -delete",
            "find . ! \\( -name a -o -name b \\) -delete",
            "find . -name '*' -delete",
            "find . -type f -delete -name x",
            "find . -name x -o -delete",
            "find . -name .git -prune -o -exec rm -rf {} +",
            "find . ! -name x ! -mtime -7 -delete",
            "find ~ ! -name x -exec rm -rf {} +",
        ],
    );
}

#[test]
fn a_search_for_something_in_particular_does_not() {
    all(
        "none",
        &[
            "find . -name '*.o' -delete",
            "find . ! -name keep -name '*.o' -delete",
            "find . -name '*.o' ! -name keep -delete",
            "find . \\( -name a -o -name b \\) -delete",
            "find . -name .git -prune -o -name '*.o' -delete",
            "find . -name a -delete -o -name b -delete",
            "find . ! \\( -name a \\) -name b -delete",
            "find . -mtime +7 -delete",
            "find . -empty -delete",
            "find build ! -name x -delete",
            "find . ! -name x -print",
            "find . -type f ! -name x -exec grep -l a {} +",
        ],
    );
}
