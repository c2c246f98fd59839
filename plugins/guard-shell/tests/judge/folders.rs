//! `cd` before a removal.

use crate::support::all;

#[test]
fn everything_in_a_folder_of_the_project_may_be_removed_behind_a_cd_that_succeeded() {
    all(
        "none",
        &[
            "cd build && rm -rf ./*",
            "cd build && rm -rf *",
            "cd ./build/out && rm -rf ./* && ls",
            "(cd build && rm -rf ./*)",
            "cd build || exit 1; rm -rf ./*",
            "cd build && make clean && rm -rf -- *",
            "cd /code/project/build && rm -rf ./*",
            "cd build && rm -rf !(keep)",
        ],
    );
}

#[test]
fn a_cd_that_may_have_failed_leaves_the_removal_where_it_was() {
    all(
        "deny rm-root",
        &[
            "cd build; rm -rf ./*",
            "cd build && ls; rm -rf *",
            "cd build || true; rm -rf *",
            "! cd build && rm -rf *",
            "cd a; cd b && rm -rf *",
            "false && cd build || rm -rf *",
            "cd build & rm -rf *",
            "cd build || exit & rm -rf *",
            "cd build | rm -rf *",
            "(cd build) && rm -rf *",
            "f() { cd build; true; }; f && rm -rf *",
            "cd() { :; }; cd build && rm -rf *",
            "exit() { :; }; cd build || exit; rm -rf *",
            "cd build || exit; cd x; rm -rf *",
        ],
    );
}

#[test]
fn a_cd_out_of_the_project_or_to_an_unknown_folder_makes_nothing_harmless() {
    all(
        "deny rm-root",
        &[
            "cd / && rm -rf ./*",
            "cd ~ && rm -rf *",
            "cd && rm -rf *",
            "cd - && rm -rf *",
            "cd \"$X\" && rm -rf ./*",
            "cd \"$X/build\" && rm -rf ./*",
            "cd b* && rm -rf *",
            "cd .. && rm -rf *",
            "cd build && cd .. && rm -rf *",
            "cd build/../.. && rm -rf *",
            "cd /tmp/x; rm -rf *",
            "cd /etc && rm -rf *",
            "cd /code && rm -rf *",
            "cd build && rm -rf ..",
            "cd build && rm -rf ../*",
            "cd build && echo $(cd /; rm -rf *)",
            "cd build && sh -c 'cd .. && rm -rf *'",
            "CDPATH=/ cd etc && rm -rf ./*",
            "CDPATH=/; cd etc && rm -rf ./*",
        ],
    );
}
