//! Accepted and rejected YAML.
use super::*;

fn parse_text(text: &str) -> String {
    parse(text).unwrap().to_string()
}

fn find_problem(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn plain_words_mean_what_python_takes_them_for() {
    for (text, expected) in [
        ("[yes, No, on, OFF, true, y]", r#"[true,false,true,false,true,"y"]"#),
        ("[~, null, '', ]", r#"[null,null,""]"#),
        ("a:", r#"{"a":null}"#),
        ("[1, -2, 1_000, 0x1f, 010, 0b11, 08, 1:30]", r#"[1,-2,1000,31,8,3,"08","1:30"]"#),
        (
            "[1.5, .5, -.5, ._5, 1., 1.5e+3, 1e3, 1.5e3, .inf]",
            r#"[1.5,0.5,"-.5","._5",1.0,1500.0,"1e3","1.5e3",".inf"]"#,
        ),
        (
            "[99999999999999999999, 2026-11-22, +, _1, .]",
            r#"["99999999999999999999","2026-11-22","+","_1","."]"#,
        ),
        ("['yes', \"1\", !!str 2]", r#"["yes","1","2"]"#),
        ("", "null"),
    ] {
        assert_eq!(parse_text(text), expected, "{text}");
    }
}

#[test]
fn keys_are_text_and_the_last_of_two_equal_ones_counts() {
    assert_eq!(parse_text("on: 1\n1: 2\non: 3\n"), r#"{"on":3,"1":2}"#);
}

#[test]
fn an_alias_is_what_it_stands_for() {
    assert_eq!(parse_text("a: &x [1, &y two]\nb: *x\nc: *y\n"), r#"{"a":[1,"two"],"b":[1,"two"],"c":"two"}"#);
}

#[test]
fn a_merge_key_gives_the_members_that_are_not_there() {
    let text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], x: 0}\nd: {<<: *a}\n";
    let expected = r#"{"a":{"x":1,"y":2},"b":{"y":3,"z":4},"c":{"x":0,"y":2,"z":4},"d":{"x":1,"y":2}}"#;
    assert_eq!(parse_text(text), expected);
}

#[test]
fn unreadable_text_is_reported_with_reason_and_place() {
    for (text, expected) in [
        (
            "a: !!python/object:os.system x",
            "line 1: the tag \"tag:yaml.org,2002:!python/object:os.system\" is not read",
        ),
        ("a: 1\n---\nb: 2\n", "line 2: there is more than one document"),
        ("a: &a [*a]", "line 1: an alias stands inside of what it stands for"),
        ("{[a]: 1}", "line 1: a key is not a plain text"),
        ("a: 1\n<<: 2\n", "line 2: what `<<` names is not a mapping"),
    ] {
        assert_eq!(find_problem(text), expected, "{text}");
    }
    assert!(find_problem("a: [1\nb: 2\n").starts_with("line 2: "));
    assert!(find_problem("a: *nobody\n").starts_with("line 1: "));
}

/// Lines `a1`, `a2`, … that are each a list of the one before, so many times.
fn nest_aliases(times: usize, until: usize) -> String {
    let line = |at| {
        let aliases = vec![format!("*a{}", at - 1); times].join(", ");
        format!("a{at}: &a{at} [{aliases}]\n")
    };
    (1..until).map(line).collect()
}

#[test]
fn an_alias_bomb_does_not_go_off() {
    let text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned() + &nest_aliases(9, 10);
    assert_eq!(
        find_problem(&text),
        "line 4: it is more than 10000 values or 2097152 bytes, aliases written out"
    );
    let long = "x".repeat(1 << 19);
    assert_eq!(
        find_problem(&format!("a: &a {long}\nb: [*a, *a, *a]\n")),
        "line 2: it is more than 10000 values or 2097152 bytes, aliases written out"
    );
}

#[test]
fn depth_is_bounded_where_it_is_made_of_aliases_too() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(parse(&deep(32)).is_ok());
    let refused = "line 1: more than 32 lists and mappings stand within one another";
    assert_eq!(find_problem(&deep(33)), refused);
    assert_eq!(find_problem(&deep(100_000)), "line 1: recursion limit exceeded");
    let text = "a0: &a0 [1]\n".to_owned() + &nest_aliases(1, 60);
    assert_eq!(find_problem(&text), "line 32: more than 32 lists and mappings stand within one another");
}
