//! Every place in the grammar where a command can stand.

use crate::support::all;

#[test]
fn a_command_is_found_wherever_the_grammar_allows_one() {
    all(
        "deny rm-root",
        &[
            "ls; rm -rf /",
            "ls && rm -rf /",
            "ls || rm -rf /",
            "ls & rm -rf /",
            "rm -rf / &",
            "ls\nrm -rf /",
            "ls | rm -rf /",
            "ls |& rm -rf /",
            "(rm -rf /)",
            "( ls; ( rm -rf / ) )",
            "{ rm -rf /; }",
            "if rm -rf /; then ls; fi",
            "if ls; then rm -rf /; fi",
            "if ls; then ls; elif rm -rf /; then ls; fi",
            "if ls; then ls; elif ls; then rm -rf /; fi",
            "if ls; then ls; else rm -rf /; fi",
            "for x in a; do rm -rf /; done",
            "for x in $(rm -rf /); do ls; done",
            "for x in /etc /tmp; do rm -rf $x; done",
            "for x in a b /; do rm -rf \"$x\"; done",
            "for x do rm -rf /; done",
            "for ((i=0; i<1; i++)); do rm -rf /; done",
            "for ((;;)); do rm -rf /; done",
            "for ((i=$(rm -rf /);;)); do :; done",
            "for ((;;)); do case a in a) rm -rf / ;; esac; done",
            "x=$(for ((;;)) { rm -rf /; })",
            "while rm -rf /; do ls; done",
            "while true; do rm -rf /; done",
            "until rm -rf /; do ls; done",
            "case x in x) rm -rf /;; esac",
            "case x in a) ls;; *) rm -rf /; esac",
            "case x in a) ls;& b) rm -rf /;; esac",
            "case $(rm -rf /) in a) ls;; esac",
            "f() { rm -rf /; }",
            "f() { rm -rf /; }; f",
            "f() ( rm -rf / )",
            "function f { rm -rf /; }; f",
            "f() { rm -rf \"$1\"; }; f /",
            "f() { \"$@\"; }; f rm -rf /",
            "f() { $1 -rf $2; }; f rm /",
            "f() { ls; } > $(rm -rf /)",
            "time rm -rf /",
            "time -p rm -rf /",
            "! rm -rf /",
            "coproc rm -rf /",
            "coproc x { rm -rf /; }",
            "[[ -n $(rm -rf /) ]]",
            "[[ a == `rm -rf /` && b ]]",
            "[ -n \"$(rm -rf /)\" ]",
            "trap 'rm -rf /' EXIT",
            "alias x='rm -rf /'",
            "alias x=rm; x -rf /",
        ],
    );
}

#[test]
fn a_command_is_found_in_every_substitution() {
    all(
        "deny rm-root",
        &[
            "echo $(rm -rf /)",
            "echo \"$(rm -rf /)\"",
            "echo `rm -rf /`",
            "echo \"a `rm -rf /` b\"",
            "echo \"$(echo \"$(rm -rf /)\")\"",
            "echo `echo \\`rm -rf /\\``",
            "x=$(rm -rf /)",
            "x=\"$(rm -rf /)\" ls",
            "ls > $(rm -rf /)",
            "ls 2> \"$(rm -rf /)\"",
            "ls < `rm -rf /`",
            "cat <<EOF\n$(rm -rf /)\nEOF",
            "cat <<EOF\n`rm -rf /`\nEOF",
            "cat <<-EOF\n\t$(rm -rf /)\n\tEOF",
            "cat <<< \"$(rm -rf /)\"",
            "diff <(rm -rf /) b",
            "tee >(rm -rf /)",
            "ls > >(rm -rf /)",
            "ls < <(rm -rf /)",
            "echo ${x:-$(rm -rf /)}",
            "echo ${x:=`rm -rf /`}",
            "echo ${x:-a} ${x:-$(rm -rf /)}",
            "x=1; echo ${x:-'a b' $(rm -rf /)}",
            "x=; echo ${x:+$(rm -rf /)}",
            "echo $(< a; rm -rf /)",
            "echo $(< a rm -rf /)",
            "echo \"${x:+$(rm -rf /)}\"",
            "echo ${x:$(rm -rf /)}",
            "echo ${x#$(rm -rf /)}",
            "echo ${x/$(rm -rf /)/b}",
            "echo {a,$(rm -rf /)}",
            "echo a$(rm -rf /)b",
            "export x=$(rm -rf /)",
            "local x=\"$(rm -rf /)\"",
            "echo $(ls # list\nrm -rf /)",
            "x=$(\n  cat <<EOF\na\nEOF\n  rm -rf /\n)",
            "echo \"$(cat <<EOF\na $(rm -rf /)\nEOF\n)\"",
            "echo ${x/#$(rm -rf /)/b}",
            "echo ${a[$(rm -rf /)]}",
            "echo ${#a[$(rm -rf /)]}",
            "x='$(rm -rf /)'; echo ${x@P}",
            "x='a[$(rm -rf /)]'; echo $((x))",
            "printf -v 'a[$(rm -rf /)]' x",
            "test -v 'a[`rm -rf /`]'",
            "[[ -v 'a[$(rm -rf /)]' ]]",
            "[[ 'a[$(rm -rf /)]' -eq 0 ]]",
        ],
    );
}

#[test]
fn quoted_here_documents_and_comments_run_nothing() {
    all(
        "none",
        &[
            "cat <<'EOF'\n$(rm -rf /)\nEOF",
            "cat <<\"EOF\"\n`rm -rf /`\nEOF",
            "cat <<\\EOF\n$(rm -rf /)\nEOF",
            "echo '$(rm -rf /)'",
            "echo \"\\$(rm -rf /)\"",
            "echo \\`rm -rf /\\`",
            "echo a # $(rm -rf /)",
        ],
    );
}

#[test]
fn commands_on_both_sides_of_a_here_document_are_found() {
    all(
        "deny rm-root",
        &[
            "cat <<EOF\nx\nEOF\nrm -rf /",
            "rm -rf / <<EOF\nx\nEOF",
            "cat <<A <<B; rm -rf /\na\nA\nb\nB",
            "cat <<A\na\nA\ncat <<B\nb\nB\nrm -rf /",
            "cat <<'EOF' | sort; rm -rf /\nx\nEOF",
        ],
    );
}
