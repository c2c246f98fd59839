//! Formats values as TOML.

use hookbox_model::is_visible;
use serde_json::Value;

/// Formats a string, with escapes if necessary.
pub(super) fn format_text(text: &str) -> String {
    let plain = |quote: &[char]| !text.contains(quote) && !text.contains(is_hidden);
    if plain(&['"', '\\']) {
        return format!("\"{text}\"");
    }
    if plain(&['\'']) {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if is_hidden(c) => quoted.extend(["\\U".to_owned(), format!("{:08X}", u32::from(c))]),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Returns true if the character would begin a line, disturb a terminal, or hide or reorder adjacent text.
fn is_hidden(c: char) -> bool {
    c.is_control() || !is_visible(c)
}

pub(super) fn format_list<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let texts: Vec<_> = texts.into_iter().map(format_text).collect();
    format!("[{}]", texts.join(", "))
}

/// Formats a string, or a list if there is not exactly one.
pub(super) fn one_or_more(texts: &[String]) -> String {
    match texts {
        [one] => format_text(one),
        texts => format_list(texts.iter().map(String::as_str)),
    }
}

pub(super) fn format_table(members: &[(String, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", members.join(", "))
}

/// Formats a JSON value; `None` if it has a null, which TOML cannot express.
pub(super) fn format_json(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format_text(text),
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(format_json).collect::<Option<_>>()?;
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| Some((format_text(key), format_json(value)?));
            let members: Vec<_> = members.iter().map(member).collect::<Option<_>>()?;
            format_table(&members)
        }
    })
}

/// Replaces characters that begin a line or disturb a terminal, for a comment or a message.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_comes_back_from_toml_as_it_was() {
        for text in [
            "",
            "a 'b' \"c\" \\d",
            "C:\\x",
            "tab\there\nnew\r",
            "\u{7f}\u{1b}[2J\0",
            "größe ''' \"\"\"",
            "a\u{202e}b\u{2028}\u{e0041}",
        ] {
            let file: toml::Table = toml::from_str(&format!("a = {}", format_text(text))).unwrap();
            assert!(!format_text(text).contains(is_hidden), "{text:?}");
            assert_eq!(file.get("a").and_then(toml::Value::as_str), Some(text));
        }
    }
}
