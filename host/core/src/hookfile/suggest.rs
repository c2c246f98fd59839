//! "Did you mean": the nearest of the allowed words.

use hookbox_model::bounded_text;

/// Longest word that is compared with others, in characters.
const MAX_COMPARED_CHARS: usize = 64;

/// Formats an untrusted word for a message: on one line, bounded, in backticks.
pub fn quote_word(word: &str) -> String {
    format!("`{}`", shorten_word(word))
}

/// A word from outside on one line and bounded.
pub fn shorten_word(word: &str) -> String {
    // `bounded_text` keeps line breaks, with which a word could forge a line of the message.
    let clean: String = bounded_text(word).chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match clean.char_indices().nth(MAX_COMPARED_CHARS) {
        Some((at, _)) => format!("{}…", clean.get(..at).unwrap_or_default()),
        None => clean,
    }
}

/// Returns the nearest word, if one is near, and all of them: `did you mean `gate`? allowed: gate, observe`.
pub fn did_you_mean(word: &str, allowed: &[&str]) -> String {
    let near =
        find_nearest(word, allowed).map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    format!("{near}allowed: {}", allowed.join(", "))
}

/// Returns the nearest word, if no more than a third of the letters differ, else the word that starts with this one (`claude` of
/// `claude-code`); case is ignored.
pub fn find_nearest<'a>(word: &str, allowed: &[&'a str]) -> Option<&'a str> {
    // The distance takes time in the product of both lengths, and a word from an event can be a megabyte
    // long.
    if word.chars().nth(MAX_COMPARED_CHARS).is_some() {
        return None;
    }
    let word = word.to_lowercase();
    let most = (word.chars().count() / 3).max(1);
    let distance = |other: &str| strsim::damerau_levenshtein(&word, &other.to_lowercase());
    let near = allowed.iter().map(|other| (distance(other), *other));
    near.filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
        .or_else(|| allowed.iter().copied().find(|other| is_first_part(&word, other)))
}

fn is_first_part(word: &str, whole: &str) -> bool {
    whole.split_once('-').is_some_and(|(first, _)| first.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_named_if_it_is_near() {
        let allowed = ["gate", "observe", "transform", "two-words"];
        for (word, near) in [
            ("gaet", Some("gate")),
            ("GATE", Some("gate")),
            ("observer", Some("observe")),
            ("tranfsorm", Some("transform")),
            ("filter", None),
            ("two", Some("two-words")),
            ("words", None),
            ("", None),
        ] {
            assert_eq!(find_nearest(word, &allowed), near, "{word}");
        }
        assert_eq!(find_nearest(&"gate".repeat(100), &allowed), None);
    }

    #[test]
    fn a_word_is_shown_on_one_line_bounded_and_without_escapes() {
        assert_eq!(quote_word("a\u{1b}[31m\nb"), "`a[31m b`");
        assert_eq!(quote_word(&"x".repeat(70)), format!("`{}…`", "x".repeat(64)));
    }
}
