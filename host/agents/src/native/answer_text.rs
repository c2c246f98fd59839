//! The text of a handler outside this process, read as an answer.

use hookbox_core::interfaces::escape_excerpt;
use hookbox_model::{Answer, Failure, FailureCode};

use super::parse_answer;

/// Reads the output of `who` ("the hook", a server): empty output means no opinion, a JSON object is an answer in the native dialect,
/// anything else is a failure that shows the beginning. The shown text has passed through `redact`.
pub(super) fn read_answer(
    output: &[u8],
    who: &str,
    redact: impl Fn(&str) -> String,
) -> Result<Answer, Failure> {
    let bad = |what: String| Failure::new(FailureCode::BadOutput, &what);
    let text = str::from_utf8(output).map_err(|error| {
        bad(format!("{who} answered with text that is not UTF-8 (byte {})", error.valid_up_to()))
    })?;
    if text.trim_ascii().is_empty() {
        return Ok(Answer::default());
    }
    if !text.trim_ascii_start().starts_with('{') {
        // The output is foreign text for a message on a terminal: it may hold control characters, and a key
        // that the hook was granted.
        let shown = escape_excerpt(&redact(text));
        return Err(bad(format!("{who} answered \"{shown}\", which is not a JSON object")));
    }
    parse_answer(text)
        .map_err(|problem| bad(format!("{who} was not understood: {}", redact(&problem.to_string()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_problem(output: &[u8]) -> String {
        read_answer(output, "the hook", |text| text.replace("canary", "[redacted]")).unwrap_err().to_string()
    }

    #[test]
    fn blank_output_is_an_answer_without_an_opinion() {
        for output in ["", " \r\n\t"] {
            assert_eq!(read_answer(output.as_bytes(), "it", str::to_owned), Ok(Answer::default()));
        }
    }

    #[test]
    fn other_text_is_shown_escaped_and_redacted() {
        assert_eq!(
            read_problem(b"ok \"canary\"\x1b[0m\n"),
            r#"bad-output: the hook answered "ok \"[redacted]\"\u{1b}[0m", which is not a JSON object"#
        );
        assert_eq!(
            read_problem(b"[{}]"),
            r#"bad-output: the hook answered "[{}]", which is not a JSON object"#
        );
    }

    #[test]
    fn a_long_text_is_cut_and_a_secret_across_the_cut_stays_hidden() {
        let text = format!("{}canary", "x".repeat(78));
        assert_eq!(
            read_problem(text.as_bytes()),
            format!(r#"bad-output: the hook answered "{}[r…", which is not a JSON object"#, "x".repeat(78))
        );
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_named_by_their_place() {
        assert_eq!(
            read_problem(b"{\xff}"),
            "bad-output: the hook answered with text that is not UTF-8 (byte 1)"
        );
    }
}
