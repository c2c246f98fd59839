//! Text that is not meant to be a command at all.

use crate::support::{all, verdict};

/// Commands that together use every construct.
const SAMPLES: &[&str] = &[
    "sudo -u root sh -c \"rm -rf '/' && echo $(ls -la | sort)\"",
    "for f in *.txt \"a b\" $'c\\n'; do cat <(echo \"$f\") > /dev/null 2>&1; done",
    "if [[ $x =~ ^(a|b)$ && -n \"${y:-$(date)}\" ]]; then ((i++)); else :; fi",
    "case \"$1\" in a|b) echo $((1 + 2));; *) exit;; esac",
    "f() { local x=${1%%.*}; arr=(a \"b c\" $(ls)); echo \"${arr[@]:1:2}\"; }; f x.y",
    "cat <<'EOF' | bash -s -- --yes\nrm -rf \"$HOME\"\nEOF\nls",
    "cat <<-A <<\"B\"\n\tx $(date) `ls`\n\tA\ny\nB\n",
    "git commit -m \"$(cat <<'EOF'\nfix: it's (a) \"b\" :)\nEOF\n)\"",
    "echo {a,b}{1..3} ~/x ~root $'\\x72\\u00e9\\101' \"\\$x\\`\" \\\n  done",
    "find / -name '*.log' -exec rm -rf {} + | xargs -I{} sh -c 'rm {}' &",
    "x=rm y=(1 2) z+=a; $x -rf ${HOME}/* >| /dev/sda 2>> log <<< \"a$x\"",
    ":(){ :|:& };: ; coproc n { ls; }; time -p ! ls |& cat",
    "printf '%s %b\\n' 'rm -rf /' '\\x2f' | ssh -p 22 h 'sh -s' ; trap 'ls' EXIT",
    "while read -r a b; do echo \"${a^^} ${b//x/\\/}\"; done < <(curl -s x | jq '.[]')",
    "select i in a b; do break; done; until false; do ls; done; for ((i=0;i<3;i++)) { ls; }",
    "é=1; echo \"日本語 $é 🦀\" 'ß' # коммент\necho 👍🏽",
];

#[test]
fn no_truncation_of_any_sample_panics() {
    for sample in SAMPLES {
        for end in (0..=sample.len()).filter(|end| sample.is_char_boundary(*end)) {
            verdict(&sample[..end]);
            verdict(&sample[end..]);
        }
    }
}

#[test]
fn no_sample_with_a_character_replaced_or_doubled_panics() {
    let replacements = [
        '\'', '"', '\\', '$', '`', '(', ')', '{', '}', '<', '>', '|', '&', ';', '\n', '#', '[', ']', '~',
        '!', '\u{0}', '\t', '9',
    ];
    for sample in SAMPLES {
        for (at, c) in sample.char_indices() {
            let (head, tail) = (&sample[..at], &sample[at + c.len_utf8()..]);
            let replacement = replacements[at % replacements.len()];
            verdict(&format!("{head}{replacement}{tail}"));
            verdict(&format!("{head}{replacement}{c}{tail}"));
            verdict(&format!("{head}{tail}"));
        }
    }
}

/// Pieces of shell text, to be put together at random.
#[rustfmt::skip]
const PIECES: &[&str] = &[
        "rm",
        "-rf",
        "/",
        " ",
        " ",
        "\n",
        ";",
        "&&",
        "||",
        "|",
        "&",
        "(",
        ")",
        "{ ",
        "}",
        "$(",
        "`",
        "\"",
        "'",
        "$'",
        "${",
        "}",
        "$((",
        "))",
        "((",
        "<<A",
        "<<'A'",
        "\nA\n",
        "<<<",
        "<(",
        ">",
        "2>&1",
        ">&",
        "if",
        "then",
        "fi",
        "for",
        "in",
        "do",
        "done",
        "case",
        "esac",
        ";;",
        "[[",
        "]]",
        "=~",
        "f()",
        "function",
        "x=",
        "x[1]=",
        "a=(",
        "\\",
        "#",
        "!",
        "~",
        "*",
        "?",
        "[",
        "]",
        "{a,b}",
        "{1..9}",
        "$x",
        "$@",
        "$1",
        "eval",
        "sh -c",
        "99999999999>",
        "~99999999999999999999",
        "{1..99999999999999999999}",
        "time",
        "coproc",
        "\t",
        "é",
        "\u{85}",
        "\u{a0}",
        "\r",
        "${x:-",
        "${x//",
        "${!x}",
        "${#x}",
        "$[",
        "|&",
        "&>",
        ">|",
        "<>",
        "<&-",
        ";&",
        "%s",
        "@(",
        "!(",
    ];

#[test]
fn random_sequences_of_shell_words_do_not_panic() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for _ in 0..6000 {
        let mut text = String::new();
        for _ in 0..=(state % 14) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(PIECES[usize::try_from(state % PIECES.len() as u64).unwrap()]);
            if state.is_multiple_of(3) {
                text.push(' ');
            }
        }
        verdict(&text);
    }
}

#[test]
fn broken_syntax_is_asked_about() {
    all(
        "ask unparsable",
        &[
            "echo 'a",
            "echo \"a",
            "echo $(ls",
            "echo `ls",
            "echo ${x",
            "if true; then",
            "for",
            "case x in",
            "ls |",
            "ls &&",
            ")",
            "}",
            "done",
            "ls ;; ls",
            "echo \\",
            "99999999999>x",
            "for ((;;;)); do ls; done",
            // An extended pattern is read if nothing between its parentheses could be misread.
            "ls !(a b)",
            "ls !('a')",
            "ls @()",
            "echo \u{FDD0}",
            "a\0b",
        ],
    );
}

#[test]
fn numbers_out_of_range_are_only_text() {
    all(
        "none",
        &[
            "echo {1..99999999999999999999}",
            "echo ~99999999999999999999",
            "echo ${x:99999999999999999999:1}",
            "x=abc; echo ${x:9223372036854775807:9223372036854775807}",
            "x=abc; echo ${x:-9223372036854775808:-1} ${x: -9223372036854775807:-9223372036854775807}",
            "echo {-9223372036854775808..9223372036854775807}",
            "echo $99999999999999999999 ${99999999999999999999}",
            "shift 99999999999999999999",
            "printf %99999999999d 1",
        ],
    );
}

#[test]
fn characters_that_only_look_like_blanks_separate_nothing() {
    all("deny rm-root", &["echo a\u{a0}#; rm -rf /", "echo a\u{85}# ; rm -rf /"]);
    all("none", &["rm\u{a0}-rf /", "echo rm -rf\u{a0}/"]);
}
