//! Variables of which only a branch decides the value.

use crate::support::{all, verdict};

#[test]
fn every_value_that_a_variable_may_have_is_judged() {
    all(
        "deny rm-root",
        &[
            "if a; then d=/; else d=x; fi; rm -rf $d",
            "if a; then d=x; else d=/; fi; rm -rf \"$d\"",
            "if a; then d=x; elif b; then d=/; else d=y; fi; rm -rf \"${d}\"",
            "case $1 in a) d=x;; b) d=/;; *) d=y;; esac; rm -rf $d",
            "d=/; true || d=x; rm -rf $d",
            "d=/; false && d=x; rm -rf $d",
            "a && x=rm || x=ls; $x -rf /",
            "a && x=ls || x=rm; $x -rf /",
            "d=x; while a; do d=/; done; rm -rf $d",
            "if a; then d=/; else d=x; fi; e=$d; rm -rf $e",
            "if a; then d=etc; else d=x; fi; rm -rf /$d",
            "if a; then x=rm; y=-rf; else x=ls; y=-l; fi; $x $y /",
            "if a; then d=/; else d=x; fi; for f in $d; do rm -rf $f; done",
            "if a; then d=/; else d=x; fi; n=d; rm -rf ${!n}",
            "if a; then d=/; else d=x; fi; f() { rm -rf $d; }; f",
            "if a; then d=/; else d=x; fi; bash -c \"rm -rf $d\"",
            "if a; then d=/; else d=x; fi; rm -rf $(echo $d)",
            "if a; then d=/; else d=x; fi; rm -rf $d; d=x",
        ],
    );
}

#[test]
fn a_value_that_a_variable_can_not_have_is_not_judged() {
    all(
        "none",
        &[
            "if a; then d=y; else d=x; fi; rm -rf $d",
            "d=/; true && d=x; rm -rf $d",
            "d=/; false || d=x; rm -rf $d",
            "if a; then d=/; else d=x; fi; d=z; rm -rf $d",
            "if a; then g=echo; else g=; fi; $g ls x",
            "d=/; if a; then d=x; else d=y; fi; rm -rf $d",
        ],
    );
}

#[test]
fn many_branches_hide_no_value() {
    let arms: String = (0..60).map(|n| format!("{n}) d=x{n};; ")).collect::<Vec<_>>().concat();
    for line in [
        format!("case $1 in {arms} z) d=/;; esac; rm -rf $d"),
        format!("case $1 in z) d=/;; {arms} esac; rm -rf $d"),
    ] {
        assert_eq!(verdict(&line), "deny rm-root", "{line}");
    }
    let several: String = ["a", "b", "c", "d", "e"]
        .map(|name| format!("case $1 in 1) {name}=1;; 2) {name}=2;; 3) {name}=3;; *) {name}=/;; esac; "))
        .concat();
    assert_eq!(verdict(&format!("{several} rm -rf $a x$b x$c x$d x$e")), "deny rm-root");
}

#[test]
fn a_removal_after_a_cd_that_must_succeed_is_judged_in_that_folder_only() {
    all(
        "none",
        &[
            "cd /tmp/x && rm -rf *",
            "cd /tmp/x || exit 1; rm -rf *",
            "cd build || { echo no; exit 1; }; rm -rf *",
            "set -e; cd build; rm -rf *",
            "set -euo pipefail\ncd build\nrm -rf *",
        ],
    );
    all(
        "deny rm-root",
        &[
            "cd build || echo no; rm -rf *",
            "cd build || { exit 1; echo no; }; rm -rf *",
            "exit() { :; }; cd build || exit; rm -rf *",
            "set -e; set +e; cd build; rm -rf *",
            "set -e; (cd build; rm -rf *) || true",
            "set -e; if cd build; rm -rf *; then :; fi",
            "cd build || return; rm -rf *",
        ],
    );
}

#[test]
fn a_path_that_is_dangerous_if_its_variable_is_not_set_has_a_code_of_its_own() {
    all(
        "ask unset-variable",
        &["rm -rf \"$X\"/*", "rm -rf $X/", "rm -rf \"${X}/etc\"", "D=$X; rm -rf \"$D\"/*"],
    );
    all(
        "none",
        &[
            "rm -rf \"$X\"/build",
            "rm -rf \"${X:?}\"/*",
            "set -u; rm -rf \"$X\"/*",
            "set -euo pipefail; rm -rf \"$X\"/*",
            "X=build; rm -rf \"$X\"/*",
            "rm -rf \"$TMPDIR\"/*",
            "rm -f \"$X\"/*",
        ],
    );
}
