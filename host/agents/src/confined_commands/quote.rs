//! Quotes words so that a shell parses them unchanged, regardless of their content.

pub(super) fn join_words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        push_word(word, &mut line);
    }
    line
}

/// Quotes a word for every POSIX shell, bash, zsh and fish. fish reads a backslash between single quotes as an escape, so none is written
/// there.
fn push_word(word: &str, line: &mut String) {
    // A leading `~`, a `=` and a `{` are missing on purpose: shells expand them in some places.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return line.push_str(word);
    }
    if word.is_empty() {
        return line.push_str("''");
    }
    let mut is_open = false;
    for c in word.chars() {
        let is_escaped = matches!(c, '\'' | '\\');
        if is_escaped == is_open {
            line.push('\'');
            is_open = !is_open;
        }
        if is_escaped {
            line.push('\\');
        }
        line.push(c);
    }
    if is_open {
        line.push('\'');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_split_or_expand_are_quoted() {
        for (word, quoted) in [
            ("", "''"),
            ("-c", "-c"),
            ("/bin/sh", "/bin/sh"),
            ("a b", "'a b'"),
            ("$x`y`!\"*", "'$x`y`!\"*'"),
            ("'", r"\'"),
            ("it's", r"'it'\''s'"),
            (r"a\n", r"'a'\\'n'"),
            (r"\\'", r"\\\\\'"),
            ("~", "'~'"),
            ("x=1", "'x=1'"),
            ("#", "'#'"),
            ("a\nb", "'a\nb'"),
        ] {
            assert_eq!(join_words([word].into_iter()), quoted, "{word:?}");
        }
        assert_eq!(join_words(["a", "", "b c"].into_iter()), "a '' 'b c'");
    }
}
