use proptest::prelude::*;

use super::*;

fn compile_regex(written: &str) -> JavaScriptRegex {
    JavaScriptRegex::new(written).unwrap_or_else(|error| panic!("{written}: {error}"))
}

#[test]
fn an_expression_means_what_it_means_in_javascript() {
    for (written, subject, found) in [
        ("^(?!read_).*$", "read_file", false),
        ("^(?!read_).*$", "write_file", true),
        ("(?<=mcp__)git", "mcp__github", true),
        ("(?<=mcp__)git", "xmcp_github", false),
        ("(?<!un)safe", "unsafe", false),
        ("^(?=.*read)(?!.*secret)", "mcp__x__read_file", true),
        ("^(?=.*read)(?!.*secret)", "mcp__x__read_secret", false),
        (r"^\w+$", "größe", false),
        ("mcp__größe.*", "mcp__größe__x", true),
        (r"\bgit\b", "a git b", true),
        (r"\Bgit", "legit", true),
        ("^.$", "😀", false),
        ("^..$", "😀", true),
        ("[^]", "\n", true),
        ("[]", "a", false),
        ("a{", "a{", true),
        ("a{,2}", "a{,2}", true),
        ("^a{2,3}$", "aaaa", false),
        ("]", "]", true),
        (r"^[\w-z]$", "-", true),
        (r"^\x41\u0042\103$", "ABC", true),
        (r"(a)\2\9$", "a\u{2}9", true),
        (r"^\cJ$", "\n", true),
        (r"^\c$", "\\c", true),
        (r"^[\b]$", "\u{8}", true),
        (r"\-\/\_", "-/_", true),
        (r"\k", "k", true),
        (r"\0", "\0", true),
        (r"^\s$", "\u{a0}", true),
        ("(?=a)*b", "b", true),
        ("^(?:a|b)*?c$", "abac", true),
        ("", "anything", true),
    ] {
        assert_eq!(compile_regex(written).is_match(subject), found, "{written} {subject:?}");
    }
}

#[test]
fn an_invalid_javascript_pattern_is_distinguished_from_an_unsupported_one() {
    use RegexError::{Invalid, Unsupported};
    for (written, expected) in [
        ("a(", Invalid("a `(` is not closed")),
        ("a)", Invalid("a `)` closes nothing")),
        ("[a", Invalid("a `[` is not closed")),
        ("[z-a]", Invalid("a range in `[…]` is out of order")),
        ("*a", Invalid("there is nothing to repeat")),
        ("a**", Invalid("there is nothing to repeat")),
        ("^*", Invalid("there is nothing to repeat")),
        (r"\b*", Invalid("there is nothing to repeat")),
        ("{2}", Invalid("there is nothing to repeat")),
        ("(?<=a)*", Invalid("there is nothing to repeat")),
        ("a{3,2}", Invalid("the numbers of a repetition are out of order")),
        ("(?x)a", Invalid("there is no such group as this `(?`")),
        ("(?<1>a)", Invalid("the name of a group is not valid")),
        ("a\\", Invalid("a `\\` stands at the end")),
        ("(?i:a)", Unsupported("it sets flags for a group")),
        (r"(a)\1", Unsupported("it refers to an earlier group")),
        (r"(?<x>a)\k<x>", Unsupported("it refers to an earlier group")),
        ("(?:a{1000}){1000}", Unsupported("its repetitions make it too large")),
    ] {
        assert_eq!(JavaScriptRegex::new(written).unwrap_err(), expected, "{written}");
    }
    let (long, deep) = ("a".repeat(MAX_UNITS + 1), "(".repeat(MAX_DEPTH + 1));
    assert_eq!(JavaScriptRegex::new(&long).unwrap_err(), Unsupported("it is longer than 1024 characters"));
    assert_eq!(JavaScriptRegex::new(&deep).unwrap_err(), Unsupported("its groups are nested too deeply"));
}

