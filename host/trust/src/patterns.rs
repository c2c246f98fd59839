//! Lists of patterns, as OpenSSH writes them: `*@acme.example,!old@acme.example`.

/// Returns true if the text matches the list: at least one pattern must match, and none that begins with `!`. `*` is any text, `?` any
/// character.
pub(crate) fn matches_list(text: &str, list: &str) -> bool {
    let mut found = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            // As in OpenSSH a negated pattern wins, wherever it is in the list.
            Some(pattern) if matches_pattern(text.as_bytes(), pattern.as_bytes()) => return false,
            Some(_) => {}
            None => found |= matches_pattern(text.as_bytes(), pattern.as_bytes()),
        }
    }
    found
}

/// Matches one pattern. A `*` is retried from the last one only, so time is bounded by the product of both lengths.
fn matches_pattern(text: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut of) = (0, 0);
    let mut star = None;
    while let Some(byte) = text.get(at) {
        match pattern.get(of) {
            Some(b'*') => {
                star = Some((at, of));
                of += 1;
            }
            Some(wanted) if wanted == byte || *wanted == b'?' => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((from, after)) = star else { return false };
                star = Some((from + 1, after));
                at = from + 1;
                of = after + 1;
            }
        }
    }
    pattern.iter().skip(of).all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_openssh() {
        for (text, list, matched) in [
            ("a@b", "a@b", true),
            ("a@b", "x,a@b", true),
            ("a@b", "*@b", true),
            ("a@b", "?@?", true),
            ("a@b", "*@b,!a@b", false),
            ("a@b", "!a@b,*", false),
            ("a@b", "!x", false),
            ("a@b", "A@b", false),
            ("a@b", "a@b*", true),
            ("a@b.c", "*b", false),
            ("a@b", "", false),
            ("", "*", true),
            ("aab", "*ab", true),
            ("aaab", "*a?b*", true),
        ] {
            assert_eq!(matches_list(text, list), matched, "{text} {list}");
        }
    }

    #[test]
    fn many_stars_take_no_time_that_grows_without_bound() {
        assert!(!matches_list(&"a".repeat(5000), &format!("{}b", "*a".repeat(2000))));
    }
}
