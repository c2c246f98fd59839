//! JSON as Python's `json.dumps` writes it: a blank after each comma and colon, and every character beyond ASCII escaped.

use std::fmt::Write;

/// Returns the JSON in Python's spelling. Numbers stay as they were written.
pub(super) fn dump_json(json: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(json.len()), json);
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            let end = string_end(rest);
            let (string, after) = rest.split_at(end);
            match serde_json::from_str::<String>(string) {
                Ok(decoded) => write_string(&decoded, &mut text),
                // A lone surrogate is JSON but not a Rust string; its escape stays, as `json.dumps` leaves it.
                Err(_) => text.push_str(string),
            }
            rest = after;
            continue;
        }
        match c {
            ',' | ':' => text.extend([c, ' ']),
            c if c.is_whitespace() => {}
            c => text.push(c),
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    text
}

/// Returns the length, in bytes, of the string that `text` begins with, quotes included.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            c => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

fn write_string(decoded: &str, text: &mut String) {
    text.push('"');
    for c in decoded.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            ' '..='~' => text.push(c),
            c => {
                // `ensure_ascii` writes a character outside of the basic plane as a surrogate pair.
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::dump_json;

    #[test]
    fn json_is_spelt_as_python_spells_it() {
        for (json, expected) in [
            (r#"{"a":1,"b":[true,null]}"#, r#"{"a": 1, "b": [true, null]}"#),
            ("{ \"a\" :\n1.50 }", r#"{"a": 1.50}"#),
            (r#"{"ä":"\u00e9😀\/"}"#, r#"{"\u00e4": "\u00e9\ud83d\ude00/"}"#),
            (r#"["\"\\,:\u0001\u007f\n\b"]"#, r#"["\"\\,:\u0001\u007f\n\b"]"#),
            ("[]", "[]"),
        ] {
            assert_eq!(dump_json(json), expected);
        }
    }
}
