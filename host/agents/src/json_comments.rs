//! JSON with comments, as agents read it: they remove the comments, and the rest must be plain JSON.

use std::borrow::Cow;

/// Returns the text with a space in place of each character of a comment. Line breaks stay, and every other byte stays in its place.
pub(super) fn blank_comments(text: &str) -> Cow<'_, str> {
    let mut comments = find_comments(text).peekable();
    if comments.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut blanked = text.as_bytes().to_vec();
    for comment in comments {
        for byte in blanked.get_mut(comment).into_iter().flatten() {
            // Messages state the line, and the blanked text must have the lines of the file.
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    // Comments begin and end at ASCII characters, so whole characters went.
    String::from_utf8(blanked).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the ranges of the comments, bytes.
fn find_comments(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut in_string = false;
        while let Some(rest) = text.as_bytes().get(at..).filter(|rest| !rest.is_empty()) {
            match rest {
                [b'\\', _, ..] if in_string => at += 1,
                [b'"', ..] => in_string = !in_string,
                [b'/', b'/', ..] if !in_string => return Some(take_comment(text, &mut at, "\n", 2)),
                [b'/', b'*', ..] if !in_string => return Some(take_comment(text, &mut at, "*/", 2)),
                _ => {}
            }
            at += 1;
        }
        None
    })
}

/// Returns the range from here to the end of the comment that begins here, or to the end of the text; moves `at` after it.
fn take_comment(text: &str, at: &mut usize, end: &str, opening: usize) -> std::ops::Range<usize> {
    let (start, inside) = (*at, *at + opening);
    let length = text.get(inside..).and_then(|rest| rest.find(end));
    *at = length.map_or(text.len(), |length| inside + length + end.len());
    start..*at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_becomes_spaces_and_nothing_else_moves() {
        for (text, expected) in [
            ("{}", "{}"),
            ("// é\n{} // x", "     \n{}     "),
            ("{/* a\r\nb */\"k\": 1}", "{    \r\n    \"k\": 1}"),
            (r#"{"u": "https://x/*y*/", "q": "\"//"}"#, r#"{"u": "https://x/*y*/", "q": "\"//"}"#),
            ("{} /* never ends", "{}              "),
            ("{} /*/ */ //", "{}          "),
            ("/", "/"),
            ("\"\\", "\"\\"),
        ] {
            let blank = blank_comments(text);
            assert_eq!(blank.trim_end(), expected.trim_end(), "{text:?}");
            assert_eq!(blank.len(), text.len(), "{text:?}");
        }
    }
}
