//! Files of an attacker: none may panic, hang or flood.

use proptest::prelude::*;

use super::*;
use crate::hookfile::MAX_FILE_BYTES;

fn count_hooks_and_problems(loaded: &Loaded) -> (usize, usize) {
    (loaded.hooks.len(), loaded.problems.len())
}

#[test]
fn ten_thousand_hooks_are_read_and_no_more() {
    let entry = |at| format!("[[hook]]\nname = 'h{at}'\non = 'tool.before'\nwasm = {{ path = 'h{at}' }}\n");
    let text: String = (0..=MAX_HOOKS).map(entry).collect();
    let loaded = load_text(&text);
    assert_eq!(count_hooks_and_problems(&loaded), (MAX_HOOKS, 1));
    assert_eq!(
        loaded.problems[0].message,
        "this is hook 10001, but the file may hold 10000; the rest is left out"
    );
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    insta::assert_snapshot!(format_problems(&load_text(&"#".repeat(MAX_FILE_BYTES + 1))), @"/home/u/hooks.toml: error: the configuration has 2097153 bytes, but may have 2097152");
    let error = user_source("").with_bytes(vec![0xff; MAX_FILE_BYTES + 1]).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @"/home/u/hooks.toml: error: the configuration has 2097153 bytes, but may have 2097152");
}

#[test]
fn a_hundred_thousand_wrong_keys_give_a_hundred_messages() {
    let entry = |at| format!("k{at} = 1\n");
    let text: String = (0..100_000).map(entry).collect();
    let loaded = load_text(&text);
    assert_eq!(count_hooks_and_problems(&loaded), (0, 101));
    assert_eq!(
        loaded.problems[100].to_string(),
        "/home/u/hooks.toml: error: 99900 more problems in this file are not shown"
    );
}

#[test]
fn a_hundred_thousand_errors_on_one_line_show_a_part_of_it_each() {
    let loaded = load_text(&format!("on = [{}]", "{a=1},".repeat(100_000)));
    assert!(loaded.problems.len() <= 101);
    let longest = loaded.problems.iter().map(|problem| problem.to_string().len()).max();
    assert!(longest < Some(1000), "{longest:?}");
}

#[test]
fn deep_nesting_is_an_error_wherever_it_is() {
    let header = |at| format!("[{}a{at}]\n", "a.".repeat(70));
    for text in [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("[{}a]", "a.".repeat(100_000)),
        format!("[[{}a]]", "a.".repeat(100_000)),
        format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000)),
        (0..2_000).map(header).collect(),
    ] {
        let loaded = load_text(&text);
        assert!(loaded.has_errors() && loaded.problems.len() <= 101, "{}", &text[..20]);
    }
}

#[test]
fn settings_may_not_be_deeper_than_json() {
    // Keys, tables and values may each be as deep as the parser permits.
    let dotted = "a.".repeat(60);
    let nested = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    let text =
        format!("[[hook]]\nname = 'a'\non = '*'\nwasm = {{ path = 'a' }}\nconfig.{dotted}a = {nested}");
    let loaded = load_text(&text);
    assert_eq!(count_hooks_and_problems(&loaded), (0, 1));
    assert_eq!(loaded.problems[0].message, "nested too deep");
}

#[test]
fn bytes_that_are_not_utf_8_are_an_error_with_their_place() {
    let error = user_source("").with_bytes(b"# ok\nname = 'a\xff'\n".to_vec()).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @r#"
    /home/u/hooks.toml:2:10: error: the byte 0xff is not UTF-8
      2 | name = 'a�'
        |          ^
      help: save the file as UTF-8
    "#);
    assert_eq!(user_source("").with_bytes("# ü".into()).unwrap().text, "# ü");
}

#[test]
fn nothing_of_a_file_reaches_a_terminal_as_more_than_text() {
    let loaded = load_text(
        "[[hook]]\nname = \"\\u001b[2J\"\non = \"\\u202e\\u0000x\"\n\u{1b}[31m\nwasm = { path = 'a' }",
    );
    let problems = format_problems(&loaded);
    assert!(problems.chars().all(|c| c == '\n' || !c.is_control()), "{problems:?}");
    assert!(!problems.contains('\u{202e}'));
}

/// Pieces of files: keys, values and syntax, right and wrong.
const PIECES: [&str; 40] = [
    "[[hook]]\n",
    "[hook]\n",
    "[[",
    "]]",
    "[",
    "]",
    "{",
    "}",
    "\n",
    "\r\n",
    "\r",
    ",",
    "=",
    ".",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "name = 'a'\n",
    "on = 'tool.before'\n",
    "on = ['*', 'custom:']\n",
    "wasm = { path = 'a' }\n",
    "tool = {}\n",
    "tool = { regex = '(' }\n",
    "timeout = ",
    "'5s'\n",
    "limits.memory = '1'\n",
    "config = ",
    "1e999",
    "nan",
    "-1",
    "99999999999999999999",
    "1979-05-27",
    "true",
    "ü",
    "\u{feff}",
    "\u{0}",
    "# x\n",
    "shell.argv = ['/']\n",
    "webhook = { url = 'https://h', headers = { a = '${' } }\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn no_text_makes_the_reader_panic(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40)) {
        let text = pieces.concat();
        let lines = text.lines().count() + 1;
        for problem in load_text(&text).problems {
            prop_assert!(problem.line <= lines && problem.column > 0, "{problem}");
        }
    }
}
