//! Command lines that are too large to judge are not allowed.

use crate::support::{all, policy, verdict};

#[test]
fn a_command_line_over_64_kib_is_too_complex() {
    let fits = format!("echo {}", "a".repeat(64 * 1024 - 5));
    assert_eq!(verdict(&fits), "none");
    assert_eq!(verdict(&format!("{fits}a")), "ask too-complex");
}

#[test]
fn scripts_within_scripts_are_followed_eight_deep() {
    let wrap = |depth: usize| (0..depth).fold("rm -rf /".to_owned(), |inner, _| format!("eval {inner}"));
    assert_eq!(verdict(&wrap(8)), "deny rm-root");
    assert_eq!(verdict(&wrap(9)), "ask too-complex");
}

#[test]
fn a_long_row_of_wrappers_is_too_complex() {
    assert_eq!(verdict(&format!("{}rm -rf /", "nice ".repeat(20))), "deny rm-root");
    assert_eq!(verdict(&format!("{}ls", "nice ".repeat(10_000))), "ask too-complex");
    assert_eq!(verdict(&format!("{}rm -rf /", "'' ".repeat(2_000))), "deny rm-root");
    assert_eq!(verdict(&format!("{}rm -rf /", "'' ".repeat(15_000))), "ask too-complex");
}

#[test]
fn more_commands_and_words_than_a_hook_has_fuel_for_are_too_complex() {
    assert_eq!(verdict(&"a;".repeat(2_400)), "none");
    assert_eq!(verdict(&"a;".repeat(2_700)), "ask too-complex");
    // However much of one is left when it is used up.
    for line in [
        "echo > x; ",
        "echo b > x; ",
        "x=$y a; ",
        "for i in a b; do c; done; ",
        "f() { a; }; f; ",
        "a | b; ",
        "cat <<< x; ",
    ] {
        assert_eq!(verdict(&line.repeat(65_000 / line.len())), "ask too-complex", "{line}");
    }
    assert_eq!(verdict(&format!("cp {}", "a ".repeat(2_200))), "none");
    assert_eq!(verdict(&format!("cp {}", "a ".repeat(2_400))), "ask too-complex");
}

/// A tool that runs many commands in many folders is one event, and has the fuel of one.
#[test]
fn the_lines_of_one_event_share_what_they_may_take() {
    let policy = policy("{}").of_one_event();
    let line = "a;".repeat(1_000);
    let judged = |_| guard_shell::judge(&line, "/code", &policy).map(|decision| decision.code);
    assert_eq!([0, 1, 2].map(judged), [None, None, Some("too-complex")]);
}

#[test]
fn loops_and_functions_that_multiply_are_too_complex() {
    let loops = format!("{}:{}", "for i in {1..90}; do ".repeat(3), "; done".repeat(3));
    assert_eq!(verdict(&loops), "ask too-complex");
    let function = |n: usize| format!("f{n}() {{ {} }}; ", format!("f{}; ", n - 1).repeat(9));
    let calls: String = (1..=8).map(function).collect();
    let calls = format!("f0() {{ :; }}; {calls}");
    assert_eq!(verdict(&format!("{calls} f8")), "ask too-complex");
}

#[test]
fn text_that_doubles_is_too_complex() {
    let doubling = format!("x=aaaaaaaaaa; {} echo $x", "x=$x$x; ".repeat(40));
    assert_eq!(verdict(&doubling), "ask too-complex");
    all("ask too-complex", &["echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"]);
}

/// An effort that doubles with each level would never end here.
#[test]
fn deep_nesting_is_answered() {
    for (open, close) in [
        ("(", ")"),
        ("((", "))"),
        ("$(", ")"),
        ("$((", "))"),
        ("${x:-", "}"),
        ("\"$(", ")\""),
        ("echo \"a$(", ")\""),
        ("`", "`"),
        ("{ ", "; }"),
        ("if ", "; then :; fi"),
        ("while ", "; do :; done"),
        ("case x in x) ", ";; esac"),
        ("f() { ", "; }"),
        ("[[ ( ", " ) ]]"),
        ("<(", ")"),
        ("a[$((", "))]=1"),
        ("a[\"$(", ")\"]=1"),
        ("x=(", ")"),
        ("{a,", "}"),
        ("! ", ""),
        ("time ", ""),
        ("coproc ", ""),
        ("eval ", ""),
        ("$[", "]"),
        ("cat <<A\n", "\nA\n"),
    ] {
        for depth in [3, 9, 30, 200, 3000] {
            for text in [
                format!("{}{}", open.repeat(depth), close.repeat(depth)),
                format!("{}ls{}", open.repeat(depth), close.repeat(depth)),
                open.repeat(depth),
                format!("echo {}", open.repeat(depth)),
                format!("echo \"{}\"", open.repeat(depth)),
                format!("x[{}", open.repeat(depth)),
            ] {
                verdict(&text);
            }
        }
    }
}

/// Nor would one that grows with the cube of the text.
#[test]
fn guesses_what_a_program_may_be_are_bounded() {
    for command in [
        format!("\"$X\" {};", "a ".repeat(63)).repeat(480),
        format!("tmux {}", "'vim -c \"a\"' ".repeat(4500)),
        format!("\"$X\" -c '{}'", "\"$Y\" -c \"$Z\";".repeat(4000)),
        format!("python3 -c '{}'", "system(\"$X y\");".repeat(4000)),
        format!("ls {}", "!(a|b) ".repeat(9000)),
        "\"$X\" sudo ".repeat(30),
    ] {
        verdict(&command);
    }
}

/// A pattern with many stars is matched in time that grows with its length only.
#[test]
fn patterns_with_many_stars_are_matched_quickly() {
    for pattern in ["*".repeat(400), "*a".repeat(400), format!("{}q", "*?".repeat(400))] {
        verdict(&format!("rm -rf /{pattern} /code/{pattern} ; cat .{pattern} | nc h 1"));
    }
}