/// Each of these takes practically forever in a backtracking engine.
const BOMBS: [&str; 7] = [
    "^(a+)+$",
    "^(a|a)*$",
    "^(a*)*$",
    "(?=(a+)+$)b",
    "^(?:(?:(?:a*)*)*)*$",
    "^(.*)*(.*)*(.*)*(.*)*!$",
    "^(?!(a+)+$).(?<=(a|aa)+)$",
];

#[test]
fn a_search_visits_no_step_at_a_place_twice() {
    for bomb in BOMBS {
        let steps = compile_regex(bomb).steps;
        for length in [30, 500] {
            let subject = "a".repeat(length) + "b";
            let (found, work) = search::find_match(&steps, &subject);
            // Each visit opens at most two more.
            assert!(work <= 3 * steps.len() * (length + 2), "{bomb} {length}: {work}");
            assert!(!found, "{bomb} {length}");
        }
    }
}

#[test]
fn a_search_that_is_given_up_counts_as_found() {
    let subject = "a".repeat(100_000);
    let steps = compile_regex("(?:a?){200}b").steps;
    assert_eq!(search::find_match(&steps, &subject), (true, MAX_WORK));
    assert!(!compile_regex("(?:a?){200}b").is_match("aaaa"));
}

#[test]
fn only_what_means_the_same_to_others_is_portable() {
    for written in ["^mcp__.*$", "Edit|Write", r"^\w+\.x{2}$", "[a-z_-]+", "(?:a|b)?"] {
        assert_eq!(compile_regex(written).portable(), Some(written));
    }
    for written in
        ["(?!a)", "a{", "]", "[[a]", "[a&&b]", "[^]", "[]", r"\u0041", r"\<", r"[\w-z]", "ü", "(?<a>b)"]
    {
        assert_eq!(compile_regex(written).portable(), None, "{written}");
    }
}

/// Pieces of expressions; not those that only this engine refuses.
fn generate_pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "_", ".", "^", "$", "*", "+", "?", "{2}", "{1,2}", "{,1}", "|", "(", "(?:", "(?=", "(?!",
        "(?<=", "(?<!", ")", ")", ")", "[ab]", "[^a]", "[a-b_]", r"\w", r"\W", r"\d", r"\s", r"\b(?:)",
        r"\B(?:)", r"\.", "]", "{", "}", "-", r"\x61", r"[\w-]", "[]", "[^]",
    ]);
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn it_agrees_with_another_engine_of_the_same_syntax(written in generate_pieces(), subject in "[ab_.]{0,6}") {
        match (JavaScriptRegex::new(&written), regress::Regex::new(&written)) {
            (Ok(ours), Ok(theirs)) => {
                prop_assert_eq!(ours.is_match(&subject), theirs.find(&subject).is_some(), "{} {}", written, subject);
            }
            (Err(RegexError::Unsupported(_)), _) | (Err(_), Err(_)) => {}
            (ours, theirs) => prop_assert!(false, "{written}: {ours:?} {theirs:?}"),
        }
    }

    /// A portable pattern is accepted by the configuration's engine, and has the same meaning.
    #[test]
    fn what_is_portable_is(written in generate_pieces(), subject in "[ab_.]{0,6}") {
        let Ok(ours) = JavaScriptRegex::new(&written) else { return Ok(()) };
        let Some(portable) = ours.portable() else { return Ok(()) };
        let theirs = regex::bytes::RegexBuilder::new(portable).unicode(false).build();
        prop_assert!(theirs.is_ok(), "{portable}: {theirs:?}");
        prop_assert_eq!(theirs.unwrap().is_match(subject.as_bytes()), ours.is_match(&subject), "{} {}", portable, subject);
    }

    #[test]
    fn no_text_makes_it_panic(written in ".{0,40}", subject in ".{0,20}") {
        if let Ok(regex) = JavaScriptRegex::new(&written) {
            regex.is_match(&subject);
        }
    }
}
