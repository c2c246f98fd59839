//! Extended patterns, and `case` inside `$(…)`.

use crate::support::{all, verdict};

#[test]
fn extended_patterns_pass() {
    all(
        "none",
        &[
            "ls !(a|b)",
            "echo @(a|b)",
            "rm -f build/*.@(o|a)",
            "rm -rf build/!(keep)",
            "mv !(old) old/",
            "ls +(a) *(a) ?(a) x@(y+(z))w",
            "for f in !(a|b).txt; do echo \"$f\"; done",
            "[[ $x == @(a|b) ]] && echo y",
            "case $x in @(a|b)) echo y;; esac",
            "echo $(ls !(a|b))",
        ],
    );
}

#[test]
fn an_extended_pattern_counts_as_a_star_and_hides_nothing() {
    all(
        "deny rm-root",
        &[
            "ls !(a|b); rm -rf /",
            "rm -rf /!(x)",
            "rm -rf !(x)",
            "rm -rf ./!(x)",
            "rm -rf ~/!(x)",
            "rm -rf \"$HOME\"/!(keep)",
            "rm -rf /@(etc|usr)",
            "rm -rf /@(e)tc",
            "shopt -s extglob; rm -rf /!(x)",
            "case $x in !(a|b)) rm -rf /;; esac",
            "echo $(rm -rf /!(a|b))",
            "x=!(a); rm -rf /",
            "f!() { rm -rf /; }; f!",
            "!(rm -rf /)",
            "ls && !(rm -rf /)",
        ],
    );
}

#[test]
fn what_may_be_a_pattern_or_a_subshell_is_judged_as_both() {
    all("deny system-power", &["!(reboot)", "ls !(a); !(reboot)", "ls !(a) && !(ls|reboot)"]);
}

#[test]
fn a_pattern_that_shells_may_end_at_different_places_is_asked_about() {
    all("ask unparsable", &["ls !(a #) ; rm -rf /\n)", "ls !(a b)", "ls \\!(a)", "rm -rf src/@(..)/.."]);
}

#[test]
fn case_inside_a_substitution_passes() {
    all(
        "none",
        &[
            "x=$(case \"$1\" in a) echo b;; esac)",
            "x=\"$(case \"$1\" in a) echo b;; *) echo c;; esac)\"",
            "echo \"$(case \"$(uname)\" in Darwin|Linux) echo a ;; *) echo b ;; esac) c\"",
            "x=$(case a in\na)\nls\n;;\nb|c)\necho\n;;\nesac\n)",
            "x=$(for f in a b; do case $f in a) echo 1;; *) echo 2;; esac; done)",
            "x=$(uname | case a in \"a b\"|c*) echo 1;; (d) ls 2>&1 > x;; esac)",
            "x=$(case a in a) ls;;& b) ls;; esac)",
            "x=$(grep case file)",
            "x=$(grep -i 'case x in' file)",
        ],
    );
}

#[test]
fn case_inside_a_substitution_hides_nothing() {
    all(
        "deny rm-root",
        &[
            "x=$(case a in a) rm -rf / ;; esac)",
            "x=\"$(case a in b) ls;; a) rm -rf / ;; esac)\"",
            "x=$(case a in a) ls;; esac; rm -rf /)",
            "x=$(case a in a) ls;; esac); rm -rf /",
            "x=$(case a in esac); rm -rf /",
            "x=$(case a in a) case b in b) rm -rf /;; esac;; esac)",
            "x=$(case a in\na)\nls\n;;\nb)\nrm -rf /\nesac\n)",
            "x=$(if true; then case $f in a) echo $(case b in b) rm -rf /;; esac);; esac; fi)",
            "x=$(case $(case b in b) rm -rf /;; esac) in c) d;; esac)",
            "x=$(case a in $(case b in b) rm -rf /;; esac)) d;; esac)",
            "x=$(case a in a) ls;& b) rm -rf /;; esac)",
            "sh -c 'x=$(case a in a) rm -rf /;; esac)'",
            "echo $(echo case x in a); rm -rf /",
            "echo $(ls >& case x in a); rm -rf / #;; esac)",
            "echo $(a[1]=1 case x in a); rm -rf / #;; esac)",
            "case q in q) echo $(case a in a) rm -rf / ;; esac) :;; esac",
        ],
    );
}

#[test]
fn a_case_that_is_not_surely_one_is_asked_about() {
    all(
        "ask unparsable",
        &[
            "echo $(echo case x in a) rm -rf / ;; esac)",
            "echo $(a=(\ncase x in a) ; rm -rf / ;; esac)",
            "x=$(case a in a) cat <<E\n)\nE\n;; esac)",
            "x=$(case a in a) ls # ;; esac)\n;; esac)",
        ],
    );
}

#[test]
fn cases_nest_no_deeper_than_other_commands() {
    let item = format!("x=$({}{})", "case a in a) ".repeat(2000), ";; esac".repeat(2000));
    let quoted = format!("x=\"{}{}\"", "$(case a in a) \"".repeat(500), "\";; esac)".repeat(500));
    assert_eq!(verdict(&item), "ask too-complex");
    assert_eq!(verdict(&quoted), "ask unparsable");
}
