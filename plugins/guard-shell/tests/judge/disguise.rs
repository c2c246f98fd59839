//! Commands of the other tests, written so that a text search would miss them.

use crate::support::all;

#[test]
fn quotes_and_escapes_do_not_hide_a_command() {
    all(
        "deny rm-root",
        &[
            "r''m -rf /",
            "r\"\"m -rf /",
            "'rm' -rf /",
            "\"rm\" '-rf' \"/\"",
            "\\rm -rf /",
            "r\\m -r\\f \\/",
            "$'rm' -rf /",
            "$'\\x72\\x6d' -rf /",
            "$'\\162\\155' -rf $'\\057'",
            "$'\\u0072m' -rf /",
            "$\"rm\" -rf /",
            "r\\\nm -rf /",
            "rm -rf \\\n/",
            "rm\t-rf\t/",
            "RM -rf /",
            "/bin/rm -rf /",
            "/bin/../bin/rm -rf /",
            "'/bin/rm' -rf /",
            "=rm -rf /",
        ],
    );
}

#[test]
fn expansions_do_not_hide_a_command() {
    all(
        "deny rm-root",
        &[
            "x=rm; $x -rf /",
            "x=r y=m; $x$y -rf /",
            "x='rm -rf /'; $x",
            "x=/; rm -rf $x",
            "x=/; rm -rf \"${x}\"",
            "x=-rf; rm $x /",
            "a=r; a+=m; $a -rf /",
            "rm${IFS}-rf${IFS}/",
            "rm$IFS-rf$IFS/",
            "IFS=,; x=rm,-rf,/; $x",
            "{rm,-rf,/}",
            "rm -{r,f} /",
            "r{m,} -rf /",
            "${x:-rm} -rf /",
            "${x:=rm} -rf /",
            "${HOME:+rm} -rf /",
            "rm -rf ${DIR:-/}",
            "rm -rf ${PATH:0:1}",
            "x=xrm; ${x:1} -rf /",
            "x=rmx; ${x%x} -rf /",
            "x=axm; ${x/ax/r} -rf /",
            "x=RM; ${x,,} -rf /",
            "x=rm; y=x; ${!y} -rf /",
            "$(echo rm) -rf /",
            "`echo rm` -rf /",
            "$(printf 'r%s' m) -rf /",
            "$(printf '\\x72\\x6d') -rf /",
            "$(which rm) -rf /",
            "$(command -v rm) -rf /",
            "rm -rf $(echo /)",
            "a=(rm -rf /); ${a[@]}",
            "a=(rm -rf /); \"${a[*]}\" || ${a[@]}",
            "a=(rm -rf /); \"${a[@]}\"",
            "\"$@\" rm -rf /",
            "\"${@}\" rm -rf /",
            "a=(); \"${a[@]}\" rm -rf /",
            "$@ rm -rf /",
            "\"$@\"${y:- rm -rf /}",
            "$* rm -rf /",
            "set -- rm -rf /; \"$@\"",
            "set -- -rf /; rm $@",
            "printf -v x rm; $x -rf /",
            "read x <<< rm; $x -rf /",
            "export x=rm; $x -rf /",
            "declare x=rm; $x -rf /",
            "x=echo; x=rm; $x -rf /",
        ],
    );
}

#[test]
fn globs_in_command_position_are_not_known() {
    all("ask unknown-command", &["/bin/r? -rf /", "/b*/rm* -rf /", "/bin/[r]m -rf /"]);
    all("deny rm-root", &["/b*/rm -rf /"]);
}

#[test]
fn a_branch_that_may_not_run_does_not_settle_a_variable() {
    all(
        "deny rm-root",
        &[
            "x=rm; false && x=echo; $x -rf /",
            "x=rm; if false; then x=echo; fi; $x -rf /",
            "x=rm; false && x=echo || $x -rf /",
            "x=rm; case a in b) x=echo;; esac; $x -rf /",
            "x=rm; while false; do x=echo; done; $x -rf /",
        ],
    );
    all(
        "deny rm-root",
        &[
            "true && x=rm && $x -rf /",
            "if true; then x=rm; $x -rf /; fi",
            "x=rm; (x=echo); $x -rf /",
            "x=rm; x=echo true; $x -rf /",
            "x=rm; echo a | x=echo; $x -rf /",
            "x=rm; env x=echo true; $x -rf /",
            "x=echo; for i in 1 2; do $x -rf /; x=rm; done",
            "x=rm; x=echo & $x -rf /",
        ],
    );
}

#[test]
fn what_can_not_be_known_in_command_position_is_asked_about() {
    all(
        "ask unknown-command",
        &[
            "$CMD",
            "$1 x | $CMD",
            "${x}rm -rf /",
            "$(cat cmd) x",
            "eval \"$CMD\"",
            "sh -c \"$CMD\"",
            "sudo $CMD",
            "x=$(cat f); $x",
            "${SHELL:-echo} -c 'rm -rf /'",
            "${y:+echo} rm -rf /",
            "\"${y:+echo}\" x",
        ],
    );
}

#[test]
fn two_readings_of_a_quote_are_asked_about() {
    all(
        "ask unparsable",
        &[
            "echo \"${x:-'}\" ; rm -rf / ; echo \"'}\"",
            "echo \\$'\\' ; rm -rf / #'",
            "echo $$'\\' ; rm -rf / #'",
            "cat <<$'EOF'\nEOF\nrm -rf /\n$EOF",
            "cat <<'a\\b'\na\\b\nrm -rf /\nab\n",
            "a[1<<EOF ]=3\nrm -rf /\nEOF\n",
            "a[1<<2]=3\nrm -rf /\n2]=3\n",
            "echo ${x:-<<A}\nreboot\nA\n",
            "a=()b rm -rf /",
            "echo $[ $(rm -rf /) ]",
            "x \"$(cat <<'EOF'\nz\nEOFx$(a)\nrm -rf /\n)\nEOF\n)\"",
            "echo $(ls # )\nrm -rf /)",
            "\"x\"}\\\n$( #<<'A'\n)): \nA\n",
            "echo $(( $((1)) << A ))\nreboot\nA\n",
            "echo $(cat <<'E'\n)\nE\nrm -rf /)",
            "((x = 1 # 2)) ; rm -rf /\n))",
            "sh -c \"echo \\$'\\\\'; rm -rf / #'\"",
            "echo $'\\'; rm -rf / #'",
            "echo $${x#a}",
        ],
    );
}

#[test]
fn what_looks_like_arithmetic_or_a_pattern_is_still_a_command() {
    all(
        "deny rm-root",
        &[
            "((rm -rf /) )",
            "( (rm -rf /) )",
            "( ( rm -rf / ) )",
            "echo $((rm -rf /) )",
            "echo $( (rm -rf /) )",
            "echo $(( $(rm -rf /) + 1 ))",
            "(( x = $(rm -rf /) ))",
            "(( `rm -rf /` ))",
            "!(rm -rf /)",
            "! rm -rf /",
            "for ((i=$(rm -rf /); i<1; i++)); do :; done",
            "a[$(rm -rf /)]=1",
            "a=($(rm -rf /))",
            "a=([$(rm -rf /)]=1)",
        ],
    );
}

#[test]
fn a_function_or_alias_of_the_same_name_hides_no_program() {
    all(
        "deny rm-root",
        &[
            "rm() { command rm \"$@\"; }; rm -rf /",
            "rm() { :; }; unset -f rm; rm -rf /",
            "(rm() { :; }); rm -rf /",
            "rm() { env rm -rf /; }; rm",
            "alias rm=echo; rm -rf /",
        ],
    );
}
