//! `tool`: the tools that a hook is for.

use hookbox_model::{ToolClass, bounded_text};
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ast::parse::ParserBuilder;
use toml::{Spanned, de::DeTable};
use wildmatch::WildMatch;

use super::{quote_word, report::Report, values};
use crate::{hook::ToolMatcher, hookfile::PlacedProblem};

/// Largest compiled regular expression, bytes.
const MAX_REGEX_BYTES: usize = 64 << 10;

// The compiler of expressions recurses into them, on a stack of any size.
/// Deepest nesting in a regular expression.
const MAX_REGEX_DEPTH: u32 = 32;

/// Returns the matcher, if there is a `tool` key.
pub(super) fn resolve_matcher(table: &DeTable<'_>, report: &mut Report) -> Option<ToolMatcher> {
    let tool = values::get_table(table, "tool")?;
    let tool = *tool.get_ref();
    let names = values::get_texts(tool, "name");
    for name in &names {
        warn_of_pattern(name, report);
    }
    Some(ToolMatcher {
        names: names.iter().map(|name| (*name.get_ref()).to_owned()).collect(),
        classes: values::get_texts(tool, "class")
            .iter()
            .filter_map(|class| ToolClass::named(class.get_ref()))
            .collect(),
        glob: values::get_text(tool, "glob").map(|glob| WildMatch::new(glob.get_ref())),
        regex: values::get_text(tool, "regex").and_then(|regex| compile_anchored(&regex, report)),
    })
}

/// Warns of a pattern in `name`: other systems support one there; here it would silently match nothing.
fn warn_of_pattern(name: &Spanned<&str>, report: &mut Report) {
    if name.get_ref().contains(['*', '?', '|', '^', '$', '(', '[', '\\']) {
        let message = format!("no tool is called {}: names are compared exactly", quote_word(name.get_ref()));
        report.add_problem(
            PlacedProblem::warning(name.span(), message).help("use a list of names, `glob` or `regex`"),
        );
    }
}

/// Compiles the expression, matching whole names only.
fn compile_anchored(regex: &Spanned<&str>, report: &mut Report) -> Option<Regex> {
    let text = *regex.get_ref();
    // The expression is parsed alone first: `a)|(b` is well-formed between the anchoring brackets, and would then not
    // be anchored.
    let alone = ParserBuilder::new().nest_limit(MAX_REGEX_DEPTH).build().parse(text);
    if let Err(error) = alone {
        report.add_problem(malformed_regex(regex, &error.kind().to_string()));
        return None;
    }
    let whole = match compile_regex(&format!(r"\A(?:{text})\z")) {
        // A comment at the end of a verbose expression has swallowed the closing bracket.
        Err(_) if text.contains('#') => compile_regex(&format!("\\A(?:{text}\n)\\z")),
        whole => whole,
    };
    whole.map_err(|error| report.add_problem(rejected_regex(regex, &error))).ok()
}

fn compile_regex(text: &str) -> Result<Regex, regex::Error> {
    // Without Unicode's tables, which the system would relocate at each start of the program. With a limit,
    // since a short expression such as `(a{1000}){1000}` can compile to megabytes.
    RegexBuilder::new(text).unicode(false).size_limit(MAX_REGEX_BYTES).dfa_size_limit(MAX_REGEX_BYTES).build()
}

fn rejected_regex(regex: &Spanned<&str>, error: &regex::Error) -> PlacedProblem {
    if let regex::Error::CompiledTooBig(_) = error {
        return PlacedProblem::error(regex.span(), "this regular expression is too large")
            .help("repeat less in it");
    }
    // The message includes the expression; its last line states the error.
    let message = error.to_string();
    let last = message.lines().last().unwrap_or_default();
    malformed_regex(regex, last.strip_prefix("error: ").unwrap_or(last))
}

fn malformed_regex(regex: &Spanned<&str>, reason: &str) -> PlacedProblem {
    let message = format!("this is not a regular expression: {}", bounded_text(reason));
    PlacedProblem::error(regex.span(), message)
        .help("in '…' backslashes stay as they are; look-around and \\1 do not exist")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_matcher(regex: &str) -> Option<Regex> {
        compile_anchored(&Spanned::new(0..0, regex), &mut Report::default())
    }

    #[test]
    fn a_regex_matches_whole_names_only() {
        let regex = parse_matcher("Edit|Write").unwrap();
        assert!(regex.is_match(b"Edit") && regex.is_match(b"Write"));
        for name in ["MultiEdit", "Edits", "Edit\n", "Write|", ""] {
            assert!(!regex.is_match(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn classes_are_those_of_ascii_and_other_text_stands_for_itself() {
        let regex = parse_matcher(r"(?i)MCP__\w{1,40}__größe").unwrap();
        assert!(regex.is_match("mcp__Drive__größe".as_bytes()));
        assert!(!regex.is_match("mcp__dérive__größe".as_bytes()));
    }

    #[test]
    fn no_regex_escapes_its_anchors() {
        for regex in ["a)|(?:b", "a)|(b", "(?x)a)|(b # c"] {
            assert!(parse_matcher(regex).is_none(), "{regex}");
        }
        for regex in ["(?m)^a$", "(?s).a", "(?x) a # or b", "a|(?x)b # c"] {
            assert!(!parse_matcher(regex).unwrap().is_match(b"xay\na\nzb"), "{regex}");
        }
        assert!(parse_matcher("(?x) a # or b").unwrap().is_match(b"a"));
    }

    #[test]
    fn a_regex_that_would_grow_huge_is_refused() {
        for regex in
            ["(a{1000}){1000}".to_owned(), "(".repeat(40) + "a" + &")".repeat(40), "[a-z]{9000}".to_owned()]
        {
            assert!(parse_matcher(&regex).is_none(), "{regex}");
        }
    }
}
