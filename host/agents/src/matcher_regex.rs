//! The regular expressions of agents' matchers.

use regex::{Error, bytes::Regex, bytes::RegexBuilder};

/// Largest compiled expression, bytes.
const MAX_BYTES: usize = 1 << 20;

/// Compiles the expression as written, unanchored. Uses bytes and ASCII classes, as JavaScript does without its `u` flag: the tables of
/// Unicode would take a tenth of every start. An expression that needs more than ASCII is compiled with Unicode.
pub(super) fn compile_unanchored(written: &str) -> Result<Regex, Error> {
    let build = |unicode| RegexBuilder::new(written).unicode(unicode).size_limit(MAX_BYTES).build();
    build(false).or_else(|_| build(true))
}

/// Returns true for a matcher that matches every event of its name: an empty one, `*`, and the usual regular expressions for anything.
pub(super) fn means_all(written: &str) -> bool {
    matches!(written, "" | "*" | ".*" | "^.*" | ".*$" | "^.*$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_outside_of_ascii_matches_itself() {
        for (written, name, matches) in [
            ("mcp__größe.*", "mcp__größe__x", true),
            ("^m.*(?:é|[ä])$", "mä", true),
            (r"^\w+$", "Write", true),
            (r"^\w+$", "größe", false),
            ("(?i)write", "WRITE", true),
        ] {
            assert_eq!(
                compile_unanchored(written).unwrap().is_match(name.as_bytes()),
                matches,
                "{written} {name}"
            );
        }
        assert!(compile_unanchored("a(").is_err());
        assert!(compile_unanchored("(?:a{1000}){1000}").is_err());
    }
}
