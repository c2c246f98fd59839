//! Patterns in which `*` matches any text, and everything else itself.

/// Returns true if `pattern` matches the whole `text`.
pub(super) fn matches_text(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<_> = parts.collect();
    // Without a `*` there is no part after the first.
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches_text;

    #[test]
    fn a_star_stands_for_any_text_and_the_rest_for_itself() {
        for (pattern, text, expected) in [
            ("https://a.example/*", "https://a.example/x/y", true),
            ("https://a.example/*", "https://a.example.evil/x", false),
            ("https://*.example/*", "https://b.example/", true),
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*a", "a", false),
            ("a*b*c", "a-b-b-c", true),
            ("a?c", "abc", false),
            ("**a", "bca", true),
        ] {
            assert_eq!(matches_text(pattern, text), expected, "{pattern} {text}");
        }
    }
}
