//! Quotes where shells differ in what they mean, but not in where they end.

use crate::support::all;

#[test]
fn a_quoted_pattern_in_a_quoted_parameter_is_read_where_every_shell_ends_it_alike() {
    all(
        "none",
        &[
            "sha=\"${line%%$'\\t'*}\"; echo \"$sha\"$'\\t'x",
            "BODY=\"${BODY//$'\\n'/$'\\n'> }\"",
            "echo \"${x#'a b'}\" \"${x/'('/[}\" \"${x%'.tar'}\"",
        ],
    );
    all(
        "deny rm-root",
        &[
            "echo \"${x%%$'\\t'*}\"; rm -rf /",
            "echo \"${x%%$'\\t'$(rm -rf /)}\"",
            "echo \"${x//'a'/$(rm -rf /)}\"",
            "x=\"${y%'a'}\" && rm -rf /",
        ],
    );
}

#[test]
fn a_quoted_pattern_that_some_shell_may_end_elsewhere_is_asked_about() {
    all(
        "ask unparsable",
        &[
            "echo \"${x%'}'}\"",
            "echo \"${x%'\"'}\"",
            "echo \"${x%'$(rm -rf /)'}\"",
            "echo \"${x%'`'}\"",
            "echo \"${x%$'\\''}\"",
            "echo \"${x%'\\}'}\"",
            "echo \"${x%'a}\"",
            // Here the quotes are part of the value, and what they hold could become a comment.
            "eval \"${x:-: '#' ; ls}\"",
            "eval \"${x-'a'}\"",
            "eval \"${x:+'a'}\"",
            "eval \"${x='a'}\"",
        ],
    );
}

#[test]
fn the_number_of_the_process_may_stand_at_the_end_of_quotes() {
    all(
        "none",
        &[
            "echo \"/tmp/x-$$\"",
            "f=\"${T:-/tmp}/a-$$\"; rm -f \"$f\"",
            "echo \"$$'\" \"$$\"",
            "echo \"$$\"'a'",
        ],
    );
    all("deny rm-root", &["echo \"$$\"; rm -rf /", "echo \"$$'\"; rm -rf /; echo \"'\""]);
    all("ask unparsable", &["echo $$'a'", "echo \"$${x}\"", "echo \"$$(ls)\"", "echo $$\"a\""]);
}
